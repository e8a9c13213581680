"""The chart of `run`: fits every terminal, shows the load where it is, marks capacity and outages.
"""
import json
import re

import pytest
import support
from run_output import WIDTHS, blocks_after_tables, charts, note, run_in_terminal

BARS = " ▁▂▃▄▅▆▇█"
LARGEST_TICK = 2**31 - 1


def chart_part(text):
    """The lines after the tables of summaries."""
    return [line for block in blocks_after_tables(text) for line in [*block, ""]]


class Panel:
    """One of the charts under each other: its rows, top first, and its rule."""

    def __init__(self, lines):
        *rows, rule = lines
        self.labels = [row.split("│", 1)[0].strip() for row in rows]
        self.rows = [row.split("│", 1)[1] for row in rows]
        self.label_below, self.rule = re.split("[├└]", rule, maxsplit=1)
        self.name = self.label_below.strip()
        self.start = len(self.label_below) + 1  # the column of the first bar

    def eighths(self, column):
        """The height of a bar."""
        return sum(max(0, BARS.find(row[column])) for row in self.rows if column < len(row))


def axis(chart):
    """The labels of the ticks. Times may stand below."""
    return next(line for line in chart[-2:] if line.split()[0] == "tick")


def panels(chart):
    """The panels of a chart, which has a title above and the labels of the time axis below."""
    result, lines = [], []
    for line in chart[1:chart.index(axis(chart))]:
        lines.append(line)
        if re.search("[├└]", line):
            result.append(Panel(lines))
            lines = []
    assert lines == []
    return result


def rows(text):
    """The rows of the first panel, and its rule."""
    first = panels(charts(text)[0])[0]
    return first.rows, first.rule


def scenarios():
    plain = support.base_scenario()
    names = ["再試行" * 40, "\x1b[31m" * 40, "n" * 1000, "🌱" * 100, "\u009b\t\n"]
    jitter = {"kind": "exponential", "base": 1000, "multiplier": 7, "cap": 2**30}
    return {
        "one client": plain,
        "one tick": support.base_scenario(horizon=1),
        "capacity 0": support.base_scenario(server={"capacity": 0}),
        "capacity above the chart": support.base_scenario(server={"capacity": 2**32 - 1}),
        "capacity as high as the chart": support.base_scenario(clients=5,
                                                               server={"capacity": 5}),
        "largest horizon": support.base_scenario(
            horizon=LARGEST_TICK, server={"capacity": 0},
            policies=[support.policy("p", 100, jitter)]),
        "largest horizon, capacity above the chart": support.base_scenario(
            horizon=LARGEST_TICK, faults={"first_response_lost": {"every": 1}},
            server={"capacity": 2**32 - 1},
            policies=[support.policy("p", 100, {"kind": "fixed", "ticks": 2**30})]),
        "first attempt in the last tick": support.base_scenario(
            horizon=LARGEST_TICK, arrivals={"kind": "burst", "at": LARGEST_TICK - 1}),
        "large load": support.base_scenario(
            clients=1_000_000, horizon=100, server={"capacity": 123_456},
            policies=[support.policy("p", 2**32 - 1)]),
        "64 policies": support.base_scenario(
            policies=[support.policy(f"policy {i}") for i in range(64)]),
        "names": support.base_scenario(
            name="名前" * 100 + "\x1b[1m",
            policies=[support.policy(name) for name in names]),
        "outages": support.base_scenario(
            clients=10, horizon=1000,
            server={"capacity": 1, "outages": [{"from": 0, "ticks": 300}, {"from": 100,
                                                                          "ticks": 2**31 - 1}]},
            policies=[support.policy("p", 2**32 - 1, {"kind": "fixed", "ticks": 7})]),
        "outages of all kinds": support.base_scenario(
            horizon=30, server={"capacity": 1, "outages": [
                {"from": 10 * i, "ticks": 5, "kind": kind}
                for i, kind in enumerate(("crash", "hang", "refuse"))]},
            policies=[support.policy("p", timeout=0)]),
        "large load in a queue": support.base_scenario(
            clients=1_000_000, horizon=100,
            server={"capacity": 123_456, "capacity_window": 7, "queue": 2**32 - 1,
                    "service_ticks": 3, "concurrency": 2**32 - 1, "discipline": "lifo"},
            policies=[support.policy("p", 3, timeout=5)]),
        "largest window": support.base_scenario(
            horizon=LARGEST_TICK, server={"capacity": 2**32 - 1, "capacity_window": LARGEST_TICK},
            policies=[support.policy("p", 100, {"kind": "fixed", "ticks": 2**30})]),
        "largest window, large capacity": support.base_scenario(
            clients=100_000, horizon=10,
            server={"capacity": 2**32 - 1, "capacity_window": 123_456_789}),
        "largest service": support.base_scenario(
            clients=9, horizon=LARGEST_TICK, clients_per_host=2**32 - 1,
            server={"capacity": 2**32 - 1, "service_ticks": 2**30, "concurrency": 5,
                    "queue": 2**32 - 1},
            policies=[support.policy("p", 9, timeout=2**30, breaker={
                "window": 1, "failures": 1, "open_ticks": 2**30, "probes": 1})]),
        "everything is lost": support.base_scenario(
            server={"capacity": 1, "queue": 1}, faults={"request_loss": 1},
            policies=[support.policy("p", timeout=1)]),
    }


