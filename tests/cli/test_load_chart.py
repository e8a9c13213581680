"""The chart of `run`: fits every terminal, shows the load where it is, marks capacity and outages.
"""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import pytest
import support

WIDTHS = [40, 60, 80, 200]
BARS = " ▁▂▃▄▅▆▇█"
LARGEST_TICK = 2**31 - 1


def run_in_terminal(width, *arguments):
    """What the program writes to a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen([support.program(), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=theirs, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        pieces = []
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # the program has closed its end
                break
            if not piece:
                break
            pieces.append(piece)
        os.close(ours)
        assert process.stderr.read() == b""
        assert process.wait(30) == 0
    return b"".join(pieces).decode("utf-8").replace("\r\n", "\n")


def chart_part(text):
    """The lines after the tables of summaries."""
    blocks = text.split("\n\n")
    last_table = max(i for i, block in enumerate(blocks) if "\nattempts" in block)
    return "\n\n".join(blocks[last_table + 1:]).splitlines()


def rows(text):
    """The rows of the first chart, top first, and its rule: what stands right of the axis."""
    lines = chart_part(text)
    rule = next(i for i, line in enumerate(lines) if "└" in line)
    return [line.split("│", 1)[1] for line in lines[:rule] if "│" in line], \
        lines[rule].split("└", 1)[1]


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


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_heights_and_labels_of_golden_scenarios(path, width):
    document = json.loads(support.output_of("run", path, "--format", "json"))
    results = document["results"]
    loads = [{row["tick"]: row["attempts"] for row in result["load"]} for result in results]
    top = max(max(load.values()) for load in loads)
    text = run_in_terminal(width, "run", path)
    per_tick, per_column = time_axis(text, document["scenario"], max(map(max, loads)))
    blocks = [block.splitlines() for block in "\n".join(chart_part(text)).split("\n\n")]
    charts = [lines for lines in blocks if any("└" in line for line in lines)]
    assert len(charts) == len(loads)
    for lines, load in zip(charts, loads):
        bars = [line.split("│", 1)[1] for line in lines if "│" in line]
        end = next(i for i, line in enumerate(lines) if "└" in line)
        rule, labels = lines[end:end + 2]
        start = rule.index("└") + 1
        highest = {}  # by column
        for tick, attempts in load.items():
            column = tick // per_column * per_tick
            highest[column] = max(highest.get(column, 0), attempts)
        for column in range(0, len(rule) - start, per_tick):
            most = highest.get(column, 0)
            height = sum(max(0, BARS.find(row[column])) for row in bars if column < len(row))
            assert (height > 0) == (most > 0)
            assert abs(height - 64 * most / top) < 1
        assert labels.split()[:2] == ["tick", "0"]
        for label in re.finditer(r"\d+", labels):
            tick = (label.start() - start) // per_tick * per_column
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
    note = chart_part(text)[-1]
    assert "1 234 567" in note and "above the chart" in note


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
