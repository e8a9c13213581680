"""The table of `run`: aligned columns, exact cells, and no control characters."""
import re

import pytest
import support

CONTROLS = "".join(map(chr, [*range(1, 32), 127, *range(128, 160)]))


def tables_of(text):
    """The tables, each a list of lines, that `run` prints before the charts."""
    return [block.splitlines() for block in text.split("\n\n") if "\nattempts" in block]


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
