"""Invalid scenarios are refused with exit code 3 and the JSON Pointer of the fault; each range is
tested from both sides, each member for its type, its presence and its repetition."""
import json

import pytest
import scenario_cases
import support

CASES = list(scenario_cases.all_cases())
ENDS = list(scenario_cases.accepted_at_the_ends())


@pytest.mark.parametrize("text", [text for _, text in ENDS], ids=[name for name, _ in ENDS])
def test_accepted_at_both_ends(text):
    support.output_of("check", "-", stdin=text)


@pytest.mark.parametrize("text, pointer", [case[1:3] for case in CASES],
                         ids=[case[0] for case in CASES])
def test_refused_with_its_pointer(text, pointer):
    assert support.fault_places(support.check_text(text)) == [pointer]


@pytest.mark.parametrize("command", ["run", "export", "attempts", "check"])
def test_every_command_refuses(command, write_scenario):
    path = write_scenario(support.base_scenario(clients=0))
    result = support.run(command, path)
    assert support.fault_places(result) == ["/clients"]
    assert str(path) in result.stderr.decode()


def test_all_faults_are_reported_together():
    scenario = support.full_scenario()
    for pointer, value in [
            ("/retrygarden", 2), ("/name", 5), ("/clients", 0), ("/seed", -1),
            ("/arrivals/at", 50), ("/server/capacity", "2"), ("/server/outages/0/ticks", 0),
            ("/server/deduplication/kind", "some"), ("/faults/first_response_lost/offset", 3),
            ("/policies/0/attempts", 0), ("/policies/0/jitter/fraction", 1.5),
            ("/policies/1/delay/cap", 1), ("/policies/2/delay/multiplier", 1.001),
            ("/policies/3/delay/ticks/1", None), ("/policies/3/name", "linear"),
            ("/policies/4/jitter", {"kind": "full"}), ("/unknown", {})]:
        scenario = support.changed(scenario, pointer, value)
    del scenario["horizon"]
    scenario["arrivals"]["at"] = -1
    places = support.fault_places(support.check_text(json.dumps(scenario)))
    assert sorted(places) == sorted([
        "/retrygarden", "/name", "/clients", "/horizon", "/seed", "/arrivals/at",
        "/server/capacity", "/server/outages/0/ticks", "/server/deduplication/kind",
        "/faults/first_response_lost/offset", "/policies/0/attempts",
        "/policies/0/jitter/fraction", "/policies/1/delay/cap", "/policies/2/delay/multiplier",
        "/policies/3/delay/ticks/1", "/policies/3/name", "/policies/4/jitter", "/unknown"])


def test_all_repeated_members_are_reported_together():
    text = json.dumps(support.base_scenario()).replace('"seed": 0', '"seed": 0, "seed": 1') \
        .replace('"capacity": 1', '"capacity": 1, "capacity": 1')
    assert sorted(support.fault_places(support.check_text(text))) == ["/seed", "/server/capacity"]


def test_very_many_faults_give_a_short_message():
    scenario = support.base_scenario(server={
        "capacity": 1, "outages": [{"from": -1, "ticks": 0}] * 10_000})
    message = support.assert_refused(support.check_text(json.dumps(scenario)),
                                     support.INVALID_INPUT)
    assert "/server/outages/0/from" in message
    assert len(message) < 20_000
    assert "and at least 950 more" in message


def test_a_fault_says_what_was_expected_and_what_was_found():
    message = support.assert_refused(
        support.check_text(json.dumps(support.base_scenario(clients="many"))),
        support.INVALID_INPUT)
    assert '/clients: expected an integer from 1 to 4294967295, found "many"' in message


def test_a_long_value_is_not_repeated_in_full():
    scenario = support.base_scenario(clients="x" * 1_000_000, **{"y" * 1_000_000: 1})
    message = support.assert_refused(support.check_text(json.dumps(scenario)),
                                     support.INVALID_INPUT)
    assert len(message) < 2000
