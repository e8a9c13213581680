"""--memory-limit: what would not fit is refused before it starts, with estimate and limit."""
import json
import os
import re
import resource
import subprocess

import pytest
import support

HUGE = support.base_scenario(clients=2**32 - 1)
SMALL = support.SCENARIOS / "lost-responses.json"


@pytest.mark.parametrize("limit", ["1GiB", "1024MiB", "1073741824"])
@pytest.mark.parametrize("command", ["run", "export", "attempts"])
def test_too_many_clients(write_scenario, command, limit):
    result = support.run(command, write_scenario(HUGE), "--memory-limit", limit, timeout=5)
    message = support.assert_refused(result, support.OVER_MEMORY)
    needed, given = map(int, re.findall(r"(\d+) MiB", message))
    assert given == 1024
    assert needed > 4096  # at least a byte a client
    assert "--memory-limit" in message


@pytest.mark.parametrize("arguments", [["run", "--format", "json"], ["run", "--format", "csv"],
                                       ["export", "--format", "ndjson"]])
def test_every_format(write_scenario, arguments):
    result = support.run(*arguments, write_scenario(HUGE), "--memory-limit", "1GiB", timeout=5)
    support.assert_refused(result, support.OVER_MEMORY)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_nothing_is_written(write_scenario, tmp_path, form):
    path = write_scenario(HUGE)
    result = support.run("export", path, "--format", form, "-o", tmp_path / "out",
                         "--memory-limit", "1GiB")
    support.assert_refused(result, support.OVER_MEMORY)
    assert list(tmp_path.iterdir()) == [path]


def test_verify_of_too_much(write_scenario):
    document = {"retrygarden": 1, "scenario": HUGE, "assumptions": [], "results": []}
    result = support.run("verify", write_scenario(document), "--memory-limit", "1GiB", timeout=5)
    support.assert_refused(result, support.OVER_MEMORY)


def test_many_policies_are_run_one_after_the_other(write_scenario):
    one = support.base_scenario(clients=1000)
    many = support.base_scenario(clients=1000,
                                 policies=[support.policy(f"{i}") for i in range(64)])
    estimates = [int(re.search(r"(\d+) MiB", support.assert_refused(
        support.run("run", write_scenario(scenario), "--memory-limit", "1"),
        support.OVER_MEMORY)).group(1)) for scenario in (one, many)]
    assert estimates[1] <= estimates[0] + 1


def estimate_of(command, path):
    """The MiB that a call says it would need."""
    result = support.run(command, path, "--memory-limit", "1MiB", timeout=5)
    return int(re.search(r"(\d+) MiB", support.assert_refused(
        result, support.OVER_MEMORY)).group(1))


def test_records_that_stay_open_are_counted_where_attempts_are_shown(write_scenario):
    # A request that waits holds back the records of all later attempts, 8 million at most here.
    scenario = support.base_scenario(
        clients=1_000_000, horizon=50, server={"capacity": 1, "queue": 1000},
        policies=[support.policy("p", 8, timeout=5)])
    waiting = write_scenario(scenario, "waiting.json")
    scenario["server"]["queue"] = 0
    scenario["policies"][0]["timeout"] = 0
    plain = write_scenario(scenario, "plain.json")
    records = 8 * 64  # MiB: at least 64 bytes each
    for command in ("attempts", "export"):
        assert estimate_of(command, waiting) > estimate_of("run", waiting) + records
        assert estimate_of(command, plain) < estimate_of("run", plain) + records
    document = {"retrygarden": 1, "scenario": json.loads(waiting.read_text()), "assumptions": [],
                "results": []}
    assert estimate_of("verify", write_scenario(document, "export.json")) > \
        estimate_of("run", waiting) + records


@pytest.mark.parametrize("limit", ["64MiB", "64mib", "64 MiB", "1G", "1GB", "1TiB", "67108864"])
@pytest.mark.parametrize("command", ["run", "export", "attempts"])
def test_small_ones_pass(command, limit):
    assert support.output_of(command, SMALL, "--memory-limit", limit) == \
        support.output_of(command, SMALL)


@pytest.mark.parametrize("limit", ["2147483648", "2147483648B", "2097152KiB", "2048MiB", "2GiB",
                                   "2gib", "2 GiB"])
def test_units(write_scenario, limit):
    result = support.run("run", write_scenario(HUGE), "--memory-limit", limit, timeout=5)
    message = support.assert_refused(result, support.OVER_MEMORY)
    assert "the limit is 2048 MiB" in message


@pytest.mark.parametrize("size", ["x", "", "GiB", "1XB", "-1", "-1GiB", "1e3", "1 2", "1GiB x",
                                  "99999999999GiB", "16EiB", str(2**64), "nan", "½GiB"])
@pytest.mark.parametrize("command", ["run", "export", "verify"])
def test_nonsense_sizes_are_usage_errors(command, size):
    support.assert_refused(support.run(command, SMALL, "--memory-limit", size), support.USAGE)


PLAIN = support.base_scenario(
    clients=300_000, horizon=50, server={"capacity": 10_000,
                                         "deduplication": {"kind": "ttl", "ticks": 5}},
    arrivals={"kind": "random", "over": 40},
    policies=[support.policy("p", 2, {"kind": "fixed", "ticks": 9})])
JITTER = support.changed(PLAIN, "/policies/0/jitter", {"kind": "full"})
# Half of the first attempts wait, and so do the records of all later ones; then clients stop.
WAITING = support.base_scenario(
    clients=200_000, clients_per_host=10, horizon=60,
    server={"capacity": 1000, "queue": 100_000, "service_ticks": 3},
    arrivals={"kind": "spread", "over": 20},
    policies=[support.policy("p", 2, {"kind": "fixed", "ticks": 9}, timeout=10,
                             budget={"kind": "tokens", "capacity": 5, "retry_cost": 1})])


@pytest.mark.parametrize("command", ["run", "export", "attempts"])
@pytest.mark.parametrize("scenario", [PLAIN, JITTER, WAITING], ids=["plain", "jitter", "waiting"])
def test_estimate_is_enough_and_not_absurd(write_scenario, command, scenario):
    path = write_scenario(scenario)
    estimate = estimate_of(command, path)
    used = support.peak_kibibytes([command, path, "--memory-limit", f"{estimate}MiB"]) / 1024
    idle = support.peak_kibibytes(["--version"]) / 1024  # the program's own code and libraries
    assert used <= estimate + idle + 2
    assert estimate <= 5 * used


def test_no_memory_left_is_an_error_not_a_crash():
    scenario = support.base_scenario(
        clients=40_000_000, server={"capacity": 1},
        policies=[support.policy("p", 3, {"kind": "list", "ticks": [[1, 2]]})])
    result = support.run(
        "run", "-", "--memory-limit", "1TiB", stdin=json.dumps(scenario),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20)))
    support.assert_refused(result, support.OVER_MEMORY)
