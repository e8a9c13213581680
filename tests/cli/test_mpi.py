"""retrygarden-mpi: over 1 to 4 processes the same bytes as retrygarden, and one message for a failure.
"""
import functools
import json
import os
import subprocess
import time

import pytest
import support

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
LOST_RESPONSES = support.SCENARIOS / "lost-responses.json"
LARGE = support.base_scenario(
    clients=200_001, clients_per_host=7, horizon=300, arrivals={"kind": "random", "over": 20},
    server={"capacity": 9_000, "outages": [{"from": 3, "ticks": 4, "kind": "crash"}],
            "deduplication": {"kind": "ttl", "ticks": 9}},
    faults={"first_response_lost": {"every": 5, "offset": 2}},
    policies=[support.policy("jitter", 9, {"kind": "decorrelated", "base": 2, "cap": 90}),
              support.policy("fixed", 5, {"kind": "fixed", "ticks": 7})])

# Ticks with all phases: a queue, timeouts, losses, and hosts with budgets and breakers.
LARGE_WITH_PHASES = support.changed(support.changed(LARGE, "/policies/1", support.policy(
    "limited", 5, {"kind": "fixed", "ticks": 7}, timeout=6,
    budget={"kind": "tokens", "capacity": 3, "initial": 3, "success_deposit": 0.2, "retry_cost": 1},
    breaker={"window": 9, "failures": 6, "open_ticks": 5, "probes": 2})), "/policies/0/timeout", 4)
LARGE_WITH_PHASES["server"] |= {"queue": 30_000, "service_ticks": 3, "discipline": "lifo",
                                "drop_abandoned": True}
LARGE_WITH_PHASES["faults"] |= {"request_loss": 0.05, "response_loss": 0.05}


def run(processes, *arguments):
    return subprocess.run([*MPIRUN, str(processes), support.program() + "-mpi",
                           *map(str, arguments)], capture_output=True, timeout=50)


def output_of(processes, *arguments):
    result = run(processes, *arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout


def messages(result):
    """What the program itself says, without mpirun's own account."""
    return [line for line in result.stderr.decode("utf-8").splitlines()
            if line.startswith("retrygarden: ")]


# Whatever MPI carries is the same for all; and mpirun takes its time.
SOME_GOLDEN = support.GOLDEN[::3]


@functools.cache
def shared_export(path):
    """The export that three processes share, or None if they refuse to."""
    result = run(3, "export", path)
    if result.returncode == 0:
        return result.stdout
    assert result.returncode == support.INVALID_INPUT and result.stdout == b""
    assert ["cannot share a run with" in line for line in messages(result)] == [True]
    return None


@pytest.mark.parametrize("path", SOME_GOLDEN, ids=lambda path: path.stem)
def test_golden_traces(path):
    assert shared_export(path) in (None, (support.ROOT / "golden/traces" / path.name).read_bytes())


def test_many_golden_traces_are_shared():
    assert sum(shared_export(path) is not None for path in SOME_GOLDEN) >= 20


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
@pytest.mark.parametrize("arguments", [["run", "--format", "json"], ["run", "--format", "csv"],
                                       ["export"], ["export", "--format", "ndjson"]])
def test_same_bytes(processes, arguments):
    expected = support.output_of(*arguments, LOST_RESPONSES)
    assert output_of(processes, *arguments, LOST_RESPONSES) == expected.encode("utf-8")


def test_table_is_that_of_one_process_without_the_diagnosis():
    expected = support.output_of("run", LOST_RESPONSES)
    shared = output_of(2, "run", LOST_RESPONSES).decode("utf-8")
    assert len(shared) > 500
    assert expected.startswith(shared)


def test_folder_of_csv(tmp_path):
    support.output_of("export", LOST_RESPONSES, "--format", "csv", "-o", tmp_path / "one")
    assert output_of(3, "export", LOST_RESPONSES, "--format", "csv", "-o", tmp_path / "three") == b""
    names = sorted(os.listdir(tmp_path / "one"))
    assert len(names) == 4 and sorted(os.listdir(tmp_path / "three")) == names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "three" / name).read_bytes()


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
@pytest.mark.parametrize("scenario", [LARGE, LARGE_WITH_PHASES], ids=["short", "phases"])
def test_many_clients(write_scenario, scenario, processes):
    path = write_scenario(scenario)
    expected = support.output_of("run", path, "--format", "json").encode("utf-8")
    assert output_of(processes, "run", path, "--format", "json") == expected
    assert output_of(processes, "run", path, "--format", "json", "--threads", 2) == expected


