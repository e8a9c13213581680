"""`export` writes the document of docs/model.md, section 9, and its numbers agree with each other.
"""
import json
import re

import export_check
import pytest
import support


def assumptions():
    """The numbered sentences of section 9."""
    page = support.MODEL.read_text(encoding="utf-8")
    section = page[page.index("## 9. Export"):page.index("## 10.")]
    return re.findall(r"^\d\. `(.*)`$", section, re.MULTILINE)


def export(path):
    return json.loads(support.output_of("export", path))


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_results_follow_from_the_attempts(path):
    document = export(path)
    scenario = document["scenario"]
    assert len(document["results"]) == len(scenario["policies"])
    for policy, result in zip(scenario["policies"], document["results"]):
        export_check.check_result(scenario, policy, result)


def test_results_follow_from_the_attempts_of_a_large_scenario(write_scenario):
    scenario = support.full_scenario()
    scenario.update(clients=500, horizon=200, arrivals={"kind": "random", "over": 50})
    document = export(write_scenario(scenario))
    for policy, result in zip(document["scenario"]["policies"], document["results"]):
        export_check.check_result(document["scenario"], policy, result)
    assert sum(result["summary"]["suppressed_effects"] for result in document["results"]) > 0
    assert sum(result["summary"]["duplicate_effects"] for result in document["results"]) > 0


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_members_and_assumptions(path):
    document = export(path)
    assert list(document) == ["retrygarden", "scenario", "assumptions", "results"]
    assert document["retrygarden"] == 1
    assert len(assumptions()) == 8
    assert document["assumptions"] == assumptions()


def test_defaults_are_filled_in_and_members_in_order(write_scenario):
    scenario = export(write_scenario(support.base_scenario()))["scenario"]
    assert scenario == {
        "retrygarden": 1, "clients": 1, "horizon": 10, "seed": 0,
        "arrivals": {"kind": "burst", "at": 0},
        "server": {"capacity": 1, "outages": [], "deduplication": {"kind": "none"}},
        "policies": [{"name": "only", "attempts": 3, "delay": {"kind": "fixed", "ticks": 1},
                      "jitter": {"kind": "none"}}]}
    shuffled = json.loads(json.dumps(support.full_scenario(), sort_keys=True))
    document = export(write_scenario(shuffled))["scenario"]
    expected = support.full_scenario()
    for policy in expected["policies"][1:4]:
        policy["jitter"] = {"kind": "none"}
    assert json.dumps(document) == json.dumps(expected)


def test_default_offset_multiplier_and_burst(write_scenario):
    scenario = support.base_scenario(
        arrivals={}, faults={"first_response_lost": {"every": 7}},
        policies=[support.policy("p", delay={"kind": "exponential", "base": 1, "cap": 2})])
    document = export(write_scenario(scenario))["scenario"]
    assert document["arrivals"] == {"kind": "burst", "at": 0}
    assert document["faults"] == {"first_response_lost": {"every": 7, "offset": 0}}
    assert document["policies"][0]["delay"] == {"kind": "exponential", "base": 1,
                                                "multiplier": 2, "cap": 2}


def test_empty_faults_are_not_written(write_scenario):
    assert "faults" not in export(write_scenario(support.base_scenario(faults={})))["scenario"]


def test_outages_keep_their_order(write_scenario):
    outages = [{"from": 9, "ticks": 1}, {"from": 0, "ticks": 5}, {"from": 9, "ticks": 1}]
    scenario = support.base_scenario(server={"capacity": 1, "outages": outages})
    assert export(write_scenario(scenario))["scenario"]["server"]["outages"] == outages


def test_decorrelated_gets_no_jitter(write_scenario):
    delay = {"kind": "decorrelated", "base": 1, "cap": 5}
    scenario = support.base_scenario(policies=[support.policy("p", delay=delay)])
    [policy] = export(write_scenario(scenario))["scenario"]["policies"]
    assert policy == {"name": "p", "attempts": 3, "delay": delay}


def test_a_run_worked_out_by_hand(write_scenario):
    # One client; down in tick 0; applied in tick 2, response lost; its last attempt would come in
    # tick 4, the horizon: scheduled.
    scenario = support.base_scenario(
        horizon=4, server={"capacity": 1, "outages": [{"from": 0, "ticks": 1}]},
        faults={"first_response_lost": {"every": 1}},
        policies=[support.policy("p", 3, {"kind": "fixed", "ticks": 2})])
    [result] = export(write_scenario(scenario))["results"]
    assert result["attempts"] == [
        {"tick": 0, "client": 0, "attempt": 1, "outcome": "unavailable", "started_tick": None,
         "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
        {"tick": 2, "client": 0, "attempt": 2, "outcome": "accepted", "started_tick": 2,
         "effect": "applied", "response": "lost", "failed_tick": 2, "next_tick": 4}]
    assert result["clients"] == [
        {"client": 0, "arrival": 0, "state": "scheduled", "attempts": 2, "effects": 1,
         "acknowledged_tick": None, "next_tick": 4}]
    assert result["summary"]["applied_unacknowledged"] == 1
    assert result["summary"]["time_to_acknowledge"] == dict.fromkeys(("p50", "p90", "p99", "max"))
