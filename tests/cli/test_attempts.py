"""`attempts` shows every attempt in words, filtered by client, tick and policy."""
import json
import re

import pytest
import support

PATH = support.SCENARIOS / "lost-responses.json"


def shown(*arguments, path=PATH):
    """{policy: [[cells of a line]]}; a policy without a line has []."""
    result = {}
    for block in support.output_of("attempts", path, *arguments).split("\n\n"):
        name, header, *lines = block.splitlines()
        assert re.split(r" {2,}", header.strip()) == [
            "tick", "client", "attempt", "what the server did", "the client knows", "next step"]
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


def test_columns_align():
    lines = support.output_of("attempts", support.SCENARIOS / "horizon.json").splitlines()[1:]
    header = lines[0]
    for title in ("tick", "client", "attempt"):  # right-aligned
        end = header.index(title) + len(title)
        assert all(line[end - 1].isdigit() and line[end] == " " for line in lines[1:])
    for title in ("what the server did", "the client knows", "next step"):  # left-aligned
        start = header.index(title)
        assert all(line[start] != " " and line[start - 1] == " " for line in lines[1:])


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
