"""`attempts` shows every attempt in words, filtered by client, tick and policy."""
import json
import re

import pytest
import support

PATH = support.SCENARIOS / "lost-responses.json"
COLUMNS = ["tick", "client", "attempt", "what the server did", "the client knows", "next step"]
TIMED_COLUMNS = [*COLUMNS[:4], "its response", *COLUMNS[4:]]


def shown(*arguments, path=PATH, columns=None):
    """{policy: [[cells of a line]]}; a policy without a line has []."""
    result = {}
    for block in support.output_of("attempts", path, *arguments).split("\n\n"):
        name, header, *lines = block.splitlines()
        assert re.split(r" {2,}", header.strip()) == (columns or COLUMNS)
        result[name] = [re.split(r" {2,}", line.strip()) for line in lines
                        if re.match(r" *\d", line)]
    return result


def exported(client=None, tick=None):
    """The same from the export: (tick, client, attempt) of the attempts asked for."""
    document = json.loads(support.output_of("export", PATH))
    return {result["policy"]: [[str(record[member]) for member in ("tick", "client", "attempt")]
                               for record in result["attempts"]
                               if (client is None or record["client"] in client) and
                               (tick is None or record["tick"] in tick)]
            for result in document["results"]}


def numbers(table):
    return {policy: [cells[:3] for cells in lines] for policy, lines in table.items()}


def test_all():
    table = shown()
    assert numbers(table) == exported()
    assert [len(lines) for lines in table.values()] == [26, 26]


@pytest.mark.parametrize("clients", [[0], [7], [3, 0], [0, 0]])
def test_clients(clients):
    arguments = [word for client in clients for word in ("--client", client)]
    assert numbers(shown(*arguments)) == exported(client=clients)


@pytest.mark.parametrize("ticks", [[0], [4, 8], [79], [5]])
def test_ticks(ticks):
    arguments = [word for tick in ticks for word in ("--tick", tick)]
    assert numbers(shown(*arguments)) == exported(tick=ticks)


def test_client_and_tick_and_policy():
    table = shown("--client", 0, "--client", 3, "--tick", 4, "--tick", 8,
                  "--policy", "fixed delay")
    assert numbers(table) == {
        "fixed delay": exported(client=[0, 3], tick=[4, 8])["fixed delay"]}


def test_words():
    # With a fixed delay of 4, client 0 meets the outage, loses a response, and is then served.
    assert shown("--client", 0, "--policy", "fixed delay") == {"fixed delay": [
        ["0", "0", "1", "nothing: it is down", "refused", "retries at tick 4"],
        ["4", "0", "2", "applied the operation", "no response came", "retries at tick 8"],
        ["8", "0", "3", "applied it again: a duplicate", "acknowledged", "done"]]}
    deduplicated = support.SCENARIOS / "lost-responses-deduplicated.json"
    table = shown("--client", 0, "--policy", "fixed delay", path=deduplicated)
    assert table["fixed delay"][-1] == ["8", "0", "3", "suppressed the repetition",
                                        "acknowledged", "done"]


def test_words_for_overload_exhaustion_and_the_horizon(write_scenario):
    scenario = support.base_scenario(
        horizon=4, server={"capacity": 0},
        policies=[support.policy("two", 2), support.policy("slow", 9, {"kind": "fixed",
                                                                       "ticks": 4})])
    table = shown(path=write_scenario(scenario))
    assert table["two"] == [
        ["0", "0", "1", "nothing: over capacity", "refused", "retries at tick 1"],
        ["1", "0", "2", "nothing: over capacity", "refused", "gives up"]]
    [[*_, step]] = table["slow"]
    assert step.startswith("retries at tick 4")
    assert step != "retries at tick 4"  # it says that this is not observed any more


def alone(scenario, write_scenario, timed=True):
    """The cells of each line, but for the client's, of a scenario with one client and policy."""
    [lines] = shown(path=write_scenario(scenario),
                    columns=TIMED_COLUMNS if timed else COLUMNS).values()
    assert all(cells[1] == "0" for cells in lines)
    return [cells[:1] + cells[2:] for cells in lines]


def crash(start, **changes):
    return {"from": start, "ticks": 1, "kind": "crash", **changes}