def test_member_that_cannot_be_shared_is_named(write_scenario):
    scenario = support.changed(LARGE, "/server/tie_break", "random")
    result = run(2, "run", write_scenario(scenario))
    assert result.returncode == support.INVALID_INPUT
    assert messages(result) == ["retrygarden: several processes cannot share a run with "
                                "server.tie_break random; use the program retrygarden"]


@pytest.mark.parametrize("arguments, exit_code", [
    (["runn"], support.USAGE), (["run"], support.USAGE), (["run", "--threads", "0", "x"], support.USAGE),
    (["export", LOST_RESPONSES, "--format", "csv"], support.USAGE),
    (["run", LOST_RESPONSES, "--policy", "nobody"], support.USAGE),
    (["run", "/nonexistent"], support.INPUT_OUTPUT),
    (["export", LOST_RESPONSES, "-o", "/nonexistent/x"], support.INPUT_OUTPUT),
    (["run", LOST_RESPONSES, "--memory-limit", "1"], support.OVER_MEMORY)])
def test_failures_are_told_once(arguments, exit_code):
    result = run(2, *arguments)
    assert result.returncode == exit_code
    assert result.stdout == b""
    assert len(messages(result)) == 1


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]])
def test_help_is_shown_once(arguments):
    assert output_of(3, *arguments) == output_of(1, *arguments)


SWEEP = support.ROOT / "docs" / "examples" / "capacity-sweep.json"


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
@pytest.mark.parametrize("output_format", ["csv", "ndjson"])
def test_sweep(processes, output_format):
    expected = support.output_of("sweep", SWEEP, "--format", output_format)
    assert expected.count("\n") >= 400
    shared = output_of(processes, "sweep", SWEEP, "--format", output_format)
    assert shared == expected.encode("utf-8")


# More jobs than may wait for the first one.
@pytest.mark.parametrize("processes", [2, 3])
def test_sweep_with_a_long_run_before_many_short_ones(write_scenario, processes):
    scenario = support.changed(support.base_scenario(), "/policies/0/timeout", 3)
    scenario["clients"] = [3_000_000, *range(1, 120)]
    path = write_scenario(scenario)
    expected = support.output_of("sweep", path)
    assert expected.count("\n") >= 121
    assert output_of(processes, "sweep", path) == expected.encode("utf-8")


def test_sweep_goes_on_after_a_kill(write_scenario, tmp_path):
    scenario = {**json.loads(SWEEP.read_text("utf-8")), "clients": 20_000, "seeds": 200}
    path, output = write_scenario(scenario), tmp_path / "rows.csv"
    partial = tmp_path / "rows.csv.partial"
    with subprocess.Popen([*MPIRUN, "2", support.program() + "-mpi", "sweep", path, "-o", output],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not partial.exists() or partial.stat().st_size < 5_000:
            assert process.poll() is None
            time.sleep(0.001)
        process.kill()  # mpirun takes its processes with it
    assert not output.exists()
    while True:
        result = run(3, "sweep", path, "-o", output)
        if result.returncode == 0:
            break
        # The killed ones have not let go of the file yet.
        assert result.returncode == support.INPUT_OUTPUT
        time.sleep(0.1)
    assert output.read_text("utf-8") == support.output_of("sweep", path)


def test_sweep_with_faults_tells_them_once(write_scenario):
    result = run(3, "sweep", write_scenario({"retrygarden": 1, "clients": [1, 0]}))
    assert result.returncode == support.INVALID_INPUT
    assert len([line for line in messages(result) if "is not valid" in line]) == 1
