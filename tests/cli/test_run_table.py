"""The table of `run`: aligned columns, exact cells, and no control characters."""
import json
import re

import pytest
import support
from run_output import tables_of

CONTROLS = "".join(map(chr, [*range(1, 32), 127, *range(128, 160)]))


@pytest.mark.parametrize("names", [
    ["fixed delay", "bounded jitter"],
    ["a", "b" * 32],
    ["再試行", "リトライ"],
    ["ünïcode", "naïve"],
    ["🌱 seedling", "plain"],
    ["🚀 rocket", "✅ done"],
    ["e\u0301 combining", "plain"],
    ["tab\tbreak\n", "escape \x1b[31m"],
    ["x" * 500, "再" * 300],
], ids=["plain", "uneven", "wide", "accents", "emoji", "later emoji", "combining", "control",
        "long"])
def test_lines_of_a_table_end_in_the_same_column(write_scenario, names):
    scenario = support.base_scenario(policies=[support.policy(name) for name in names])
    tables = tables_of(support.output_of("run", write_scenario(scenario)))
    assert tables
    for lines in tables:
        assert len(lines) == 15
        assert len({support.display_width(line) for line in lines}) == 1, "\n".join(lines)


def test_64_policies_of_8_a_name_are_all_there_and_aligned(write_scenario):
    names = [f"policy {i:02}" for i in range(64)]
    scenario = support.base_scenario(policies=[support.policy(name) for name in names])
    text = support.output_of("run", write_scenario(scenario))
    tables = tables_of(text)
    assert [name for lines in tables for name in re.findall(r"policy \d\d", lines[0])] == names
    for lines in tables:
        assert len({support.display_width(line) for line in lines}) == 1
        assert max(map(support.display_width, lines)) <= 80


def test_every_row(write_scenario):
    # Clients 0 and 1 at tick 0, one place: 0 is served, its response lost; 1 retries at tick 1 and
    # so does 0, which wins and is a duplicate; 1 gets in at tick 2.
    scenario = support.base_scenario(
        clients=2, faults={"first_response_lost": {"every": 2}},
        policies=[support.policy("p", attempts=3)])
    [lines] = tables_of(support.output_of("run", write_scenario(scenario)))
    assert [re.split(r" {2,}", line.strip()) for line in lines] == [
        ["p"],
        ["attempts", "5"],
        ["effects", "3"],
        ["duplicates", "1"],
        ["clients acknowledged", "2"],
        ["clients exhausted", "0"],
        ["clients scheduled", "0"],
        ["applied but unacknowledged", "0"],
        ["amplification", "2.50"],
        ["peak load", "2"],
        ["in tick", "0"],
        ["ticks to acknowledge, p50", "1"],
        ["p90", "2"],
        ["p99", "2"],
        ["max", "2"],
    ]


USUAL = ["attempts", "effects", "  duplicates", "clients acknowledged", "clients exhausted",
         "clients scheduled", "applied but unacknowledged", "amplification", "peak load",
         "  in tick", "ticks to acknowledge, p50", "  p90", "  p99", "  max"]
# Rows that are there where they apply: label, value of a summary, where it stands.
EXTRA = {
    "  short-circuited": ("attempts", lambda summary: summary["short_circuited"]),
    "  requests lost": ("attempts", lambda summary: summary["lost_requests"]),
    "  dropped from the queue": ("attempts", lambda summary: summary["dropped"]),
    "  timed out": ("attempts", lambda summary: summary["timeouts"]),
    "requests started": ("attempts", lambda summary: summary["started"]),
    "  in vain": ("attempts", lambda summary: summary["started"] - summary["acknowledged"]),
    "  responses lost": ("attempts", lambda summary: summary["lost_responses"]),
    "  responses crashed": ("attempts", lambda summary: summary["crashed_responses"]),
    "  responses late": ("attempts", lambda summary: summary["late_responses"]),
    "clients over deadline": ("clients exhausted", lambda summary: summary["deadline_exceeded"]),
    "clients out of budget": ("clients exhausted", lambda summary: summary["budget_denied"]),
    "clients awaiting": ("clients exhausted", lambda summary: summary["awaiting"]),
}


def with_extra(labels):
    """All labels in order, if these are the extra ones."""
    return [label for usual in USUAL for label in
            [usual, *(extra for extra in EXTRA if EXTRA[extra][0] == usual and extra in labels)]]


def rows_of(text):
    """[(label, [a cell for each policy])] of the only table."""
    [lines] = tables_of(text)
    return [(re.split(r"(?<=\S) {2,}", line)[0], re.split(r" {2,}", line.strip())[1:])
            for line in lines[1:]]


def extra_rows(write_scenario, **changes):
    """The labels of the rows beyond the usual ones."""
    labels = [label for label, _ in rows_of(support.output_of("run", write_scenario(
        support.base_scenario(**changes))))]
    assert labels == with_extra(labels)
    return set(labels) - set(USUAL)