def test_words_for_service_time_and_late_responses(write_scenario):
    # Service of 5 ticks, a timeout of 3 after which the client tries again at once: both responses
    # are late, and the last one is due at the horizon.
    scenario = support.base_scenario(
        horizon=9, server={"capacity": 1, "service_ticks": 5},
        policies=[support.policy("p", 2, timeout=3)])
    assert alone(scenario, write_scenario) == [
        ["0", "1", "applied the operation", "late, at tick 5", "timed out at tick 3",
         "retries at tick 4"],
        ["4", "2", "applied it again: a duplicate", "under way", "timed out at tick 7",
         "gives up: attempts used up"]]
    scenario["policies"][0]["timeout"] = 5
    assert alone(scenario, write_scenario) == [
        ["0", "1", "applied the operation", "in time", "acknowledged at tick 5", "done"]]
    scenario["policies"][0]["timeout"] = 0  # it does not wait at all
    scenario["horizon"] = 6
    assert alone(scenario, write_scenario) == [
        ["0", "1", "applied the operation", "late, at tick 5", "no response came",
         "retries at tick 1"],
        ["1", "2", "applied it again: a duplicate", "under way", "no response came",
         "gives up: attempts used up"]]


def test_words_for_a_queue(write_scenario):
    # One place, one waiting place, service of 2 ticks. Client 0 is started, 1 waits until tick 1
    # brings the next capacity, 2 finds the queue full.
    scenario = support.base_scenario(
        clients=3, horizon=20, server={"capacity": 1, "service_ticks": 2, "queue": 1},
        policies=[support.policy("p", 2, timeout=5)])
    assert shown(path=write_scenario(scenario), columns=TIMED_COLUMNS) == {"p": [
        ["0", "0", "1", "applied the operation", "in time", "acknowledged at tick 2", "done"],
        ["0", "1", "1", "applied the operation at tick 1", "in time", "acknowledged at tick 3",
         "done"],
        ["0", "2", "1", "nothing: its queue is full", "none", "refused", "retries at tick 1"],
        ["1", "2", "2", "applied the operation at tick 2", "in time", "acknowledged at tick 4",
         "done"]]}
    # While the server works, a retry joins the queue behind the client's own first request.
    scenario = support.base_scenario(
        clients=1, horizon=20, arrivals={"kind": "burst", "at": 1},
        server={"capacity": 1, "queue": 2, "deduplication": {"kind": "forever"},
                "outages": [{"from": 0, "ticks": 9, "kind": "hang"}]},
        policies=[support.policy("p", 3, {"kind": "fixed", "ticks": 3}, timeout=2)])
    assert alone(scenario, write_scenario) == [
        ["1", "1", "applied the operation at tick 9", "late, at tick 9", "timed out at tick 3",
         "retries at tick 6"],
        ["6", "2", "suppressed the repetition at tick 10", "late, at tick 10",
         "timed out at tick 8", "retries at tick 11"],
        ["11", "3", "suppressed the repetition", "in time", "acknowledged", "done"]]


def test_words_for_what_is_dropped(write_scenario):
    # Up again in tick 9, the server drops the first request, whose client gave up in tick 3, and
    # in the same tick starts the second one. The crash comes later.
    scenario = support.base_scenario(
        horizon=20, server={"capacity": 1, "queue": 2, "drop_abandoned": True,
                            "outages": [{"from": 0, "ticks": 9, "kind": "hang"}, crash(12)]},
        policies=[support.policy("p", 3, {"kind": "fixed", "ticks": 3}, timeout=3)])
    assert alone(scenario, write_scenario) == [
        ["0", "1", "dropped it at tick 9: abandoned", "none", "timed out at tick 3",
         "retries at tick 6"],
        ["6", "2", "applied the operation at tick 9", "in time", "acknowledged at tick 9",
         "done"]]
    # A crash drops whatever waits.
    scenario["server"]["outages"].append(crash(2))
    scenario["policies"][0]["attempts"] = 1
    assert alone(scenario, write_scenario) == [
        ["0", "1", "lost it in the crash at tick 2", "none", "timed out at tick 3",
         "gives up: attempts used up"]]