SCENARIOS = scenarios()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_line_of_the_chart_is_wider_than_the_terminal(write_scenario, name, width):
    text = run_in_terminal(width, "run", write_scenario(SCENARIOS[name]))
    lines = chart_part(text)
    assert sum("└" in line for line in lines) == len(SCENARIOS[name]["policies"])
    assert [line for line in lines if support.display_width(line) > width] == []
    assert support.control_characters(text) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_80_columns_where_there_is_no_terminal(write_scenario, name):
    path = write_scenario(SCENARIOS[name])
    text = support.output_of("run", path)
    assert text == run_in_terminal(80, "run", path)
    assert [line for line in text.splitlines() if support.display_width(line) > 80] == []


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_golden_scenarios_fit_the_terminal_table_included(path, width):
    text = run_in_terminal(width, "run", path)
    assert [line for line in text.splitlines() if support.display_width(line) > width] == []


def test_a_wider_terminal_gives_a_wider_chart():
    path = support.SCENARIOS / "horizon.json"
    widths = [len(rows(run_in_terminal(width, "run", path))[1]) for width in WIDTHS]
    assert widths == sorted(widths)
    assert widths[0] < 40 < widths[-1]


def test_bars_stand_where_the_load_is():
    # 80 columns, 13 of them labels: a column a tick up to the last attempt, in tick 60. The loads
    # are 80, 79, 78, 77, so with 8 rows of eighths 64, 63.2, 62.4, 61.6 eighths, rounded up.
    bars, rule = rows(support.output_of("run", support.SCENARIOS / "horizon.json"))
    assert len(bars) == 8
    assert len(rule) == 61
    eighths = [sum(BARS.find(row[tick]) for row in bars if BARS.find(row[tick]) > 0)
               for tick in (0, 20, 40, 60)]
    assert eighths == [64, 64, 63, 62]
    for tick in set(range(61)) - {0, 20, 40, 60}:
        assert {row[tick] for row in bars if len(row) > tick} <= {" ", "┄"}


def time_axis(text, scenario, last_tick):
    """(columns a tick, ticks a column) of the charts; one of the two is 1."""
    columns = len(rows(text)[1])
    words = " ".join(text.split())  # the note is wrapped
    if compressed := re.search(r"highest of ([\d ]+) ticks in each column", words):
        return 1, int(compressed.group(1).replace(" ", ""))
    for end in (scenario["horizon"], last_tick + 1):
        if columns >= end and columns % end == 0:
            return columns // end, 1
    raise AssertionError("columns and ticks do not go into each other")


def values_of(load, scenario):
    """{panel: {tick: its value}} of the records of load, in the order of the panels."""
    values = {"load": {row["tick"]: row["accepted"] + row["overloaded"] + row["unavailable"]
                       for row in load}}
    server = scenario["server"]
    if server["service_ticks"] or server["queue"] or \
            any(policy["timeout"] for policy in scenario["policies"]):
        values["goodput"] = {row["tick"]: row["acknowledged"] for row in load}
    if server["queue"]:
        values["queued"] = {row["tick"]: row["queued"] for row in load}
    return values


