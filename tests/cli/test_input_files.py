"""Files that cannot be read: exit code 4 and the file's name in the message."""
import os
import subprocess

import pytest
import support

COMMANDS = ["run", "export", "attempts", "report", "sweep", "verify", "check"]
PATH = support.SCENARIOS / "horizon.json"


@pytest.fixture(params=COMMANDS, name="command")
def each_command(request):
    return request.param


def assert_unreadable(result, name):
    message = support.assert_refused(result, support.INPUT_OUTPUT)
    assert str(name) in message


def test_missing(command, tmp_path):
    path = tmp_path / "missing.json"
    assert_unreadable(support.run(command, path), path)


def test_in_a_missing_folder(command, tmp_path):
    path = tmp_path / "missing" / "scenario.json"
    assert_unreadable(support.run(command, path), path)


def test_empty_name(command):
    support.assert_refused(support.run(command, ""), support.INPUT_OUTPUT)


def test_folder(command, tmp_path):
    assert_unreadable(support.run(command, tmp_path), tmp_path)


def test_file_taken_for_a_folder(command):
    path = f"{PATH}/scenario.json"
    assert_unreadable(support.run(command, path), path)


def test_dangling_and_circular_links(command, tmp_path):
    dangling, circular = tmp_path / "dangling", tmp_path / "circular"
    dangling.symlink_to("nowhere")
    circular.symlink_to("circular")
    assert_unreadable(support.run(command, dangling), dangling)
    assert_unreadable(support.run(command, circular), circular)


def test_name_that_is_too_long(command):
    support.assert_refused(support.run(command, "x" * 5000), support.INPUT_OUTPUT)


def test_read_error(command):
    # Opens well; the first read fails with EIO, since no page is mapped at address 0.
    assert_unreadable(support.run(command, "/proc/self/mem"), "/proc/self/mem")


def test_no_permission(command, tmp_path):
    path = tmp_path / "secret.json"
    path.write_bytes(PATH.read_bytes())
    path.chmod(0)
    call = [support.program(), command, str(path)]
    if os.geteuid() == 0:  # without these capabilities, permissions count for root too
        call = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *call]
    result = subprocess.run(call, capture_output=True, check=False)
    assert_unreadable(result, path)


def test_closed_standard_input(command):
    result = subprocess.run(["sh", "-c", 'exec "$0" "$1" - <&-', support.program(), command],
                            capture_output=True, check=False)
    assert_unreadable(result, "standard input")


def test_folder_as_standard_input(command, tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        assert_unreadable(support.run(command, "-", stdin_file=folder), "standard input")
    finally:
        os.close(folder)


def test_empty_standard_input_is_an_empty_text(command):
    support.assert_refused(support.run(command, "-", stdin_file=subprocess.DEVNULL),
                           support.INVALID_INPUT)


def test_a_file_named_dash_by_its_path(tmp_path):
    (tmp_path / "-").write_bytes(PATH.read_bytes())
    assert support.output_of("check", "./-", cwd=tmp_path) == support.output_of("check", PATH)


def test_named_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([support.program(), "check", pipe], stdout=subprocess.PIPE) as process:
        pipe.write_bytes(PATH.read_bytes())
        assert process.stdout.read().decode() == support.output_of("check", PATH)
