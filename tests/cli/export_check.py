"""Recomputes what an export says from its scenario and attempt records: docs/model.md, sections 2 to
5 and 8.

Nothing here runs the model: the attempts are taken as given, checked against the rules that can be
seen from the records, and counted again. What takes draws, a budget or a breaker is not foretold.
"""
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate

ATTEMPT = ["tick", "client", "attempt", "outcome", "started_tick", "dropped_tick", "effect",
           "response", "failed_tick", "next_tick"]
LOAD = ["tick", "attempts", "accepted", "overloaded", "unavailable", "lost_requests",
        "short_circuited", "started", "dropped", "effects", "acknowledged", "queued"]
CLIENT = ["client", "arrival", "state", "attempts", "effects", "acknowledged_tick", "next_tick"]
SUMMARY = ["clients", "attempts", "accepted", "overloaded", "unavailable", "lost_requests",
           "short_circuited", "started", "dropped", "effects", "duplicate_effects",
           "suppressed_effects", "lost_responses", "crashed_responses", "late_responses",
           "timeouts", "acknowledged", "exhausted", "deadline_exceeded", "budget_denied",
           "awaiting", "scheduled", "applied_unacknowledged", "peak_load",
           "last_acknowledged_tick", "time_to_acknowledge"]
RESULT = ["policy", "summary", "load", "attempts", "clients"]

OUTCOMES = {"accepted": "accepted", "overloaded": "overloaded", "unavailable": "unavailable",
            "request_lost": "lost_requests", "short_circuited": "short_circuited"}
NEVER = float("inf")
MOST_TICKS = 5000  # so many are looked at one by one


class Steps:
    """A number that changes at ticks."""

    def __init__(self, changes):
        self.ticks = sorted(changes)
        self.values = list(accumulate(changes[tick] for tick in self.ticks))

    def at(self, tick):
        """The number at the end of the tick."""
        index = bisect_right(self.ticks, tick)
        return self.values[index - 1] if index else 0

    def highest(self):
        return max(self.values, default=0)


class Server:
    """What the scenario and the records of attempts tell of the server."""

    def __init__(self, scenario, attempts):
        self.__dict__.update(scenario["server"])
        self.horizon = scenario["horizon"]
        crashes = [outage for outage in self.outages if outage["kind"] == "crash"]
        self.crashes = sorted({outage["from"] for outage in crashes})
        self.key_losses = sorted({outage["from"] for outage in self.outages
                                  if outage["loses_keys"]})
        self.attempts = attempts
        self.started = [record for record in attempts if record["started_tick"] is not None]
        self.starts = sorted(record["started_tick"] for record in self.started)
        in_queue, in_service = Counter(), Counter()
        for record in attempts:
            if self.waited(record):
                in_queue[record["tick"]] += 1
                in_queue[self.left_queue(record)] -= 1
        for record in self.started:
            in_service[record["started_tick"]] += 1
            in_service[min(self.due(record), self.next_crash(record["started_tick"]))] -= 1
        self.queued, self.in_service = Steps(in_queue), Steps(in_service)

    def state(self, tick):
        kinds = {outage["kind"] for outage in self.outages
                 if outage["from"] <= tick < outage["from"] + outage["ticks"]}
        return "refusing" if kinds & {"refuse", "crash"} else "hanging" if kinds else "up"

    def due(self, record):
        return record["started_tick"] + self.service_ticks

    def next_crash(self, tick):
        """The first crash after the tick."""
        index = bisect_right(self.crashes, tick)
        return self.crashes[index] if index < len(self.crashes) else NEVER

    @staticmethod
    def waited(record):
        return record["outcome"] == "accepted" and record["started_tick"] != record["tick"]

    @staticmethod
    def left_queue(record):
        """When a request that waited was started or dropped."""
        ticks = [tick for tick in (record["started_tick"], record["dropped_tick"])
                 if tick is not None]
        assert len(ticks) <= 1
        return ticks[0] if ticks else NEVER

    def can_start(self, tick):
        """Whether it could still start a request at the end of the tick."""
        window = tick - tick % self.capacity_window
        in_window = bisect_right(self.starts, tick) - bisect_right(self.starts, window - 1)
        limit = getattr(self, "concurrency", NEVER)
        return self.state(tick) == "up" and in_window < self.capacity and \
            self.in_service.at(tick) < limit

    def is_full(self, tick):
        return self.queued.at(tick) == self.queue