def highest_by_column(values, name, columns, per_tick, per_column):
    """The highest value in the ticks of each column. Who waits goes on waiting where no record is."""
    highest = dict.fromkeys(range(0, columns, per_tick), 0)
    for tick, value in values.items():
        column = tick // per_column * per_tick
        highest[column] = max(highest[column], value)
    if name == "queued":
        for column in highest:
            begin = column // per_tick * per_column
            before = max((tick for tick in values if tick < begin), default=None)
            if begin not in values and before is not None:
                highest[column] = max(highest[column], values[before])
    return highest


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_heights_and_labels_of_golden_scenarios(path, width):
    document = json.loads(support.output_of("run", path, "--format", "json"))
    scenario = document["scenario"]
    runs = [values_of(result["load"], scenario) for result in document["results"]]
    names = list(runs[0])
    tops = {name: max(max(run[name].values()) for run in runs) for name in names}
    text = run_in_terminal(width, "run", path)
    per_tick, per_column = time_axis(text, scenario, max(max(run["load"]) for run in runs))
    assert len(charts(text)) == len(runs)
    for chart, run in zip(charts(text), runs):
        shown = panels(chart)
        assert [len(panel.rows) for panel in shown] == [8, 3, 3][:len(names)]
        assert len(names) == 1 or [panel.name for panel in shown] == names
        assert len({panel.rule for panel in shown}) == 1
        for name, panel in zip(names, shown):
            highest = highest_by_column(run[name], name, len(panel.rule), per_tick, per_column)
            for column, most in highest.items():
                height = panel.eighths(column)
                assert (height > 0) == (most > 0), (name, column)
                assert abs(height - 8 * len(panel.rows) * most / max(tops[name], 1)) < 1
            assert panel.labels[0] == f"{tops[name]:,}".replace(",", " ") or \
                "capacity" in panel.labels[0]
        assert axis(chart).split()[:2] == ["tick", "0"]
        for label in re.finditer(r"\d+", axis(chart)):
            tick = (label.start() - shown[0].start) // per_tick * per_column
            assert tick <= int(label.group()) < tick + per_column


def test_capacity_is_marked_in_its_row(write_scenario):
    # Peak 8, eight rows: capacity c is the row c from below.
    for capacity in range(1, 9):
        scenario = support.base_scenario(clients=8, server={"capacity": capacity}, horizon=30)
        lines = [line for line in chart_part(support.output_of("run", write_scenario(scenario)))
                 if "│" in line]
        labels = [line.split("│")[0].strip() for line in lines]
        assert [i for i, label in enumerate(labels) if "capacity" in label] == [8 - capacity]
        assert f"capacity {capacity}" in labels
        assert ["┄" in line for line in lines] == [i == 8 - capacity for i in range(8)]


def test_capacity_above_the_chart_is_named(write_scenario):
    scenario = support.base_scenario(server={"capacity": 1234567})
    text = support.output_of("run", write_scenario(scenario))
    assert "┄" not in text
    assert note(text) == "Attempts per tick. The capacity, 1 234 567 a tick, is above the chart."


def test_outages_are_marked_where_they_are(write_scenario):
    # As many columns as ticks or a multiple of that, so a tick's columns are told by division.
    outages = [{"from": 3, "ticks": 2}, {"from": 10, "ticks": 1}]
    scenario = support.base_scenario(
        horizon=15, clients=30, server={"capacity": 1, "outages": outages},
        policies=[support.policy("p", 2**32 - 1)])
    for width in (40, 80, 200):
        text = run_in_terminal(width, "run", write_scenario(scenario))
        _, rule = rows(text)
        per_tick, rest = divmod(len(rule), 15)
        assert per_tick >= 1 and rest == 0
        assert [rule[i * per_tick:(i + 1) * per_tick] for i in range(15)] == \
            [("▒" if i in (3, 4, 10) else "─") * per_tick for i in range(15)]
        assert "▒ down" in text