TIME = {"  timed out", "requests started", "  in vain", "  responses late", "clients awaiting"}


def test_no_extra_rows_where_every_attempt_is_decided_at_once(write_scenario):
    for changes in [
            {"server": {"capacity": 0}}, {"faults": {"first_response_lost": {"every": 1}}},
            {"server": {"capacity": 1, "concurrency": 1, "discipline": "lifo",
                        "drop_abandoned": True, "retry_after": 3,
                        "deduplication": {"kind": "ttl", "ticks": 1},
                        "outages": [{"from": 1, "ticks": 2, "kind": "crash"}]}},
            {"clients": 9, "clients_per_host": 4,
             "policies": [support.policy("p", timeout=0, max_delay=1)]}]:
        assert extra_rows(write_scenario, **changes) == set()


def test_rows_of_a_feature_are_there_also_where_it_does_nothing(write_scenario):
    # One client, which is acknowledged at once.
    def rows(policy=None, faults=None, **server):
        return extra_rows(write_scenario, server={"capacity": 1, **server}, faults=faults or {},
                          policies=[support.policy("p", **{"timeout": 0, **(policy or {})})])

    late = [{"from": 9, "ticks": 1, "kind": "hang"}, {"from": 9, "ticks": 1, "kind": "crash"}]
    assert rows(service_ticks=1, policy={"timeout": 1}) == TIME
    assert rows(queue=1) == rows({"timeout": 1}) == TIME
    assert rows(queue=1, outages=late) == TIME | {"  requests lost", "  responses crashed"}
    assert rows(queue=1, drop_abandoned=True) == TIME | {"  dropped from the queue"}
    assert rows({"deadline": 5}) == {"clients over deadline"}
    assert rows({"budget": {"kind": "tokens", "capacity": 0}}) == {"clients out of budget"}
    assert rows({"breaker": {"window": 1, "failures": 1, "open_ticks": 1, "probes": 1}}) == \
        {"  short-circuited"}
    assert rows(faults={"request_loss": 0.0001}) == {"  requests lost"}
    assert rows(faults={"response_loss": 0.0001}) == {"  responses lost"}
    assert rows(capacity_window=2) == rows(tie_break="random") == set()


def test_what_happened_is_told_whatever_is_used(write_scenario):
    # A budget alone: its client's lost response is a timeout, and its request was started in vain.
    policies = [support.policy("p", budget={"kind": "tokens", "capacity": 9})]
    changes = {"faults": {"first_response_lost": {"every": 1}}, "policies": policies}
    assert extra_rows(write_scenario, **changes) == {
        "clients out of budget", "  timed out", "requests started", "  in vain",
        "  responses lost"}


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_cells_are_those_of_the_summaries(path):
    results = json.loads(support.output_of("run", path, "--format", "json"))["results"]
    summaries = [result["summary"] for result in results]
    members = {"clients acknowledged": "acknowledged", "clients exhausted": "exhausted",
               "clients scheduled": "scheduled", "  duplicates": "duplicate_effects",
               "applied but unacknowledged": "applied_unacknowledged"}
    labels = set()
    header = None
    for lines in tables_of(support.output_of("run", path)):
        columns = len(re.split(r" {3,}", lines[0].strip()))  # of this part of a wide table
        begin = 0 if header is None else header
        header = begin + columns
        for line in lines[1:]:
            label = re.split(r"(?<=\S) {2,}", line)[0]
            labels.add(label)
            value = EXTRA[label][1] if label in EXTRA else \
                lambda summary, member=members.get(label, label): summary.get(member)
            values = list(map(value, summaries[begin:header]))
            if None not in values and label != "peak load":
                cells = re.split(r" {2,}", line.strip())[1:]
                assert cells == [f"{number:,}".replace(",", " ") for number in values], label
    assert header == len(summaries)
    assert ("requests started" in labels) == ("  in vain" in labels)
    for label in set(EXTRA) - {"requests started"}:
        assert label in labels or not any(map(EXTRA[label][1], summaries)) or \
            labels == set(USUAL)


def test_figures_worked_out_by_hand():
    # Service of 6 ticks, a client every 3 ticks, crashes at 8 and 29. Clients 1 and 2, and 8 and
    # 9, are in service then: their responses are crashed, they time out after 8 ticks and try again
    # 4 ticks later. Clients 3 and 10 meet a server that is down, and try again 4 ticks later. The
    # second crash loses the keys, so the repetitions of 8 and 9 are duplicates. Six clients need 6
    # ticks, 3 and 10 have waited 4, and 1, 2, 8 and 9 have waited 12 more.
    rows = rows_of(support.output_of("run", support.SCENARIOS / "crash-loses-keys.json"))
    assert [(label, *cells) for label, cells in rows] == [
        ("attempts", "18"), ("  timed out", "4"), ("requests started", "16"), ("  in vain", "4"),
        ("  responses crashed", "4"), ("  responses late", "0"), ("effects", "14"),
        ("  duplicates", "2"), ("clients acknowledged", "12"), ("clients exhausted", "0"),
        ("clients awaiting", "0"), ("clients scheduled", "0"),
        ("applied but unacknowledged", "0"), ("amplification", "1.50"), ("peak load", "2"),
        ("  in tick", "15"), ("ticks to acknowledge, p50", "6"), ("  p90", "18"),
        ("  p99", "18"), ("  max", "18")]


