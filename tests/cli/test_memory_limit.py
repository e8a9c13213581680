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


@pytest.mark.parametrize("command", ["run", "export"])
@pytest.mark.parametrize("jitter", ["none", "full"])
def test_estimate_is_enough_and_not_absurd(write_scenario, command, jitter):
    scenario = support.base_scenario(
        clients=300_000, horizon=50, server={"capacity": 10_000,
                                             "deduplication": {"kind": "ttl", "ticks": 5}},
        arrivals={"kind": "random", "over": 40},
        policies=[support.policy("p", 2, {"kind": "fixed", "ticks": 9},
                                 jitter={"kind": jitter})])
    path = write_scenario(scenario)
    refused = support.run(command, path, "--memory-limit", "1MiB")
    estimate = int(re.search(r"(\d+) MiB", support.assert_refused(
        refused, support.OVER_MEMORY)).group(1))
    used = support.peak_kibibytes([command, path, "--memory-limit", f"{estimate}MiB"]) / 1024
    idle = support.peak_kibibytes(["--version"]) / 1024  # the program's own code and libraries
    assert used <= estimate + idle + 2
    assert estimate <= 4 * used


def test_no_memory_left_is_an_error_not_a_crash():
    scenario = support.base_scenario(clients=20_000_000)
    result = support.run(
        "run", "-", "--memory-limit", "1TiB", stdin=json.dumps(scenario),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20)))
    support.assert_refused(result, support.OVER_MEMORY)
