"""An export of many attempts streams: its memory depends on the clients, not on the attempts."""
import os
import subprocess

import pytest
import support


def peak_mebibytes(arguments, scenario_path):
    """The largest resident set of the program, and how many bytes it wrote."""
    command = [support.program(), *arguments, str(scenario_path)]
    size = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as process:
        while piece := process.stdout.read(1 << 20):
            size += len(piece)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss / 1024, size


def many_attempts(count):
    """A thousand clients of count attempts each, none of which is accepted."""
    return support.base_scenario(clients=1000, horizon=count, server={"capacity": 0},
                                 policies=[support.policy("p", 2**32 - 1)])


@pytest.mark.parametrize("arguments", [["export"], ["export", "--format", "ndjson"],
                                       ["attempts"], ["run"], ["run", "--format", "json"]],
                         ids=" ".join)
def test_four_times_the_attempts_need_no_more_memory(write_scenario, arguments):
    few, few_bytes = peak_mebibytes(arguments, write_scenario(many_attempts(200)))
    many, many_bytes = peak_mebibytes(arguments, write_scenario(many_attempts(800)))
    if arguments[0] != "run":
        assert many_bytes > 3.9 * few_bytes
    assert many < few + 3


def test_csv_folder_streams(write_scenario, tmp_path):
    arguments = ["export", "--format", "csv", "-o", str(tmp_path / "folder")]
    few, _ = peak_mebibytes(arguments, write_scenario(many_attempts(200)))
    many, _ = peak_mebibytes(arguments, write_scenario(many_attempts(800)))
    assert many < few + 3
    assert (tmp_path / "folder" / "attempts.csv").read_bytes().count(b"\n") == 800_001