@pytest.mark.parametrize("changes, words", [
    ({}, "1 client, 10 ticks, capacity 1 a tick"),
    ({"name": "x", "clients": 2000, "horizon": 1}, "x: 2 000 clients, 1 tick, capacity 1 a tick"),
    ({"server": {"capacity": 50, "capacity_window": 1000}},
     "1 client, 10 ticks, capacity 50 in 1 000 ticks"),
    ({"server": {"capacity": 1, "queue": 400}},
     "1 client, 10 ticks, capacity 1 a tick, queue 400"),
    ({"server": {"capacity": 1, "queue": 4, "discipline": "lifo"}},
     "1 client, 10 ticks, capacity 1 a tick, queue 4 (lifo)"),
    ({"server": {"capacity": 1, "service_ticks": 1}},
     "1 client, 10 ticks, capacity 1 a tick, service 1 tick"),
    ({"server": {"capacity": 9, "capacity_window": 2, "service_ticks": 3, "concurrency": 4,
                 "queue": 5}},
     "1 client, 10 ticks, capacity 9 in 2 ticks, service 3 ticks, 4 at once, queue 5"),
    ({"server": {"capacity": 1, "concurrency": 4, "discipline": "lifo"}},  # both without effect
     "1 client, 10 ticks, capacity 1 a tick"),
    ({"clients": 7, "clients_per_host": 3}, "7 clients, 10 ticks, capacity 1 a tick"),
    ({"clients": 7, "clients_per_host": 3, "policies": [support.policy(
        "p", timeout=0, budget={"kind": "tokens", "capacity": 1})]},
     "7 clients on 3 hosts, 10 ticks, capacity 1 a tick"),
    ({"clients": 7, "clients_per_host": 7, "policies": [support.policy(
        "p", timeout=0,
        breaker={"window": 1, "failures": 1, "open_ticks": 1, "probes": 1})]},
     "7 clients on 1 host, 10 ticks, capacity 1 a tick"),
], ids=str)
def test_headline(write_scenario, changes, words):
    scenario = support.base_scenario(
        **{"policies": [support.policy("p", timeout=0)], **changes})
    text = support.output_of("run", write_scenario(scenario))
    assert text.split("\n\n")[0].replace("\n", " ") == words


def test_nobody_acknowledged_shows_no_time(write_scenario):
    scenario = support.base_scenario(server={"capacity": 0})
    [lines] = tables_of(support.output_of("run", write_scenario(scenario)))
    assert [line.split()[-1] for line in lines[-4:]] == ["-"] * 4


@pytest.mark.parametrize("command", ["run", "attempts"])
def test_no_control_character_of_a_name_is_shown(write_scenario, command):
    scenario = support.base_scenario(
        name=CONTROLS, description=CONTROLS,
        policies=[support.policy(CONTROLS), support.policy("\x1b]0;title\x07\x1b[2J")])
    text = support.output_of(command, write_scenario(scenario))
    assert support.control_characters(text) == []


def test_no_control_character_of_a_name_is_in_messages(write_scenario):
    path = write_scenario(support.base_scenario(policies=[support.policy("\x1b[31m")]))
    result = support.run("run", path, "--policy", "\x1b[32m\x9b\x07")
    message = support.assert_refused(result, support.USAGE)
    assert support.control_characters(message) == []


def test_no_control_character_of_a_file_name_is_in_messages(tmp_path):
    result = support.run("run", tmp_path / "\x1b[31m")
    message = support.assert_refused(result, support.INPUT_OUTPUT)
    assert support.control_characters(message) == []


def test_no_control_character_of_an_argument_is_in_messages():
    for arguments in [["\x1b[31m"], ["new", "\x1b[31m"], ["run", "x", "--format", "\x1b[31m"],
                      ["run", "x", "--\x1b[31m"]]:
        message = support.assert_refused(support.run(*arguments), support.USAGE)
        assert support.control_characters(message) == [], arguments


@pytest.mark.parametrize("text", [
    '{"\\u001b[31m": 1}', '{"retrygarden": "\\u001b[31m"}', '{"\\u009b": "\\u0007"}',
    '{"a": \x1b[31m}', '\x9b', '{"a\x1b": 1}', '{"x": 1e\x1b[31m}', '["\\u001b", "\x07"]',
])
def test_no_control_character_of_a_bad_scenario_is_in_messages(text):
    message = support.assert_refused(support.check_text(text), support.INVALID_INPUT)
    assert support.control_characters(message) == []
