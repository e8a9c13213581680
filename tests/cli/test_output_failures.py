"""Output that cannot be written: exit code 4, no hang, and nothing left behind."""
import os
import resource
import signal
import subprocess

import pytest
import support

PATH = support.SCENARIOS / "lost-responses.json"
# A megabyte or two of export, more than any buffer or pipe holds.
LARGE = support.base_scenario(clients=1000, horizon=20, server={"capacity": 0},
                              policies=[support.policy("p", 100)])


@pytest.fixture(name="export_path", scope="module")
def make_export(tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "export.json"
    support.output_of("export", PATH, "-o", path)
    return path


def calls(export_path):
    return [["run", PATH], ["run", PATH, "--format", "json"], ["run", PATH, "--format", "csv"],
            ["export", PATH], ["export", PATH, "--format", "ndjson"], ["attempts", PATH],
            ["verify", export_path], ["check", PATH], ["new", "horizon"], ["new", "--list"],
            ["schema"]]


@pytest.mark.parametrize("index", range(11))
def test_standard_output_is_full(export_path, index):
    with open("/dev/full", "wb") as full:
        result = support.run(*calls(export_path)[index], stdout=full)
    message = support.assert_refused(result, support.INPUT_OUTPUT)
    assert "standard output" in message
    assert "No space left on device" in message


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]])
def test_standard_output_is_full_for_help(arguments):
    with open("/dev/full", "wb") as full:
        support.assert_refused(support.run(*arguments, stdout=full), support.INPUT_OUTPUT)


@pytest.mark.parametrize("index", range(11))
def test_standard_output_is_closed(export_path, index):
    arguments = list(map(str, calls(export_path)[index]))
    result = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", support.program(), *arguments],
                            capture_output=True, check=False, timeout=20)
    support.assert_refused(result, support.INPUT_OUTPUT)


@pytest.mark.parametrize("arguments", [
    ["export"], ["export", "--format", "ndjson"], ["new", "horizon"]])
def test_full_device_by_name(arguments):
    file = [PATH] if arguments[0] == "export" else []
    message = support.assert_refused(support.run(*arguments, *file, "-o", "/dev/full"),
                                     support.INPUT_OUTPUT)
    assert "/dev/full" in message
    assert not os.path.isfile("/dev/full")


@pytest.mark.parametrize("arguments", [["export"], ["export", "--format", "ndjson"],
                                       ["attempts"]], ids=" ".join)
def test_reader_that_goes_away(write_scenario, arguments):
    with subprocess.Popen([support.program(), *arguments, write_scenario(LARGE)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.read(1000)
        process.stdout.close()
        message = process.stderr.read()
        assert process.wait(20) == support.INPUT_OUTPUT
    assert b"Broken pipe" in message


def test_reader_that_never_was(write_scenario):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = support.run("run", write_scenario(LARGE), stdout=writing)
    finally:
        os.close(writing)
    support.assert_refused(result, support.INPUT_OUTPUT)


@pytest.mark.parametrize("arguments", [["export", PATH], ["export", PATH, "--format", "ndjson"],
                                       ["export", PATH, "--format", "csv"], ["new", "horizon"]],
                         ids=lambda arguments: " ".join(map(str, arguments[::2])))
def test_missing_folder(tmp_path, arguments):
    target = tmp_path / "missing" / "out"
    message = support.assert_refused(support.run(*arguments, "-o", target), support.INPUT_OUTPUT)
    assert str(target) in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["export", PATH], ["new", "horizon"]])
def test_folder_as_the_file(tmp_path, arguments):
    support.assert_refused(support.run(*arguments, "-o", tmp_path), support.INPUT_OUTPUT)
    support.assert_refused(support.run(*arguments, "-o", f"{tmp_path}/new/"),
                           support.INPUT_OUTPUT)
    assert list(tmp_path.iterdir()) == []


def test_file_as_the_folder(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    result = support.run("export", PATH, "--format", "csv", "-o", file)
    support.assert_refused(result, support.INPUT_OUTPUT)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_one_of_the_four_files_cannot_be_written(tmp_path):
    (tmp_path / "load.csv").mkdir()
    (tmp_path / "attempts.csv").write_text("old")
    result = support.run("export", PATH, "--format", "csv", "-o", tmp_path)
    support.assert_refused(result, support.INPUT_OUTPUT)
    assert (tmp_path / "attempts.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["attempts.csv", "load.csv"]


@pytest.mark.parametrize("form", ["json", "ndjson"])
@pytest.mark.parametrize("existing", [True, False])
def test_no_room_for_the_file(write_scenario, tmp_path, form, existing):
    # A limit of 64 KiB for each file stands for a full disk: writing fails in the middle.
    folder = tmp_path / "folder"
    folder.mkdir()
    target = folder / "out"
    if existing:
        target.write_text("old")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    result = support.run("export", write_scenario(LARGE), "--format", form, "-o", target,
                         preexec_fn=limit)
    message = support.assert_refused(result, support.INPUT_OUTPUT)
    assert str(target) in message
    assert list(folder.iterdir()) == ([target] if existing else [])
    assert not existing or target.read_text() == "old"


def test_no_room_for_one_of_the_four_files(write_scenario, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "summary.csv").write_text("old")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    result = support.run("export", write_scenario(LARGE), "--format", "csv", "-o", folder,
                         preexec_fn=limit)
    support.assert_refused(result, support.INPUT_OUTPUT)
    assert [path.name for path in folder.iterdir()] == ["summary.csv"]
    assert (folder / "summary.csv").read_text() == "old"


def test_permissions_hold(tmp_path):
    # Root lays down the capabilities that would let it pass.
    prefix = []
    if os.geteuid() == 0:
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    _assert_no_permission(tmp_path, prefix)


def _assert_no_permission(tmp_path, prefix):
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o555)
    call = [*prefix, support.program(), "export", str(PATH), "-o", str(folder / "out")]
    result = subprocess.run(call, capture_output=True, check=False)
    support.assert_refused(result, support.INPUT_OUTPUT)
    assert list(folder.iterdir()) == []


def test_invalid_scenario_leaves_nothing(tmp_path):
    target = tmp_path / "out"
    for form in ("json", "ndjson", "csv"):
        result = support.run("export", "-", "--format", form, "-o", target, stdin="{}")
        support.assert_refused(result, support.INVALID_INPUT)
    assert list(tmp_path.iterdir()) == []


def test_failed_input_keeps_the_old_output(tmp_path):
    target = tmp_path / "out"
    target.write_text("old")
    support.assert_refused(support.run("export", tmp_path / "missing", "-o", target),
                           support.INPUT_OUTPUT)
    assert target.read_text() == "old"
