"""`check` prints a valid scenario with all defaults filled in, and runs nothing."""
import json

import pytest
import support


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_prints_the_scenario_of_the_export(path):
    text = support.output_of("check", path)
    assert json.loads(text) == json.loads(support.output_of("export", path))["scenario"]
    assert support.output_of("check", "-", stdin=text) == text


def test_runs_nothing():
    # Running this would take all memory, or years.
    scenario = support.base_scenario(
        clients=2**32 - 1, horizon=2**31 - 1, server={"capacity": 0},
        policies=[support.policy("p", 2**32 - 1)])
    text = support.output_of("check", "-", stdin=json.dumps(scenario), timeout=5)
    assert json.loads(text)["clients"] == 2**32 - 1


@pytest.mark.parametrize("literal, written", [
    ("1", "1"), ("1.0", "1"), ("1.000000", "1"), ("1.01", "1.01"), ("1.010000", "1.01"),
    ("2", "2"), ("2.50", "2.5"), ("1000", "1000"), ("1000.0", "1000"),
    ("999.999999", "999.999999"), ("1.010001", "1.010001"),
])
def test_multiplier_is_written_in_its_shortest_form(literal, written):
    text = support.with_literal(support.full_scenario(), "/policies/2/delay/multiplier", literal)
    assert f'"multiplier": {written}, "cap"' in support.output_of("check", "-", stdin=text)


@pytest.mark.parametrize("literal, written", [
    ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0.0", "0"), ("0.000001", "0.000001"),
    ("0.1", "0.1"), ("0.100000", "0.1"), ("0.999999", "0.999999"), ("1", "1"), ("1.0", "1"),
])
def test_fraction_is_written_in_its_shortest_form(literal, written):
    text = support.with_literal(support.full_scenario(), "/policies/0/jitter/fraction", literal)
    assert f'"fraction": {written}}}' in support.output_of("check", "-", stdin=text)


@pytest.mark.parametrize("literal, written", [
    ("0", "0"), ("-0.0", "0"), ("0.000001", "0.000001"), ("7.500000", "7.5"), ("1000", "1000"),
    ("999999999.999999", "999999999.999999"), ("1000000000.0", "1000000000"),
])
def test_tokens_are_written_in_their_shortest_form(literal, written):
    text = support.with_literal(support.full_scenario(), "/policies/0/budget/tick_refill",
                                literal)
    assert f'"tick_refill": {written}, "' in support.output_of("check", "-", stdin=text)


@pytest.mark.parametrize("pointer", [
    "/seed", "/server/capacity", "/arrivals/at", "/policies/1/delay/step",
    "/server/outages/0/from", "/server/service_ticks", "/server/queue", "/server/retry_after",
    "/policies/0/timeout", "/policies/0/deadline", "/policies/1/budget/minimum"])
def test_minus_zero_is_written_as_zero(pointer):
    text = support.with_literal(support.full_scenario(), pointer, "-0")
    plain = support.with_literal(support.full_scenario(), pointer, "0")
    assert support.output_of("check", "-", stdin=text) == \
        support.output_of("check", "-", stdin=plain)


@pytest.mark.parametrize("text", [
    "plain", 'quotes " and \\ backslash', "/ slash", "line\nbreak\ttab\r\b\f", "\x01\x1f\x7f",
    "再試行 🌱", "\u2028\u2029", "\ufeff\ufffe", "\U0010ffff", "", " ", "x" * 100_000,
])
def test_strings_are_kept(text):
    scenario = support.base_scenario(
        name=text, description=text, policies=[support.policy(text or "not empty")])
    scenario["$schema"] = text
    for ascii_only in (True, False):
        written = json.dumps(scenario, ensure_ascii=ascii_only)
        result = json.loads(support.output_of("check", "-", stdin=written))
        assert [result[member] for member in ("$schema", "name", "description")] == [text] * 3
        assert result["policies"][0]["name"] == (text or "not empty")


def test_byte_order_mark_is_skipped():
    text = json.dumps(support.base_scenario())
    assert support.output_of("check", "-", stdin="\ufeff" + text) == \
        support.output_of("check", "-", stdin=text)


def test_names_that_differ_only_in_normalisation_are_distinct():
    scenario = support.base_scenario(
        policies=[support.policy("\u00e9"), support.policy("e\u0301")])
    assert len(json.loads(support.output_of("check", "-", stdin=json.dumps(scenario)))[
        "policies"]) == 2


def test_members_by_escaped_names():
    text = json.dumps(support.base_scenario()).replace('"seed"', '"s\\u0065ed"')
    assert json.loads(support.output_of("check", "-", stdin=text))["seed"] == 0
