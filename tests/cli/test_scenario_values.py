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
            ("/policies/4/jitter", {"kind": "full"}), ("/unknown", {}),
            ("/clients_per_host", 0), ("/server/capacity_window", 0),
            ("/server/service_ticks", -1), ("/server/concurrency", 0), ("/server/queue", None),
            ("/server/discipline", "random"), ("/server/drop_abandoned", 0),
            ("/server/retry_after", 2**30 + 1), ("/server/tie_break", "fifo"),
            ("/server/outages/0/kind", "pause"), ("/server/outages/0/loses_keys", "no"),
            ("/faults/response_loss", 2), ("/faults/request_loss", -1),
            ("/policies/0/max_delay", 0), ("/policies/0/deadline", -1),
            ("/policies/0/on_retry_after", "heed"), ("/policies/0/budget/initial", 7),
            ("/policies/0/budget/refund", 1), ("/policies/0/breaker/failures", 5),
            ("/policies/1/timeout", 2**30 + 1), ("/policies/1/jitter/to", 0.25),
            ("/policies/1/budget/kind", "some"), ("/policies/5/delay/ticks/0", [3, 2])]:
        scenario = support.changed(scenario, pointer, value)
    del scenario["horizon"]
    scenario["arrivals"]["at"] = -1
    places = support.fault_places(support.check_text(json.dumps(scenario)))
    assert sorted(places) == sorted([
        "/retrygarden", "/name", "/clients", "/horizon", "/seed", "/arrivals/at",
        "/server/capacity", "/server/outages/0/ticks", "/server/deduplication/kind",
        "/faults/first_response_lost/offset", "/policies/0/attempts",
        "/policies/0/jitter/fraction", "/policies/1/delay/cap", "/policies/2/delay/multiplier",
        "/policies/3/delay/ticks/1", "/policies/3/name", "/policies/4/jitter", "/unknown",
        "/clients_per_host", "/server/capacity_window", "/server/service_ticks",
        "/server/concurrency", "/server/queue", "/server/discipline", "/server/drop_abandoned",
        "/server/retry_after", "/server/tie_break", "/server/outages/0/kind",
        "/server/outages/0/loses_keys", "/faults/response_loss", "/faults/request_loss",
        "/policies/0/max_delay", "/policies/0/deadline", "/policies/0/on_retry_after",
        "/policies/0/budget/initial", "/policies/0/budget/refund",
        "/policies/0/breaker/failures", "/policies/1/timeout", "/policies/1/jitter/to",
        "/policies/1/budget/kind", "/policies/5/delay/ticks/0/1"])


def test_a_missing_timeout_tells_why_it_is_required():
    scenario = support.base_scenario(server={"capacity": 1, "queue": 1})
    message = support.assert_refused(support.check_text(json.dumps(scenario)),
                                     support.INVALID_INPUT)
    assert "/policies/0/timeout: expected an integer from 0 to 1073741824, since the server" in \
        message
    assert message.endswith("found nothing\n")


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