def test_no_outage_no_mark():
    assert "▒" not in support.output_of("run", support.SCENARIOS / "horizon.json")


def test_all_policies_have_the_same_scale():
    text = support.output_of("run", support.SCENARIOS / "lost-responses.json")
    rules = [line for line in chart_part(text) if "└" in line]
    assert len(rules) == 2
    assert rules[0] == rules[1]


def test_highest_label_is_the_peak_load():
    path = support.SCENARIOS / "capacity.json"
    summaries = json.loads(support.output_of("run", path, "--format", "json"))["results"]
    peak = max(result["summary"]["peak_load"]["requests"] for result in summaries)
    top = next(line for line in chart_part(support.output_of("run", path)) if "│" in line)
    assert top.split("│")[0].strip() == str(peak)


def test_a_lonely_attempt_in_a_large_load_is_still_visible(write_scenario):
    # Client 0 is served in tick 0 but loses the response: a single attempt in tick 20.
    scenario = support.base_scenario(
        clients=100_000, horizon=40, server={"capacity": 2**32 - 1},
        faults={"first_response_lost": {"every": 2**32 - 1}},
        policies=[support.policy("p", delay={"kind": "fixed", "ticks": 20})])
    bars, rule = rows(support.output_of("run", write_scenario(scenario)))
    per_tick = len(rule) // 40 if len(rule) >= 40 else 1
    assert [row[20 * per_tick:20 * per_tick + 1] for row in bars] == [""] * 7 + ["▁"]


