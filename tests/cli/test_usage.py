"""Usage: exit code 2 for what the program does not know, help and version with exit code 0."""
import pytest
import support

PATH = support.SCENARIOS / "horizon.json"
NEEDS_A_FILE = ["run", "export", "attempts", "delays", "sweep", "verify", "check"]


@pytest.mark.parametrize("arguments", [
    [], ["nonsense"], [""], ["Run"], ["--nonsense"], ["-x"], ["run", PATH, "--nonsense"],
    ["run", PATH, PATH], ["run", PATH, "export", PATH],
    ["run", PATH, "--format"], ["run", PATH, "--format", "yaml"], ["run", PATH, "--format", ""],
    ["run", PATH, "--format", "0"], ["run", PATH, "--format", "1"],
    ["run", PATH, "--format", "ndjson"], ["run", PATH, "-o", "file"],
    ["export", PATH, "--format", "table"], ["export", PATH, "--format", "2"],
    ["export", PATH, "-o"], ["export", PATH, "--policy", "fixed delay"],
    ["attempts", PATH, "--format", "json"],
    ["delays", PATH, "--format", "json"], ["delays", PATH, PATH], ["delays", PATH, "--attempts"],
    *(["delays", PATH, "--attempts", number]
      for number in ("0", "10001", "-1", "1.5", "x", "", "4294967297", "99999999999999999999")),
    ["check", PATH, PATH], ["check", PATH, "--memory-limit", "1GiB"],
    ["sweep", PATH, "--format", "json"], ["sweep", PATH, "--threads"], ["sweep", PATH, PATH],
    ["schema", PATH], ["schema", "--nonsense"], ["verify", PATH, PATH],
], ids=lambda arguments: " ".join(map(str, arguments)).replace(str(PATH), "FILE") or "nothing")
def test_usage_errors(arguments):
    support.assert_refused(support.run(*arguments), support.USAGE)


@pytest.mark.parametrize("command", NEEDS_A_FILE)
def test_missing_argument(command):
    support.assert_refused(support.run(command), support.USAGE)


@pytest.mark.parametrize("command, formats", [("run", ["table", "json", "csv"]),
                                              ("export", ["json", "ndjson", "csv"]),
                                              ("sweep", ["csv", "ndjson"])])
def test_unknown_format_names_the_formats_and_nothing_internal(command, formats):
    message = support.assert_refused(support.run(command, PATH, "--format", "yaml"),
                                     support.USAGE)
    assert "yaml" in message
    assert all(name in message for name in formats)
    assert "->" not in message


def test_help():
    text = support.output_of("--help")
    assert text == support.output_of("-h")
    assert "Example" in text
    assert all(f"\n  {command} " in text for command in support.COMMANDS)
    assert [line for line in text.splitlines() if "xit code" in line]


@pytest.mark.parametrize("command", support.COMMANDS)
def test_help_of_a_command(command):
    text = support.output_of(command, "--help")
    assert text == support.output_of(command, "-h")
    example = text[text.index("Example"):]
    assert f"retrygarden {command}" in example


def test_help_wins_over_missing_arguments():
    assert "Example" in support.output_of("run", "--help", "--format", "json")


def test_version():
    name, number = support.output_of("--version").split()
    assert name == "retrygarden"
    assert all(part.isdigit() for part in number.split("."))


def test_options_may_stand_before_the_file():
    assert support.output_of("run", "--format", "json", PATH) == \
        support.output_of("run", PATH, "--format=json")


def test_double_dash_ends_the_options(tmp_path):
    name = "--version"
    (tmp_path / name).write_bytes(PATH.read_bytes())
    assert support.output_of("check", "--", name, cwd=tmp_path) == \
        support.output_of("check", PATH)
