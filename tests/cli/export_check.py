"""Recomputes what an export says from its scenario and attempt records: docs/model.md, section 8.

Nothing here runs the model: the attempts are taken as given, checked against the rules that one
can check record by record, and counted again.
"""
from collections import Counter

ATTEMPT = ["tick", "client", "attempt", "outcome", "started_tick", "effect", "response",
           "failed_tick", "next_tick"]
LOAD = ["tick", "attempts", "accepted", "overloaded", "unavailable", "effects", "acknowledged"]
CLIENT = ["client", "arrival", "state", "attempts", "effects", "acknowledged_tick", "next_tick"]
SUMMARY = ["clients", "attempts", "accepted", "overloaded", "unavailable", "effects",
           "duplicate_effects", "suppressed_effects", "lost_responses", "acknowledged",
           "exhausted", "scheduled", "applied_unacknowledged", "peak_load",
           "last_acknowledged_tick", "time_to_acknowledge"]
RESULT = ["policy", "summary", "load", "attempts", "clients"]


def is_down(scenario, tick):
    return any(outage["from"] <= tick < outage["from"] + outage["ticks"]
               for outage in scenario["server"]["outages"])


def check_attempts(scenario, policy, attempts):
    """The rules of sections 4 and 5, attempt by attempt."""
    capacity = scenario["server"]["capacity"]
    deduplication = scenario["server"]["deduplication"]
    lost = scenario.get("faults", {}).get("first_response_lost")
    order = [(record["tick"], record["client"]) for record in attempts]
    assert order == sorted(set(order))
    accepted_in = Counter()
    previous = {}
    applied, key_stored = set(), {}
    for record in attempts:
        assert list(record) == ATTEMPT
        tick, client = record["tick"], record["client"]
        assert 0 <= tick < scenario["horizon"] and 0 <= client < scenario["clients"]
        before = previous.get(client)
        assert record["attempt"] == (1 if before is None else before["attempt"] + 1)
        assert before is None or before["next_tick"] == tick
        assert record["attempt"] <= policy["attempts"]
        outcome = ("unavailable" if is_down(scenario, tick) else
                   "overloaded" if accepted_in[tick] >= capacity else "accepted")
        assert record["outcome"] == outcome
        effect = response = "none"
        if outcome == "accepted":
            accepted_in[tick] += 1
            stored = key_stored.get(client)
            is_live = stored is not None and (deduplication["kind"] == "forever" or
                                              tick - stored < deduplication["ticks"])
            effect = "suppressed" if is_live else \
                "duplicate" if client in applied else "applied"
            is_lost = lost is not None and client % lost["every"] == lost["offset"] and \
                client not in applied
            response = "lost" if is_lost else "acknowledged"
            applied.add(client)
            if not is_live and deduplication["kind"] != "none":
                key_stored[client] = tick
        assert (record["effect"], record["response"]) == (effect, response)
        assert record["started_tick"] == (tick if outcome == "accepted" else None)
        acknowledged = response == "acknowledged"
        assert record["failed_tick"] == (None if acknowledged else tick)
        if acknowledged or record["attempt"] == policy["attempts"]:
            assert record["next_tick"] is None
        else:
            assert record["next_tick"] > tick
        previous[client] = record
    # No attempt is missing: whoever is due before the horizon has made that attempt.
    assert set(previous) == set(range(scenario["clients"]))
    for record in previous.values():
        assert record["next_tick"] is None or record["next_tick"] >= scenario["horizon"]


def load_from(attempts):
    load = {}
    for record in attempts:
        row = load.setdefault(record["tick"], dict.fromkeys(LOAD, 0) | {"tick": record["tick"]})
        row["attempts"] += 1
        row[record["outcome"]] += 1
        row["effects"] += record["effect"] in ("applied", "duplicate")
        row["acknowledged"] += record["response"] == "acknowledged"
    return [load[tick] for tick in sorted(load)]


def clients_from(attempts, policy):
    clients = {}
    for record in attempts:
        row = clients.setdefault(record["client"], {
            "client": record["client"], "arrival": record["tick"], "state": "", "attempts": 0,
            "effects": 0, "acknowledged_tick": None, "next_tick": None})
        row["attempts"] += 1
        row["effects"] += record["effect"] in ("applied", "duplicate")
        row["next_tick"] = record["next_tick"]
        if record["response"] == "acknowledged":
            row["state"], row["acknowledged_tick"] = "acknowledged", record["tick"]
        else:
            row["state"] = "exhausted" if row["attempts"] == policy["attempts"] else "scheduled"
    return [clients[client] for client in sorted(clients)]


def nearest_rank(values, percent):
    """Number ceil(percent * m / 100) of m sorted values, counting from 1; None of none."""
    return sorted(values)[-(-percent * len(values) // 100) - 1] if values else None


def summary_from(attempts, clients):
    outcomes = Counter(record["outcome"] for record in attempts)
    effects = Counter(record["effect"] for record in attempts)
    states = Counter(row["state"] for row in clients)
    loads = Counter(record["tick"] for record in attempts)
    peak = min(loads, key=lambda tick: (-loads[tick], tick))
    acknowledged = [row for row in clients if row["state"] == "acknowledged"]
    times = [row["acknowledged_tick"] - row["arrival"] for row in acknowledged]
    return {
        "clients": len(clients), "attempts": len(attempts),
        "accepted": outcomes["accepted"], "overloaded": outcomes["overloaded"],
        "unavailable": outcomes["unavailable"],
        "effects": effects["applied"] + effects["duplicate"],
        "duplicate_effects": effects["duplicate"], "suppressed_effects": effects["suppressed"],
        "lost_responses": sum(record["response"] == "lost" for record in attempts),
        "acknowledged": states["acknowledged"], "exhausted": states["exhausted"],
        "scheduled": states["scheduled"],
        "applied_unacknowledged": sum(row["effects"] > 0 and row["state"] != "acknowledged"
                                      for row in clients),
        "peak_load": {"tick": peak, "requests": loads[peak]},
        "last_acknowledged_tick": max((row["acknowledged_tick"] for row in acknowledged),
                                      default=None),
        "time_to_acknowledge": {
            **{f"p{percent}": nearest_rank(times, percent) for percent in (50, 90, 99)},
            "max": max(times, default=None)},
    }


def check_result(scenario, policy, result):
    assert list(result) == RESULT
    assert result["policy"] == policy["name"]
    attempts = result["attempts"]
    check_attempts(scenario, policy, attempts)
    clients = clients_from(attempts, policy)
    assert result["clients"] == clients
    assert result["load"] == load_from(attempts)
    assert result["summary"] == summary_from(attempts, clients)
    for rows, members in [(result["load"], LOAD), (result["clients"], CLIENT),
                          ([result["summary"]], SUMMARY)]:
        assert all(list(row) == members for row in rows)
    summary = result["summary"]
    assert summary["accepted"] + summary["overloaded"] + summary["unavailable"] == \
        summary["attempts"]
    assert summary["acknowledged"] + summary["exhausted"] + summary["scheduled"] == \
        summary["clients"] == scenario["clients"]
