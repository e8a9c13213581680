"""Where a scenario says how long a tick lasts, tables and charts tell times.

What programs read does not change.
"""
import json
import re

import pytest
import support
from run_output import charts, note, run_in_terminal, tables_of

PATH = support.SCENARIOS / "lost-responses.json"
SCENARIO = json.loads(PATH.read_text(encoding="utf-8"))


@pytest.fixture(name="path")
def scenario_with_a_tick(write_scenario):
    return write_scenario({**SCENARIO, "tick": "250ms"})


def rows(text):
    """{label: cells} of the only table."""
    [lines] = tables_of(text)
    return {re.split(r"(?<=\S) {2,}", line)[0]: re.split(r" {2,}", line.strip())[1:]
            for line in lines[1:]}


def test_run_tells_times_of_ticks(path):
    text = support.output_of("run", path)
    assert text.startswith("lost responses: 8 clients, 80 ticks = 20 s, capacity 3 a tick\n")
    cells = rows(text)
    # The ticks are those of the README; a quarter of a second each.
    assert cells["  in tick"] == ["0 = 0 ms", "0 = 0 ms"]
    assert cells["ticks to acknowledge, p50"] == ["8 = 2 s", "6 = 1.5 s"]
    assert cells["  p90"] == cells["  p99"] == cells["  max"] == ["12 = 3 s", "10 = 2.5 s"]
    plain = rows(support.output_of("run", PATH))
    assert {label: [cell.split(" = ")[0] for cell in line] for label, line in cells.items()} == \
        plain


def test_the_time_axis_has_both(path):
    for chart in charts(support.output_of("run", path)):
        ticks, times = chart[-2:]
        assert re.split(r" {2,}", ticks.strip()) == ["tick", "0", "5", "10"]
        assert re.split(r" {2,}", times.strip()) == ["time", "0 s", "1.25 s", "2.5 s"]
        assert [ticks.index(label) for label in ("0", "5", "10")] == \
            [times.index(label) for label in ("0 s", "1.25 s", "2.5 s")]


def test_no_time_without_a_tick():
    text = support.output_of("run", PATH)
    assert " = " not in text
    assert "time" not in charts(text)[0][-1]


def test_windows_and_columns_have_times_too(write_scenario):
    path = write_scenario(support.base_scenario(
        tick="1min", clients=9, horizon=1000, arrivals={"kind": "spread", "over": 1000},
        server={"capacity": 30, "capacity_window": 60, "service_ticks": 2},
        policies=[support.policy("p", timeout=3)]))
    text = support.output_of("run", path)
    assert text.split("\n\n")[0].replace("\n", " ") == (
        "9 clients, 1 000 ticks = 1 000 min, capacity 30 in 60 ticks = 60 min, "
        "service 2 ticks = 2 min")
    assert re.search(r"the highest of (\d+) ticks = \1 min in each column", note(text))


@pytest.mark.parametrize("tick", ["1ns", "999999h", "7us", "123457ms"])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_charts_fit_the_terminal(write_scenario, tick, width):
    for horizon in (30, 2**31 - 1):
        path = write_scenario(support.base_scenario(
            tick=tick, horizon=horizon, server={"capacity": 0},
            policies=[support.policy("p", 100, {"kind": "exponential", "base": 1, "cap": 2**30})]))
        for chart in charts(run_in_terminal(width, "run", path)):
            assert [line for line in chart if support.display_width(line) > width] == []
            labels = re.split(r" {2,}", chart[-1].strip())
            assert labels[0] == "time"
            assert all(re.fullmatch(r"[\d .]+ (ns|µs|ms|s|min|h)", label) for label in labels[1:])


def test_attempts_have_a_column_and_say_when_they_are_repeated(path):
    lines = support.output_of("attempts", path, "--client", 6).splitlines()
    assert re.split(r" {2,}", lines[1])[:3] == ["tick", "time", "client"]
    first, second, third, fourth = [re.split(r" {2,}", line.strip()) for line in lines[2:6]]
    assert (first[1], first[-1]) == ("0.00 s", "retries at tick 4 = 1 s")
    assert (second[1], second[-1]) == ("1.00 s", "retries at tick 8 = 2 s")
    assert (third[1], third[-1]) == ("2.00 s", "retries at tick 12 = 3 s")
    assert (fourth[1], fourth[-1]) == ("3.00 s", "gives up")
    ends = {line.index(" 6 ") for line in lines[2:6]}
    assert len(ends) == 1


def test_imported_delays_are_in_the_scenario_s_ticks(path, tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": {
        "maxAttempts": 3, "initialBackoff": "10s", "maxBackoff": "15s", "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"]}}]}), encoding="utf-8")
    result = support.run("run", path, "--with", f"grpc:{config}", "--format", "json")
    [policy] = json.loads(result.stdout)["scenario"]["policies"]
    assert (policy["delay"]["base"], policy["delay"]["cap"]) == (40, 60)  # four ticks a second


@pytest.mark.parametrize("arguments", [["run", "--format", "json"], ["run", "--format", "csv"],
                                       ["export", "--format", "ndjson"], ["export"]])
def test_what_programs_read_stays_in_ticks(path, arguments):
    command, *options = arguments
    with_tick = support.output_of(command, path, *options)
    without = support.output_of(command, PATH, *options)
    if options[-1:] != ["csv"]:  # the others hold the scenario, which says it
        assert with_tick.count("250ms") == 1
        with_tick = re.sub(r'"tick": ?"250ms",\s*', "", with_tick)
    assert with_tick == without
