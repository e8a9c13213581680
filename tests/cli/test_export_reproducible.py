"""The same scenario gives the same bytes: again, elsewhere, from a pipe, and read back."""
import json
import os
import subprocess

import pytest
import support

PATH = support.SCENARIOS / "names.json"


def locales():
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    wanted = ("tr_TR", "de_DE", "ar_", "fa_IR")
    return ["C", "POSIX", "C.UTF-8", *(name for name in listed.split() if name.startswith(wanted))]


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_twice(path):
    assert support.output_of("export", path) == support.output_of("export", path)


@pytest.mark.parametrize("form", ["json", "ndjson"])
@pytest.mark.parametrize("locale", locales())
def test_locale_does_not_matter(locale, form):
    plain = support.output_of("export", PATH, "--format", form)
    environment = os.environ | {"LC_ALL": locale, "LANG": locale}
    assert support.output_of("export", PATH, "--format", form, env=environment) == plain


@pytest.mark.parametrize("locale", locales())
def test_locale_does_not_matter_for_run(locale):
    plain = support.output_of("run", PATH)
    assert support.output_of("run", PATH, env=os.environ | {"LC_ALL": locale}) == plain


@pytest.mark.parametrize("variables", [{"TZ": "Asia/Kolkata"}, {"TZ": "America/St_Johns"},
                                       {"COLUMNS": "200"}, {"TERM": "dumb"}, {"HOME": "/"}])
def test_environment_does_not_matter(variables):
    assert support.output_of("export", PATH, env=os.environ | variables) == \
        support.output_of("export", PATH)


def test_empty_environment():
    assert support.output_of("export", PATH, env={}) == support.output_of("export", PATH)


def test_working_directory_and_file_name_do_not_matter(tmp_path):
    plain = support.output_of("export", PATH)
    copy = tmp_path / "elsewhere.json"
    copy.write_bytes(PATH.read_bytes())
    assert support.output_of("export", "elsewhere.json", cwd=tmp_path) == plain
    assert support.output_of("export", PATH, cwd="/") == plain


def test_standard_input():
    assert support.output_of("export", "-", stdin=PATH.read_bytes()) == \
        support.output_of("export", PATH)


def test_standard_input_from_a_slow_pipe():
    # Every byte on its own, so that reads come back short.
    data = (support.SCENARIOS / "one-client.json").read_bytes()
    command = [support.program(), "export", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          bufsize=0) as process:
        for i in range(len(data)):
            process.stdin.write(data[i:i + 1])
        process.stdin.close()
        text = process.stdout.read()
    assert text.decode() == support.output_of("export", support.SCENARIOS / "one-client.json")


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_scenario_read_back_gives_the_same_export(path):
    plain = support.output_of("export", path)
    scenario = json.dumps(json.loads(plain, parse_float=_Literal)["scenario"], cls=_Encoder)
    assert support.output_of("export", "-", stdin=scenario) == plain


class _Literal(float):
    """A number that is written as it was read: 0.000001 has no exponent in a scenario."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self):
        return self.text


class _Encoder(json.JSONEncoder):
    def iterencode(self, o, _one_shot=False):
        marks = {}

        def marked(value):
            if isinstance(value, _Literal):
                marks[f'"number {len(marks)}"'] = value.text
                return f"number {len(marks) - 1}"
            if isinstance(value, dict):
                return {name: marked(inner) for name, inner in value.items()}
            return [marked(inner) for inner in value] if isinstance(value, list) else value

        text = "".join(super().iterencode(marked(o)))
        for mark, number in marks.items():
            text = text.replace(mark, number)
        yield text


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_checked_scenario_gives_the_same_export(path):
    assert support.output_of("export", "-", stdin=support.output_of("check", path)) == \
        support.output_of("export", path)


def test_no_trace_of_host_path_or_user():
    text = support.output_of("export", PATH)
    assert os.uname().nodename not in text
    assert str(support.ROOT) not in text
