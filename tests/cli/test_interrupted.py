"""An export that is ended by a signal leaves nothing behind and ends by that signal."""
import random
import signal
import subprocess
import time

import pytest
import support

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def scenario_of(horizon):
    """A hundred clients that send in every tick."""
    return support.base_scenario(clients=100, horizon=horizon, server={"capacity": 0},
                                 policies=[support.policy("p", 2**32 - 1)])


ENDLESS = scenario_of(2**31 - 1)  # ends neither the run nor, before it, the summary
LONG = scenario_of(100_000)  # gigabytes of attempts, which are written after a short run


def wait_for_output(folder, least_size, except_for=()):
    """Until the program has begun a file of its own, of this size at least, in the folder."""
    for _ in range(2000):
        for path in folder.iterdir():
            try:
                if path.name not in except_for and path.stat().st_size >= least_size:
                    return
            except FileNotFoundError:
                pass
        time.sleep(0.005)
    raise AssertionError("the export has not begun")


def interrupted(number, folder, arguments, except_for=(), least_size=1, **options):
    """The result of a call that gets the signal while it writes to the folder."""
    with subprocess.Popen([support.program(), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        try:
            wait_for_output(folder, least_size, except_for)
            process.send_signal(number)
            output, errors = process.communicate(timeout=10)
        finally:
            process.kill()
    return process.returncode, output, errors


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_new_file(write_scenario, folder, form, number):
    arguments = ["export", write_scenario(LONG), "--format", form, "-o", folder / "out"]
    assert interrupted(number, folder, arguments) == (-number, b"", b"")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("number", SIGNALS)
def test_before_the_first_record(write_scenario, folder, number):
    arguments = ["export", write_scenario(ENDLESS), "-o", folder / "out"]
    assert interrupted(number, folder, arguments, least_size=0) == (-number, b"", b"")
    assert list(folder.iterdir()) == []


def test_at_any_moment_of_the_start(write_scenario, folder):
    # Also between the moment when the file is created and the one when its name is known.
    path = write_scenario(ENDLESS)
    delays = random.Random(1)
    for _ in range(500):
        with subprocess.Popen([support.program(), "export", path, "-o", folder / "out"],
                              stderr=subprocess.PIPE) as process:
            time.sleep(delays.uniform(0.0003, 0.004))
            process.terminate()
            assert process.wait(10) == -signal.SIGTERM
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("number", SIGNALS)
def test_existing_file(write_scenario, folder, number):
    target = folder / "out"
    target.write_text("old")
    arguments = ["export", write_scenario(LONG), "-o", target]
    code, *_ = interrupted(number, folder, arguments, except_for=["out"])
    assert code == -number
    assert list(folder.iterdir()) == [target]
    assert target.read_text() == "old"


@pytest.mark.parametrize("number", SIGNALS)
def test_folder(write_scenario, folder, number):
    (folder / "load.csv").write_text("old")
    arguments = ["export", write_scenario(LONG), "--format", "csv", "-o", folder]
    code, *_ = interrupted(number, folder, arguments, except_for=["load.csv"])
    assert code == -number
    assert [path.name for path in folder.iterdir()] == ["load.csv"]
    assert (folder / "load.csv").read_text() == "old"


def test_relative_name(write_scenario, folder):
    arguments = ["export", write_scenario(LONG), "-o", "out"]
    code, *_ = interrupted(signal.SIGTERM, folder, arguments, cwd=folder)
    assert code == -signal.SIGTERM
    assert list(folder.iterdir()) == []


def test_link(write_scenario, folder, tmp_path):
    target, link = folder / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to("folder/target")
    arguments = ["export", write_scenario(LONG), "-o", link]
    code, *_ = interrupted(signal.SIGINT, folder, arguments, except_for=["target"])
    assert code == -signal.SIGINT
    assert link.is_symlink()
    assert list(folder.iterdir()) == [target]
    assert target.read_text() == "old"


@pytest.mark.parametrize("arguments", [["run"], ["run", "--format", "json"], ["export"],
                                       ["attempts"]], ids=" ".join)
def test_standard_output(write_scenario, arguments):
    with subprocess.Popen([support.program(), *arguments, write_scenario(ENDLESS)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        time.sleep(0.1)
        process.terminate()
        assert process.wait(10) == -signal.SIGTERM


def test_a_hang_up_that_nohup_ignores_stays_ignored(write_scenario, folder):
    with subprocess.Popen(["nohup", support.program(), "export", write_scenario(LONG), "-o",
                           folder / "out"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_output(folder, 1)
            process.send_signal(signal.SIGHUP)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.3)
        finally:
            process.terminate()
            process.wait(10)
    assert list(folder.iterdir()) == []


def test_limit_of_the_file_size_leaves_nothing(write_scenario, folder):
    # ulimit -f: by default the system ends a program that goes beyond it by a signal.
    result = subprocess.run(
        ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", support.program(), "export",
         write_scenario(LONG), "-o", folder / "out"],
        capture_output=True, check=False, timeout=20)
    assert result.returncode in (support.INPUT_OUTPUT, -signal.SIGXFSZ)
    assert list(folder.iterdir()) == []