STORM = support.PUBLISHED / "retry-storm.json"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_collapse_is_seen(width):
    # 4000 clients over 1000 ticks, capacity 5, a queue of 400, a hang in ticks 100 to 159. Every
    # client before it is acknowledged at once, 400 in all; nobody is afterwards, as published.
    text = run_in_terminal(width, "run", STORM)
    load, goodput, queued = panels(charts(text)[0])
    ticks = int(re.search(r"the highest of (\d+) ticks in each column", note(text)).group(1))
    before, after, arrived = 100 // ticks, 160 // ticks + 1, 1000 // ticks
    assert all(goodput.eighths(column) == 3 * 8 for column in range(before))
    assert not any(goodput.eighths(column) for column in range(before + 1, len(goodput.rule)))
    assert goodput.labels == ["4", "", ""]  # 4000 clients over 1000 ticks
    assert all(queued.eighths(column) == 0 for column in range(before))
    assert all(queued.eighths(column) > 2 * 8 for column in range(after, arrived))
    assert queued.labels == ["400", "", ""]
    [capacity_row] = [row for row, label in enumerate(load.labels) if label == "capacity 5"]
    assert all(load.rows[capacity_row][column] == "█" for column in range(after, arrived))
    hangs = [column for column, mark in enumerate(load.rule) if mark == "░"]
    assert hangs == list(range(100 // ticks, 159 // ticks + 1))
    assert set(load.rule) == {"─", "░"}


@pytest.mark.parametrize("name", ["retry-storm-budget", "retry-storm-breaker"])
def test_the_same_outage_without_a_collapse(name):
    # A budget or a breaker: clients are acknowledged as fast as they arrive, and nobody waits.
    _, goodput, queued = panels(charts(
        support.output_of("run", support.PUBLISHED / f"{name}.json"))[0])
    assert goodput.labels[0] == "5"  # all that the server can do; 4 clients arrive in a tick
    last = range(len(goodput.rule) - 10, len(goodput.rule))
    assert all(goodput.eighths(column) >= 4 / 5 * 3 * 8 for column in last)
    assert not any(queued.eighths(column) for column in last)


def test_panels_that_apply(write_scenario):
    def names(policies=None, **server):
        scenario = support.base_scenario(
            server={"capacity": 1, **server},
            policies=policies or [support.policy("p", timeout=0)])
        return [panel.name for panel in panels(charts(
            support.output_of("run", write_scenario(scenario)))[0])]

    assert names() == [""]
    assert names(capacity_window=2) == names(retry_after=5) == names(tie_break="random") == [""]
    assert names(service_ticks=1) == ["load", "goodput"]
    assert names(queue=1) == ["load", "goodput", "queued"]
    assert names([support.policy("p", timeout=0), support.policy("q", timeout=1)]) == \
        ["load", "goodput"]


def test_who_waits_is_shown_where_nothing_else_happens(write_scenario):
    # Three clients arrive while the server hangs for good: they wait until the end.
    scenario = support.base_scenario(
        clients=3, horizon=20, arrivals={"kind": "burst", "at": 2},
        server={"capacity": 1, "queue": 5, "outages": [{"from": 0, "ticks": 99, "kind": "hang"}]},
        policies=[support.policy("p", 1, timeout=99)])
    load, goodput, queued = panels(charts(support.output_of("run", write_scenario(scenario)))[0])
    per_tick = len(queued.rule) // 20
    assert [queued.eighths(tick * per_tick) for tick in range(20)] == [0] * 2 + [24] * 18
    assert [load.eighths(tick * per_tick) for tick in range(20)] == [0] * 2 + [64] + [0] * 17
    assert not any(goodput.eighths(column) for column in range(len(goodput.rule)))
    assert [panel.labels[0] for panel in (goodput, queued)] == ["0", "3"]


def test_who_waits_is_shown_in_a_very_long_run(write_scenario):
    # More ticks than the chart keeps apart: a request waits from tick 0 on, another one from tick
    # 2^30 on, when the first has long given up.
    scenario = support.base_scenario(
        clients=2, horizon=LARGEST_TICK, arrivals={"kind": "spread", "over": LARGEST_TICK},
        server={"capacity": 0, "queue": 5}, policies=[support.policy("p", 1, timeout=1)])
    _, _, queued = panels(charts(support.output_of("run", write_scenario(scenario)))[0])
    columns = len(queued.rule)
    assert [queued.eighths(column) for column in range(columns)] == [12] * (columns - 1) + [24]


def test_load_is_what_reaches_the_server(write_scenario):
    # Four clients of one host. The breaker opens in tick 0, when all fail, for ticks 1 to 5: the
    # attempts of ticks 2 and 4 are stopped; in tick 6 one of them is let through as a probe.
    scenario = support.base_scenario(
        clients=4, clients_per_host=4, horizon=8,
        server={"capacity": 1, "outages": [{"from": 0, "ticks": 9}]},
        policies=[support.policy("p", 9, {"kind": "fixed", "ticks": 2}, breaker={
            "window": 1, "failures": 1, "open_ticks": 5, "probes": 1})])
    text = support.output_of("run", write_scenario(scenario))
    [load] = panels(charts(text)[0])
    per_tick = len(load.rule) // 8
    assert [load.eighths(tick * per_tick) for tick in range(8)] == [64, 0, 0, 0, 0, 0, 16, 0]
    assert note(text) == "Requests that reach the server, per tick."
    lost = support.base_scenario(clients=4, server={"capacity": 2}, faults={"request_loss": 1})
    text = support.output_of("run", write_scenario(lost))
    [load] = panels(charts(text)[0])
    assert not any(load.eighths(column) for column in range(len(load.rule)))
    assert load.labels[0] == "0"
    assert note(text).startswith("Requests that reach the server, per tick.")


@pytest.mark.parametrize("kind, mark, words", [("refuse", "▒", "▒ down"), ("hang", "░", "░ hangs"),
                                               ("crash", "▓", "▓ crashed")])
def test_a_mark_for_each_kind_of_outage(write_scenario, kind, mark, words):
    scenario = support.base_scenario(
        horizon=10, server={"capacity": 1, "outages": [{"from": 3, "ticks": 2, "kind": kind}]},
        policies=[support.policy("p", timeout=0)])
    text = support.output_of("run", write_scenario(scenario))
    [load] = panels(charts(text)[0])
    per_tick = len(load.rule) // 10
    assert load.rule == "".join((mark if tick in (3, 4) else "─") * per_tick
                                for tick in range(10))
    assert load.name == words  # beside the rule, so the note need not tell
    assert words not in note(text)
    scenario["policies"][0]["timeout"] = 1
    text = support.output_of("run", write_scenario(scenario))
    assert {panel.rule for panel in panels(charts(text)[0])} == {load.rule}
    assert note(text).endswith(f" On the time axis: {words}.")


def test_marks_where_outages_overlap(write_scenario):
    # A crashed server is down, and a server that is down does not hang.
    outages = [{"from": 1, "ticks": 6, "kind": "hang"}, {"from": 2, "ticks": 4},
               {"from": 3, "ticks": 2, "kind": "crash"}]
    scenario = support.base_scenario(
        horizon=8, server={"capacity": 1, "outages": outages},
        policies=[support.policy("p", timeout=0)])
    for order in (outages, outages[::-1]):
        scenario["server"]["outages"] = order
        text = support.output_of("run", write_scenario(scenario))
        [load] = panels(charts(text)[0])
        per_tick = len(load.rule) // 8
        assert load.rule[::per_tick] == "─░▒▓▓▒░─"
        assert load.name == ""  # there is no room for three beside the rule
        assert note(text).endswith("On the time axis: ░ hangs, ▒ down, ▓ crashed.")


@pytest.mark.parametrize("server, row, words", [
    ({"capacity": 20, "capacity_window": 10}, 2, "20 requests in 10 ticks"),
    ({"capacity": 5, "capacity_window": 2}, 3, "5 requests in 2 ticks"),  # 2.5 a tick
    ({"capacity": 1, "capacity_window": 9}, 1, "1 request in 9 ticks"),
    ({"capacity": 80, "capacity_window": 10}, 8, "80 requests in 10 ticks"),
    # 12 requests at once for 3 ticks each are fewer than 8 a tick; 24 are not.
    ({"capacity": 8, "service_ticks": 3, "concurrency": 12}, 4, "12 requests in 3 ticks"),
    ({"capacity": 8, "service_ticks": 3, "concurrency": 24}, 8, None),
    ({"capacity": 8, "service_ticks": 1, "concurrency": 2}, 2, "2 requests in 1 tick"),
    ({"capacity": 8, "service_ticks": 0, "concurrency": 1}, 8, None),
    ({"capacity": 40, "capacity_window": 10, "service_ticks": 5, "concurrency": 15}, 3,
     "15 requests in 5 ticks"),
    ({"capacity": 40, "capacity_window": 10, "service_ticks": 5, "concurrency": 25}, 4,
     "40 requests in 10 ticks"),
], ids=str)
def test_capacity_that_is_no_number_a_tick(write_scenario, server, row, words):
    # Peak 8, eight rows: a request a row. Marked is what the server can start in the long run.
    scenario = support.base_scenario(clients=8, horizon=30, server=server,
                                     policies=[support.policy("p", timeout=0)])
    text = support.output_of("run", write_scenario(scenario))
    load, *others = panels(charts(text)[0])
    assert [8 - i for i, text in enumerate(load.rows) if "┄" in text] == [row]
    assert load.labels[8 - row] == ("mean capacity" if words else "capacity 8")
    assert not any("┄" in row for panel in others for row in panel.rows)
    sentence = f" Mean capacity: {words}; a single tick can take more."
    assert (sentence in note(text)) == bool(words)
    assert ("ean capacity" in note(text)) == bool(words)


def test_mean_capacity_above_the_chart_is_named(write_scenario):
    scenario = support.base_scenario(server={"capacity": 9000, "capacity_window": 8999})
    text = support.output_of("run", write_scenario(scenario))
    assert "┄" not in text
    assert note(text) == "Attempts per tick. The mean capacity, 9 000 requests in 8 999 ticks, " \
        "is above the chart."
    scenario["server"]["capacity_window"] = 9000  # exactly the one attempt a tick
    text = support.output_of("run", write_scenario(scenario))
    assert panels(charts(text)[0])[0].labels[0] == "mean capacity"


def test_capacity_0_is_not_marked(write_scenario):
    for window in (1, 5):
        scenario = support.base_scenario(server={"capacity": 0, "capacity_window": window})
        text = support.output_of("run", write_scenario(scenario))
        assert "┄" not in text
        assert note(text) == "Attempts per tick."