def test_words_for_responses_that_never_come(write_scenario):
    # Crashed in tick 2, lost in tick 4; nothing but a timeout tells the client.
    scenario = support.base_scenario(
        horizon=20, server={"capacity": 1, "service_ticks": 3, "outages": [crash(2)]},
        policies=[support.policy("p", 1, timeout=4)])
    assert alone(scenario, write_scenario) == [
        ["0", "1", "applied the operation", "crashed", "timed out at tick 4",
         "gives up: attempts used up"]]
    scenario["server"]["outages"] = []
    scenario["faults"] = {"response_loss": 1}
    assert alone(scenario, write_scenario)[0][2:5] == [
        "applied the operation", "lost", "timed out at tick 4"]
    scenario["faults"] = {"request_loss": 1}
    assert alone(scenario, write_scenario)[0][2:5] == [
        "nothing: the request was lost", "none", "timed out at tick 4"]
    scenario["faults"] = {}
    scenario["server"]["outages"] = [{"from": 0, "ticks": 1, "kind": "hang"}]
    assert alone(scenario, write_scenario)[0][2:5] == [
        "nothing: it hangs", "none", "timed out at tick 4"]


def test_words_at_the_horizon(write_scenario):
    # Service of 9 ticks, nine ticks observed, and a timeout beyond them.
    scenario = support.base_scenario(
        clients=2, horizon=9, server={"capacity": 1, "service_ticks": 9, "concurrency": 1,
                                      "queue": 1},
        policies=[support.policy("p", 2, timeout=9)])
    assert shown(path=write_scenario(scenario), columns=TIMED_COLUMNS) == {"p": [
        ["0", "0", "1", "applied the operation", "under way", "nothing yet", "still waits"],
        ["0", "1", "1", "nothing yet: it waits", "none", "nothing yet", "still waits"]]}
    scenario["policies"][0]["timeout"] = 8
    assert [cells[-2:] for cells in
            shown(path=write_scenario(scenario), columns=TIMED_COLUMNS)["p"]] == \
        [["timed out at tick 8", "retries at tick 9, not observed"]] * 2


def test_words_for_why_a_client_stops(write_scenario):
    # Nobody is ever served. Client 0 spends its only token; 2 would be due 5 ticks after arrival.
    down = {"capacity": 1, "outages": [{"from": 0, "ticks": 99}]}
    budget = {"kind": "tokens", "capacity": 1, "retry_cost": 1}
    delay = {"kind": "list", "ticks": [2, 3]}
    steps = {}
    for name, changes in {"budget": {"budget": budget}, "deadline": {"deadline": 4},
                          "both": {"budget": budget, "deadline": 4},
                          "ample": {"budget": {**budget, "capacity": 9}, "deadline": 9}}.items():
        scenario = support.base_scenario(
            server=down, policies=[support.policy("p", 3, delay, **changes)])
        lines = alone(scenario, write_scenario, timed=False)
        assert all(cells[2:4] == ["nothing: it is down", "refused"] for cells in lines)
        steps[name] = [cells[-1] for cells in lines]
    assert steps == {
        "budget": ["retries at tick 2", "gives up: no retry budget"],
        "deadline": ["retries at tick 2", "gives up: past its deadline"],
        "both": ["retries at tick 2", "gives up: past its deadline"],  # the deadline comes first
        "ample": ["retries at tick 2", "retries at tick 5", "gives up: attempts used up"]}


def test_words_for_two_reasons_in_one_policy(write_scenario):
    # Two clients of a host with one token: 0 takes it, 1 gets none; then 0 meets its deadline.
    scenario = support.base_scenario(
        clients=2, clients_per_host=2, server={"capacity": 0},
        policies=[support.policy("p", 3, {"kind": "fixed", "ticks": 3}, deadline=4,
                                 budget={"kind": "tokens", "capacity": 1, "retry_cost": 1})])
    assert [(cells[1], cells[-1]) for cells in shown(path=write_scenario(scenario))["p"]] == [
        ("0", "retries at tick 3"), ("1", "gives up: no retry budget"),
        ("0", "gives up: past its deadline")]


