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
    return re.findall(r"^\d+\. `(.*)`$", section, re.MULTILINE)


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
    scenario.update(clients=500, horizon=70, arrivals={"kind": "random", "over": 69})
    scenario["server"].update(capacity=12, service_ticks=2, concurrency=9, queue=30)
    scenario["server"]["outages"] = [{"from": 20, "ticks": 3, "kind": kind, "loses_keys": True}
                                     for kind in ("crash", "refuse")]
    scenario["server"]["outages"].append({"from": 40, "ticks": 9, "kind": "hang"})
    scenario["policies"][0]["deadline"] = 3
    document = export(write_scenario(scenario))
    for policy, result in zip(document["scenario"]["policies"], document["results"]):
        export_check.check_result(document["scenario"], policy, result)
    for member in export_check.SUMMARY[:-3]:  # everything that can happen has happened
        assert sum(result["summary"][member] for result in document["results"]) > 0, member


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_members_and_assumptions(path):
    document = export(path)
    assert list(document) == ["retrygarden", "scenario", "assumptions", "results"]
    assert document["retrygarden"] == 1
    assert len(assumptions()) == 10
    assert document["assumptions"] == assumptions()


POLICY = ["name", "description", "attempts", "timeout", "delay", "jitter", "max_delay", "deadline",
          "on_retry_after", "budget", "breaker"]


def test_defaults_are_filled_in_and_members_in_order(write_scenario):
    scenario = export(write_scenario(support.base_scenario()))["scenario"]
    assert scenario == {
        "retrygarden": 1, "clients": 1, "horizon": 10, "seed": 0,
        "arrivals": {"kind": "burst", "at": 0},
        "clients_per_host": 1,
        "server": {"capacity": 1, "capacity_window": 1, "service_ticks": 0, "queue": 0,
                   "discipline": "fifo", "drop_abandoned": False, "retry_after": 0,
                   "tie_break": "client", "outages": [], "deduplication": {"kind": "none"}},
        "faults": {"response_loss": 0, "request_loss": 0},
        "policies": [{"name": "only", "attempts": 3, "timeout": 0,
                      "delay": {"kind": "fixed", "ticks": 1}, "jitter": {"kind": "none"},
                      "on_retry_after": "ignore"}]}
    shuffled = json.loads(json.dumps(support.full_scenario(), sort_keys=True))
    document = export(write_scenario(shuffled))["scenario"]
    expected = support.full_scenario()
    for policy in expected["policies"][2:4]:
        policy["jitter"] = {"kind": "none"}
    for policy in expected["policies"][1:]:
        policy["on_retry_after"] = "ignore"
    in_order = [sorted(policy, key=POLICY.index) for policy in expected["policies"]]
    expected["policies"] = [{member: policy[member] for member in members}
                            for policy, members in zip(expected["policies"], in_order)]
    assert json.dumps(document) == json.dumps(expected)


def test_default_offset_multiplier_and_burst(write_scenario):
    scenario = support.base_scenario(
        arrivals={}, faults={"first_response_lost": {"every": 7}},
        policies=[support.policy("p", delay={"kind": "exponential", "base": 1, "cap": 2})])
    document = export(write_scenario(scenario))["scenario"]
    assert document["arrivals"] == {"kind": "burst", "at": 0}
    assert document["faults"] == {"first_response_lost": {"every": 7, "offset": 0},
                                  "response_loss": 0, "request_loss": 0}
    assert document["policies"][0]["delay"] == {"kind": "exponential", "base": 1,
                                                "multiplier": 2, "cap": 2}


@pytest.mark.parametrize("given, written", [
    ({"capacity": 3}, {"initial": 3, "retry_cost": 0, "timeout_cost": 0}),
    ({"capacity": 3, "initial": 0.5}, {"initial": 0.5, "retry_cost": 0, "timeout_cost": 0}),
    ({"capacity": 3, "retry_cost": 1.5}, {"initial": 3, "retry_cost": 1.5, "timeout_cost": 1.5}),
    ({"capacity": 3, "retry_cost": 2, "timeout_cost": 0},
     {"initial": 3, "retry_cost": 2, "timeout_cost": 0}),
])
def test_defaults_of_a_token_budget(write_scenario, given, written):
    scenario = support.base_scenario(
        policies=[support.policy("p", budget={"kind": "tokens", **given})])
    [policy] = export(write_scenario(scenario))["scenario"]["policies"]
    assert list(policy["budget"].items()) == list({
        "kind": "tokens", "capacity": 3, "initial": written["initial"], "tick_refill": 0,
        "attempt_deposit": 0, "success_deposit": 0, "refund": False, "failure_cost": 0,
        "retry_cost": written["retry_cost"], "timeout_cost": written["timeout_cost"]}.items())


def test_faults_are_always_written(write_scenario):
    for scenario in (support.base_scenario(), support.base_scenario(faults={})):
        assert export(write_scenario(scenario))["scenario"]["faults"] == \
            {"response_loss": 0, "request_loss": 0}


def test_outages_keep_their_order_and_get_a_kind(write_scenario):
    outages = [{"from": 9, "ticks": 1}, {"from": 0, "ticks": 5, "kind": "crash"},
               {"from": 9, "ticks": 1, "loses_keys": True}]
    scenario = support.base_scenario(server={"capacity": 1, "outages": outages})
    written = export(write_scenario(scenario))["scenario"]["server"]["outages"]
    assert [list(outage.items()) for outage in written] == [
        [("from", start), ("ticks", ticks), ("kind", kind), ("loses_keys", loses_keys)]
        for start, ticks, kind, loses_keys in [
            (9, 1, "refuse", False), (0, 5, "crash", False), (9, 1, "refuse", True)]]


def test_entries_of_a_list_keep_their_form(write_scenario):
    delay = {"kind": "list", "ticks": [3, [3, 3], [1, 4], 2]}
    scenario = support.base_scenario(policies=[support.policy("p", delay=delay)])
    [policy] = export(write_scenario(scenario))["scenario"]["policies"]
    assert policy["delay"] == delay
    assert "jitter" not in policy


def test_decorrelated_gets_no_jitter(write_scenario):
    delay = {"kind": "decorrelated", "base": 1, "cap": 5}
    scenario = support.base_scenario(policies=[support.policy("p", delay=delay)])
    [policy] = export(write_scenario(scenario))["scenario"]["policies"]
    assert policy == {"name": "p", "attempts": 3, "timeout": 0, "delay": delay,
                      "on_retry_after": "ignore"}


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
         "dropped_tick": None, "effect": "none", "response": "none", "failed_tick": 0,
         "next_tick": 2},
        {"tick": 2, "client": 0, "attempt": 2, "outcome": "accepted", "started_tick": 2,
         "dropped_tick": None, "effect": "applied", "response": "lost", "failed_tick": 2,
         "next_tick": 4}]
    assert result["clients"] == [
        {"client": 0, "arrival": 0, "state": "scheduled", "attempts": 2, "effects": 1,
         "acknowledged_tick": None, "next_tick": 4}]
    assert result["summary"]["applied_unacknowledged"] == 1
    assert result["summary"]["time_to_acknowledge"] == dict.fromkeys(("p50", "p90", "p99", "max"))