def check_limits(server):
    """Section 4, phase 2: never more than allowed, and nobody waits who could be started."""
    assert all(server.state(tick) == "up" for tick in set(server.starts))
    in_windows = Counter(tick // server.capacity_window for tick in server.starts)
    assert max(in_windows.values(), default=0) <= server.capacity
    assert server.in_service.highest() <= getattr(server, "concurrency", NEVER)
    assert server.queued.highest() <= server.queue
    for tick in range(min(server.horizon, MOST_TICKS)):
        assert server.queued.at(tick) == 0 or not server.can_start(tick)


def check_queue(server):
    """Who waits leaves by the discipline; a crash empties the queue; abandoned requests."""
    by_client = server.tie_break == "client"
    joined, left = defaultdict(list), defaultdict(list)
    for record in filter(server.waited, server.attempts):
        place = (record["tick"], record["client"] if by_client else 0)
        leaves = server.left_queue(record)
        assert record["tick"] < leaves <= server.next_crash(record["tick"]) or \
            leaves == NEVER and server.next_crash(record["tick"]) >= server.horizon
        joined[record["tick"]].append(place)
        if leaves != NEVER:
            left[leaves].append(place)
        abandoned = record["failed_tick"] is not None and record["failed_tick"] < leaves
        if record["dropped_tick"] is not None and leaves not in server.crashes:
            assert server.drop_abandoned and abandoned
        if record["started_tick"] is not None and server.drop_abandoned:
            assert not abandoned
    queue = []
    for tick in sorted({*joined, *left}):
        count = len(left[tick])
        if server.discipline == "fifo":
            taken, queue = queue[:count], queue[count:]
        else:
            queue, taken = queue[:len(queue) - count], queue[len(queue) - count:]
        assert sorted(taken) == sorted(left[tick])
        queue += sorted(joined[tick])


def check_outcomes(server, scenario, policy):
    """Section 4, phase 3."""
    places = defaultdict(list)  # by tick, in the order of clients: how the request fared
    for record in server.attempts:
        tick, outcome = record["tick"], record["outcome"]
        state = server.state(tick)
        started_at_once = record["started_tick"] == tick
        if outcome == "short_circuited":
            assert "breaker" in policy
            continue
        if outcome == "request_lost" and scenario["faults"]["request_loss"] > 0:
            continue
        assert (outcome == "unavailable") == (state == "refusing")
        if outcome == "overloaded":
            assert state == "up" and not server.can_start(tick) and server.is_full(tick)
        elif outcome == "request_lost":
            assert state == "hanging" and server.is_full(tick)
        elif outcome == "accepted" and not started_at_once:
            assert not server.can_start(tick)
        places[tick].append(0 if started_at_once else 1 if outcome == "accepted" else 2)
        if outcome != "accepted":
            assert record["started_tick"] is None and record["dropped_tick"] is None
    if server.tie_break == "client":
        assert all(fared == sorted(fared) for fared in places.values())


def in_order_of_start(server):
    """The started requests of each client, in the order in which they were started."""
    by_client = defaultdict(list)
    for record in server.started:
        by_client[record["client"]].append(record)
    sign = 1 if server.discipline == "fifo" else -1
    for records in by_client.values():
        records.sort(key=lambda record: (record["started_tick"], not server.waited(record),
                                         sign * record["attempt"]))
    return by_client


def is_live(server, stored, tick):
    """Whether a key stored at one tick is known at another."""
    kind = server.deduplication["kind"]
    return stored is not None and kind != "none" and \
        not any(stored < loss <= tick for loss in server.key_losses) and \
        (kind == "forever" or tick - stored < server.deduplication["ticks"])


def check_effects_and_responses(server, scenario, policy):
    """Section 5, and phase 4 of section 4."""
    first_lost = scenario["faults"].get("first_response_lost")
    for client, records in in_order_of_start(server).items():
        stored = None
        for index, record in enumerate(records):
            tick, due = record["started_tick"], server.due(record)
            if is_live(server, stored, tick):
                assert record["effect"] == "suppressed"
            else:
                assert record["effect"] == ("duplicate" if index else "applied")
                stored = tick
            must_be_lost = index == 0 and first_lost is not None and \
                client % first_lost["every"] == first_lost["offset"]
            may_be_lost = must_be_lost or scenario["faults"]["response_loss"] > 0
            if must_be_lost or (may_be_lost and record["response"] == "lost"):
                response = "lost"
            elif server.next_crash(tick) <= min(due, server.horizon - 1):
                response = "crashed"
            elif due >= server.horizon:
                response = "none"
            else:
                response = "acknowledged" if due <= record["tick"] + policy["timeout"] else "late"
            assert record["response"] == response


def check_arrivals(scenario, ticks):
    """Section 3. ticks: by client."""
    arrivals, clients = scenario["arrivals"], range(scenario["clients"])
    assert sorted(ticks) == list(clients)
    if arrivals["kind"] == "burst":
        assert set(ticks.values()) == {arrivals["at"]}
    elif arrivals["kind"] == "spread":
        size = scenario["clients_per_host"]
        interleaved = sorted(clients, key=lambda client: (client % size, client // size))
        assert all(ticks[client] == rank * arrivals["over"] // len(clients)
                   for rank, client in enumerate(interleaved))
    else:
        assert all(0 <= tick < arrivals["over"] for tick in ticks.values())


def check_failure(scenario, policy, record):
    """Phase 5: when it failed."""
    if record["response"] == "acknowledged":
        failed = None
    elif record["outcome"] in ("accepted", "request_lost"):
        failed = record["tick"] + policy["timeout"]
    else:
        failed = record["tick"]
    assert record["failed_tick"] == (failed if failed is None or failed < scenario["horizon"]
                                     else None)


def check_next(scenario, policy, record, arrival):
    """Phase 5 and section 6: whether and when it is tried again."""
    if record["failed_tick"] is None or record["attempt"] == policy["attempts"]:
        assert record["next_tick"] is None
        return
    if record["next_tick"] is None:
        assert "deadline" in policy or "budget" in policy
        return
    assert record["next_tick"] - arrival <= policy.get("deadline", NEVER)
    delay = record["next_tick"] - record["failed_tick"]
    is_refused = record["outcome"] in ("unavailable", "overloaded")
    hint = scenario["server"]["retry_after"] if is_refused else 0
    longest = policy.get("max_delay", NEVER)
    if hint and policy["on_retry_after"] == "replace":
        assert delay == hint
    elif hint and policy["on_retry_after"] == "at_least":
        assert hint <= delay <= max(longest, hint)
    else:
        assert 1 <= delay <= longest


def check_clients(scenario, policy, attempts):
    """Attempts follow upon one another."""
    previous, arrivals = {}, {}
    for record in attempts:
        tick, client = record["tick"], record["client"]
        assert 0 <= tick < scenario["horizon"] and 0 <= client < scenario["clients"]
        before = previous.get(client)
        if before is None:
            arrivals[client] = tick
            assert record["attempt"] == 1
        else:
            assert record["attempt"] == before["attempt"] + 1 <= policy["attempts"]
            assert before["next_tick"] == tick
        check_failure(scenario, policy, record)
        check_next(scenario, policy, record, arrivals[client])
        previous[client] = record
    check_arrivals(scenario, arrivals)
    # No attempt is missing: whoever is due before the horizon has made that attempt.
    for record in previous.values():
        assert record["next_tick"] is None or record["next_tick"] >= scenario["horizon"]


def check_attempts(scenario, policy, attempts):
    order = [(record["tick"], record["client"]) for record in attempts]
    assert order == sorted(set(order))
    assert all(list(record) == ATTEMPT for record in attempts)
    server = Server(scenario, attempts)
    for record in attempts:
        if record["started_tick"] is None:
            assert (record["effect"], record["response"]) == ("none", "none")
        else:
            assert record["tick"] <= record["started_tick"] < scenario["horizon"]
    check_limits(server)
    check_queue(server)
    check_outcomes(server, scenario, policy)
    check_effects_and_responses(server, scenario, policy)
    check_clients(scenario, policy, attempts)
    return server


def load_from(server):
    load = {}

    def row(tick):
        return load.setdefault(tick, dict.fromkeys(LOAD, 0) | {"tick": tick})

    for record in server.attempts:
        row(record["tick"])["attempts"] += 1
        row(record["tick"])[OUTCOMES[record["outcome"]]] += 1
        if record["dropped_tick"] is not None:
            row(record["dropped_tick"])["dropped"] += 1
    for record in server.started:
        row(record["started_tick"])["started"] += 1
        row(record["started_tick"])["effects"] += record["effect"] in ("applied", "duplicate")
        if record["response"] == "acknowledged":
            row(server.due(record))["acknowledged"] += 1
    for tick in load:
        load[tick]["queued"] = server.queued.at(tick)
    return [load[tick] for tick in sorted(load)]


def stopped_states(policy, record):
    """The states in which the client may be that has made this attempt last."""
    if record["failed_tick"] is None:
        return ["awaiting"]
    if record["next_tick"] is not None:
        return ["scheduled"]
    if record["attempt"] == policy["attempts"]:
        return ["exhausted"]
    return [state for state, member in [("deadline_exceeded", "deadline"),
                                        ("budget_denied", "budget")] if member in policy]


def clients_from(server, policy, reported):
    """The clients; where the records leave two states open, the one that was reported."""
    clients = {}
    for record in server.attempts:
        row = clients.setdefault(record["client"], {
            "client": record["client"], "arrival": record["tick"], "state": "", "attempts": 0,
            "effects": 0, "acknowledged_tick": None, "next_tick": None})
        row["attempts"] += 1
        row["effects"] += record["effect"] in ("applied", "duplicate")
        row["next_tick"] = record["next_tick"]
        if record["response"] == "acknowledged":
            row["state"], row["acknowledged_tick"] = "acknowledged", server.due(record)
        else:
            states = stopped_states(policy, record)
            state = reported[record["client"]]["state"]
            row["state"] = state if state in states else states[0]
    return [clients[client] for client in sorted(clients)]


def nearest_rank(values, percent):
    """Number ceil(percent * m / 100) of m sorted values, counting from 1; None of none."""
    return sorted(values)[-(-percent * len(values) // 100) - 1] if values else None


def peak_of(attempts):
    loads = Counter(record["tick"] for record in attempts
                    if record["outcome"] in ("accepted", "overloaded", "unavailable"))
    tick = min(loads, key=lambda tick: (-loads[tick], tick), default=None)
    return {"tick": tick, "requests": loads[tick]}


def summary_from(server, clients):
    attempts = server.attempts
    outcomes = Counter(OUTCOMES[record["outcome"]] for record in attempts)
    effects = Counter(record["effect"] for record in attempts)
    responses = Counter(record["response"] for record in attempts)
    states = Counter(row["state"] for row in clients)
    times = [row["acknowledged_tick"] - row["arrival"] for row in clients
             if row["state"] == "acknowledged"]
    return {
        "clients": len(clients), "attempts": len(attempts),
        **{outcome: outcomes[outcome] for outcome in OUTCOMES.values()},
        "started": len(server.started),
        "dropped": sum(record["dropped_tick"] is not None for record in attempts),
        "effects": effects["applied"] + effects["duplicate"],
        "duplicate_effects": effects["duplicate"], "suppressed_effects": effects["suppressed"],
        **{f"{response}_responses": responses[response]
           for response in ("lost", "crashed", "late")},
        "timeouts": sum(record["failed_tick"] is not None and
                        record["outcome"] in ("accepted", "request_lost") for record in attempts),
        **{state: states[state] for state in ("acknowledged", "exhausted", "deadline_exceeded",
                                              "budget_denied", "awaiting", "scheduled")},
        "applied_unacknowledged": sum(row["effects"] > 0 and row["state"] != "acknowledged"
                                      for row in clients),
        "peak_load": peak_of(attempts),
        "last_acknowledged_tick": max((row["acknowledged_tick"] for row in clients
                                       if row["state"] == "acknowledged"), default=None),
        "time_to_acknowledge": {
            **{f"p{percent}": nearest_rank(times, percent) for percent in (50, 90, 99)},
            "max": max(times, default=None)},
    }


def check_result(scenario, policy, result):
    assert list(result) == RESULT
    assert result["policy"] == policy["name"]
    server = check_attempts(scenario, policy, result["attempts"])
    assert result["clients"] == clients_from(server, policy, result["clients"])
    assert result["load"] == load_from(server)
    assert result["summary"] == summary_from(server, result["clients"])
    for rows, members in [(result["load"], LOAD), (result["clients"], CLIENT),
                          ([result["summary"]], SUMMARY)]:
        assert all(list(row) == members for row in rows)
    summary = result["summary"]
    assert sum(summary[outcome] for outcome in OUTCOMES.values()) == summary["attempts"]
    assert sum(summary[state] for state in (
        "acknowledged", "exhausted", "deadline_exceeded", "budget_denied", "awaiting",
        "scheduled")) == summary["clients"] == scenario["clients"]