def test_words_for_a_breaker(write_scenario):
    scenario = support.base_scenario(
        server={"capacity": 0},
        policies=[support.policy("p", 3, breaker={"window": 1, "failures": 1, "open_ticks": 1,
                                                  "probes": 1})])
    assert [cells[2:] for cells in alone(scenario, write_scenario, timed=False)] == [
        ["nothing: over capacity", "refused", "retries at tick 1"],
        ["nothing: it was never sent", "stopped by its breaker", "retries at tick 2"],
        ["nothing: over capacity", "refused", "gives up: attempts used up"]]


def test_words_for_a_hint(write_scenario):
    scenario = support.base_scenario(
        horizon=99, server={"capacity": 0, "retry_after": 30},
        policies=[support.policy("ignores", 1), support.policy("heeds", 2,
                                                               on_retry_after="replace")])
    table = shown(path=write_scenario(scenario))
    assert [cells[-2:] for cells in table["ignores"]] == [["refused, retry after 30", "gives up"]]
    assert [cells[-2:] for cells in table["heeds"]] == [
        ["refused, retry after 30", "retries at tick 30"],
        ["refused, retry after 30", "gives up: attempts used up"]]


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_columns_align(path):
    for block in support.output_of("attempts", path).split("\n\n"):
        header, *lines = block.splitlines()[1:]
        titles = re.split(r" {2,}", header.strip())
        right_aligned = {"tick", "time", "client", "attempt"}
        for title in right_aligned & set(titles):
            end = header.index(title) + len(title)
            assert all(line[end - 1] != " " and line[end] == " " for line in lines)
        for title in titles[len(right_aligned & set(titles)):]:  # left-aligned
            start = header.index(title)
            assert all(line[start] != " " and line[start - 2:start] == "  " for line in lines)
        assert all(len(re.split(r" {2,}", line.strip())) == len(titles) for line in lines)


def test_columns_align_for_the_longest_words(write_scenario):
    # A server that hangs almost to the end; then it starts both requests of the client.
    last = 2**31 - 2
    scenario = support.base_scenario(
        horizon=last + 1,
        server={"capacity": 2, "queue": 2, "service_ticks": 1, "retry_after": 2**30,
                "outages": [{"from": 0, "ticks": last - 1, "kind": "hang"}]},
        policies=[support.policy("p", 2, timeout=2**29)])
    header, *lines = support.output_of("attempts", write_scenario(scenario)).splitlines()[1:]
    assert [re.split(r" {2,}", line.strip())[3:6] for line in lines] == [
        [f"applied the operation at tick {last - 1}", f"late, at tick {last}",
         f"timed out at tick {2**29}"],
        [f"applied it again at tick {last - 1}: a duplicate", f"late, at tick {last}",
         f"timed out at tick {2**30 + 1}"]]
    for title in TIMED_COLUMNS[3:]:
        start = header.index(title)
        assert all(line[start] != " " and line[start - 2:start] == "  " for line in lines)


@pytest.mark.parametrize("option, value", [
    ("--client", 8), ("--client", 2**32 - 1), ("--client", 2**32), ("--client", 2**64),
    ("--client", -1), ("--client", "x"), ("--client", "1.0"), ("--client", "1e0"),
    ("--client", ""), ("--client", "1 2"), ("--client", "0,1"),
    ("--tick", 80), ("--tick", 2**31 - 1), ("--tick", 2**32), ("--tick", -1), ("--tick", ""),
    ("--tick", "tick"),
])
def test_values_out_of_range_are_usage_errors(option, value):
    support.assert_refused(support.run("attempts", PATH, option, value), support.USAGE)


def test_one_value_out_of_range_among_good_ones():
    result = support.run("attempts", PATH, "--client", 0, "--client", 8)
    message = support.assert_refused(result, support.USAGE)
    assert "8" in message and "7" in message


def test_leading_zeros_do_not_change_the_base():
    # 010 is ten, not eight: refused, or shown as ten.
    result = support.run("attempts", PATH, "--tick", "010")
    assert result.returncode == support.USAGE or \
        result.stdout == support.run("attempts", PATH, "--tick", 10).stdout


@pytest.mark.parametrize("option", ["--client", "--tick", "--policy"])
def test_options_need_a_value(option):
    support.assert_refused(support.run("attempts", PATH, option), support.USAGE)
