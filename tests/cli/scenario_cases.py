"""Invalid scenarios, each with one fault, for the tests of the reader and of the schema.

A case is (name, text, pointer of the fault, whether the JSON Schema can tell).
"""
import json

from support import MISSING, base_scenario, changed, full_scenario, policy, with_literal

FULL = full_scenario()
SPREAD = changed(FULL, "/arrivals", {"kind": "spread", "over": 7})
RANDOM = changed(FULL, "/arrivals", {"kind": "random", "over": 7})
TICKS = 2**31 - 1
COUNT = 2**32 - 1
DELAY = 2**30
RESULTS = 10**6

# (scenario, pointer, least, greatest, whether the schema knows the least and the greatest)
RANGES = [
    (FULL, "/retrygarden", 1, 1, True, True),
    (FULL, "/clients", 1, COUNT, True, True),
    (FULL, "/clients_per_host", 1, COUNT, True, True),
    (base_scenario(), "/horizon", 1, TICKS, True, True),
    (FULL, "/seed", 0, 2**53 - 1, True, True),
    (FULL, "/arrivals/at", 0, 49, True, False),
    (changed(FULL, "/horizon", TICKS), "/arrivals/at", 0, TICKS - 1, True, True),
    (SPREAD, "/arrivals/over", 1, 50, True, False),
    (changed(SPREAD, "/horizon", TICKS), "/arrivals/over", 1, TICKS, True, True),
    (RANDOM, "/arrivals/over", 1, 50, True, False),
    (changed(RANDOM, "/horizon", TICKS), "/arrivals/over", 1, TICKS, True, True),
    (FULL, "/server/capacity", 0, COUNT, True, True),
    (FULL, "/server/capacity_window", 1, TICKS, True, True),
    (FULL, "/server/service_ticks", 0, DELAY, True, True),
    (FULL, "/server/concurrency", 1, COUNT, True, True),
    (FULL, "/server/queue", 0, COUNT, True, True),
    (FULL, "/server/retry_after", 0, DELAY, True, True),
    (FULL, "/server/outages/0/from", 0, TICKS, True, True),
    (FULL, "/server/outages/0/ticks", 1, TICKS, True, True),
    (FULL, "/server/deduplication/ticks", 1, TICKS, True, True),
    (changed(FULL, "/faults/first_response_lost/offset", MISSING),
     "/faults/first_response_lost/every", 1, COUNT, True, True),
    (FULL, "/faults/first_response_lost/offset", 0, 2, True, False),
    (changed(FULL, "/faults/first_response_lost/every", COUNT),
     "/faults/first_response_lost/offset", 0, COUNT - 1, True, True),
    (FULL, "/policies/0/attempts", 1, COUNT, True, True),
    (FULL, "/policies/0/timeout", 0, DELAY, True, True),
    (FULL, "/policies/0/max_delay", 1, DELAY, True, True),
    (FULL, "/policies/0/deadline", 0, TICKS, True, True),
    (FULL, "/policies/1/budget/minimum", 0, COUNT, True, True),
    (changed(FULL, "/policies/0/breaker/failures", 1), "/policies/0/breaker/window", 1, RESULTS,
     True, True),
    (FULL, "/policies/0/breaker/failures", 1, 4, True, False),
    (changed(FULL, "/policies/0/breaker/window", RESULTS), "/policies/0/breaker/failures", 1,
     RESULTS, True, True),
    (FULL, "/policies/0/breaker/open_ticks", 1, DELAY, True, True),
    (FULL, "/policies/0/breaker/probes", 1, RESULTS, True, True),
    (FULL, "/policies/0/delay/ticks", 1, DELAY, True, True),
    (changed(FULL, "/policies/1/delay/cap", DELAY), "/policies/1/delay/base", 1, DELAY, True,
     True),
    (FULL, "/policies/1/delay/step", 0, DELAY, True, True),
    (FULL, "/policies/1/delay/cap", 2, DELAY, False, True),
    (changed(FULL, "/policies/1/delay/base", 1), "/policies/1/delay/cap", 1, DELAY, True, True),
    (changed(FULL, "/policies/2/delay/cap", DELAY), "/policies/2/delay/base", 1, DELAY, True,
     True),
    (FULL, "/policies/2/delay/cap", 2, DELAY, False, True),
    (changed(FULL, "/policies/2/delay/base", 1), "/policies/2/delay/cap", 1, DELAY, True, True),
    (FULL, "/policies/3/delay/ticks/0", 1, DELAY, True, True),
    (FULL, "/policies/3/delay/ticks/1", 1, DELAY, True, True),
    (changed(FULL, "/policies/4/delay/cap", DELAY), "/policies/4/delay/base", 1, DELAY, True,
     True),
    (FULL, "/policies/4/delay/cap", 2, DELAY, False, True),
    (changed(FULL, "/policies/4/delay/base", 1), "/policies/4/delay/cap", 1, DELAY, True, True),
    (changed(FULL, "/policies/5/delay/ticks/0/1", DELAY), "/policies/5/delay/ticks/0/0", 1, DELAY,
     True, True),
    (FULL, "/policies/5/delay/ticks/0/1", 2, DELAY, False, True),
    (changed(FULL, "/policies/5/delay/ticks/0/0", 1), "/policies/5/delay/ticks/0/1", 1, DELAY,
     True, True),
    (FULL, "/policies/5/delay/ticks/1", 1, DELAY, True, True),
]

MULTIPLIER = "/policies/2/delay/multiplier"
FRACTION = "/policies/0/jitter/fraction"
SHARES = [FRACTION, "/faults/response_loss", "/faults/request_loss", "/policies/1/budget/fraction"]
SCALE_FROM, SCALE_TO = "/policies/1/jitter/from", "/policies/1/jitter/to"
BUDGET = "/policies/0/budget"
INITIAL = f"{BUDGET}/initial"  # at most the capacity, which is 6
TOKENS = [f"{BUDGET}/{member}" for member in
          ("tick_refill", "attempt_deposit", "success_deposit", "failure_cost", "retry_cost",
           "timeout_cost", "threshold")]
CAPACITY = f"{BUDGET}/capacity"  # at least the initial tokens, which are 5
FRACTIONS_ACCEPTED = [
    *((MULTIPLIER, text) for text in ("1", "1.0", "1.01", "1.010000", "1000", "1000.000000")),
    *((pointer, text) for pointer in SHARES
      for text in ("0", "-0", "-0.0", "0.000001", "1", "1.000000")),
    *((SCALE_FROM, text) for text in ("0", "-0.0", "0.000001", "1.5", "1.500000")),
    *((SCALE_TO, text) for text in ("0.5", "0.500001", "2", "2.000000")),
    *((pointer, text) for pointer in TOKENS
      for text in ("0", "-0.0", "0.000001", "999999999.999999", "1000000000", "1000000000.0")),
    *((INITIAL, text) for text in ("0", "-0.0", "0.000001", "5.999999", "6", "6.000000")),
]
FRACTIONS_REFUSED = [  # (pointer, text, whether the schema can tell)
    (MULTIPLIER, "0", True), (MULTIPLIER, "-1", True), (MULTIPLIER, "0.999999", True),
    (MULTIPLIER, "1.000001", True), (MULTIPLIER, "1.009999", True),
    (MULTIPLIER, "1000.000001", True), (MULTIPLIER, "1001", True), (MULTIPLIER, "-2", True),
    (MULTIPLIER, "2.0000000", False), (MULTIPLIER, "1.0000000", False),
    (MULTIPLIER, "1.5000001", False), (MULTIPLIER, "2e0", False), (MULTIPLIER, "2E0", False),
    (MULTIPLIER, "20e-1", False), (MULTIPLIER, "99999999999999999999", True),
    (FRACTION, "-0.000001", True), (FRACTION, "1.000001", True), (FRACTION, "2", True),
    (FRACTION, "-1", True), (FRACTION, "0.0000001", False), (FRACTION, "0.0000000", False),
    (FRACTION, "0.1234567", False), (FRACTION, "1e0", False), (FRACTION, "0e0", False),
    (FRACTION, "1e-3", False), (FRACTION, "18446744073709551616.5", True),
    *((pointer, text, knows) for pointer in SHARES[1:]
      for text, knows in (("-0.000001", True), ("1.000001", True), ("2", True),
                          ("0.0000001", False), ("1e0", False))),
    (SCALE_FROM, "-0.000001", True), (SCALE_FROM, "2.000001", True), (SCALE_FROM, "3", True),
    (SCALE_FROM, "0.0000001", False), (SCALE_FROM, "1e0", False),
    (SCALE_TO, "0.499999", False), (SCALE_TO, "0", False), (SCALE_TO, "-1", True),
    (SCALE_TO, "2.000001", True), (SCALE_TO, "3", True), (SCALE_TO, "1.0000000", False),
    *((pointer, text, knows) for pointer in TOKENS
      for text, knows in (("-0.000001", True), ("1000000000.000001", True),
                          ("1000000001", True), ("1000000000000", True), ("7.0000000", False),
                          ("7e0", False))),
    (INITIAL, "-0.000001", True), (INITIAL, "6.000001", False), (INITIAL, "7", False),
    (INITIAL, "1000000001", True), (INITIAL, "1e0", False),
]

FRACTIONS = [MULTIPLIER, *SHARES, SCALE_FROM, SCALE_TO, INITIAL, *TOKENS]
INTEGERS = sorted({pointer for _, pointer, *_ in RANGES if pointer != "/arrivals/over"})
STRINGS = ["/$schema", "/name", "/description", "/policies/0/name", "/policies/0/description"]
TICKS = ["1ns", "10us", "999999ms", "1s", "15min", "24h"]
NO_TICKS = ["", "1", "ms", "0ms", "01ms", "1000000ms", "1.5s", "-1s", "+1s", "1 ms", " 1ms", "1ms ",
            "1MS", "1m", "1d", "1msec", "1µs", "1e3s", "\u0661s", "1ms\u0000", "1s1s"]
KINDS = ["/arrivals/kind", "/server/deduplication/kind",
         *(f"/policies/{i}/delay/kind" for i in range(6)), "/policies/0/jitter/kind",
         "/policies/1/jitter/kind", "/policies/0/budget/kind", "/policies/1/budget/kind"]
CHOICES = ["/server/discipline", "/server/tie_break", "/server/outages/0/kind",
           "/policies/0/on_retry_after"]
BOOLEANS = ["/server/drop_abandoned", "/server/outages/0/loses_keys", f"{BUDGET}/refund"]
OBJECTS = ["/arrivals", "/server", "/server/outages/0", "/server/deduplication", "/faults",
           "/faults/first_response_lost", "/policies/0", "/policies/0/delay",
           "/policies/0/jitter", "/policies/1/jitter", "/policies/0/budget", "/policies/1/budget",
           "/policies/0/breaker"]
LISTS = ["/server/outages", "/policies", "/policies/3/delay/ticks", "/policies/5/delay/ticks"]
PAIRS = ["/policies/5/delay/ticks/0"]  # or a number
VALUES = {"null": None, "true": True, "number": 1, "text": "1", "list": [], "object": {}}
FITTING = [(INTEGERS, {"number"}), (FRACTIONS, {"number"}), (STRINGS, {"text"}),
           (KINDS + CHOICES + ["/tick"], {}), (BOOLEANS, {"true"}), (OBJECTS, {"object"}), (LISTS, {"list"}),
           (PAIRS, {"number"})]

REQUIRED = ["/retrygarden", "/clients", "/horizon", "/seed", "/server", "/server/capacity",
            "/server/outages/0/from", "/server/outages/0/ticks", "/server/deduplication/kind",
            "/server/deduplication/ticks", "/faults/first_response_lost/every", "/policies",
            "/policies/0/name", "/policies/0/attempts", "/policies/0/delay",
            "/policies/0/delay/kind", "/policies/0/delay/ticks", "/policies/1/delay/base",
            "/policies/1/delay/step", "/policies/1/delay/cap", "/policies/2/delay/base",
            "/policies/2/delay/cap", "/policies/3/delay/ticks", "/policies/4/delay/base",
            "/policies/4/delay/cap", "/policies/0/jitter/kind", "/policies/0/jitter/fraction",
            "/policies/5/delay/ticks", "/policies/1/jitter/kind", "/policies/1/jitter/from",
            "/policies/1/jitter/to", "/policies/0/budget/kind", CAPACITY,
            "/policies/1/budget/kind", "/policies/1/budget/fraction", "/policies/1/budget/minimum",
            *(f"/policies/0/breaker/{member}"
              for member in ("window", "failures", "open_ticks", "probes")),
            *(f"/policies/{i}/timeout" for i in range(6))]  # the server takes time

# Where the format has objects: an unknown member is an error in each of them.
UNKNOWN_MEMBER_IN = ["", *OBJECTS, *(f"/policies/{i}" for i in range(1, 6)),
                     *(f"/policies/{i}/delay" for i in range(1, 6))]
OTHER_KINDS = [  # a member that belongs to another kind of the same object
    (SPREAD, "/arrivals/at"), (RANDOM, "/arrivals/at"), (FULL, "/arrivals/over"),
    (changed(FULL, "/server/deduplication", {"kind": "none"}), "/server/deduplication/ticks"),
    (changed(FULL, "/server/deduplication", {"kind": "forever"}), "/server/deduplication/ticks"),
    (FULL, "/policies/0/delay/base"), (FULL, "/policies/0/delay/cap"),
    (FULL, "/policies/1/delay/multiplier"), (FULL, "/policies/1/delay/ticks"),
    (FULL, "/policies/2/delay/step"), (FULL, "/policies/3/delay/cap"),
    (FULL, "/policies/4/delay/multiplier"), (FULL, "/policies/4/delay/step"),
    *((changed(FULL, "/policies/0/jitter", {"kind": kind}), f"/policies/0/jitter/{member}")
      for kind in ("none", "full", "equal") for member in ("fraction", "from", "to")),
    (FULL, "/policies/0/jitter/from"), (FULL, "/policies/0/jitter/to"),
    (FULL, "/policies/1/jitter/fraction"),
    (FULL, "/policies/0/budget/fraction"), (FULL, "/policies/0/budget/minimum"),
    *((FULL, f"/policies/1/budget/{member}")
      for member in FULL["policies"][0]["budget"] if member != "kind"),
]


def _case(name, scenario, pointer, in_schema):
    text = scenario if isinstance(scenario, str) else json.dumps(scenario)
    return name, text, pointer, in_schema


def range_cases():
    for scenario, pointer, least, greatest, knows_least, knows_greatest in RANGES:
        for value, knows in ((least - 1, knows_least), (greatest + 1, knows_greatest)):
            yield _case(f"{pointer} {value}", changed(scenario, pointer, value), pointer, knows)
    for pointer in INTEGERS:
        for value in (2**53, 2**63, 2**64, 10**40, -2**63 - 1):
            if not (pointer == "/seed" and value < 2**53):
                yield _case(f"{pointer} {value:.0e}", changed(FULL, pointer, value), pointer, True)


def integer_text_cases():
    for pointer in INTEGERS:
        value = _at(FULL, pointer)
        for text in (f"{value}.0", f"{value}e0", f"{value}E+0"):
            yield _case(f"{pointer} {text}", with_literal(FULL, pointer, text), pointer, False)
        yield _case(f"{pointer} {value}.5", with_literal(FULL, pointer, f"{value}.5"), pointer,
                    True)


def fraction_cases():
    for text, knows in (("4.999999", False), ("-0.000001", True), ("1000000000.000001", True),
                        ("6.0000000", False), ("6e0", False)):
        pointer = INITIAL if text == "4.999999" else CAPACITY
        yield _case(f"{CAPACITY} {text}", with_literal(FULL, CAPACITY, text), pointer, knows)
    for pointer, text, knows in FRACTIONS_REFUSED:
        yield _case(f"{pointer} {text}", with_literal(FULL, pointer, text), pointer, knows)


def type_cases():
    for pointers, fitting in FITTING:
        for pointer in pointers:
            for name, value in VALUES.items():
                if name not in fitting:
                    yield _case(f"{pointer} {name}", changed(FULL, pointer, value), pointer, True)
    for name, value in VALUES.items():
        if name != "object":
            yield _case(f"document {name}", json.dumps(value), "the document", True)


def member_cases():
    for pointer in REQUIRED:
        yield _case(f"{pointer} missing", changed(FULL, pointer, MISSING), pointer, True)
    for scenario in (SPREAD, RANDOM):
        yield _case("/arrivals/over missing", changed(scenario, "/arrivals/over", MISSING),
                    "/arrivals/over", True)
    yield _case("/arrivals/kind missing", changed(SPREAD, "/arrivals/kind", MISSING),
                "/arrivals/over", True)
    for place in UNKNOWN_MEMBER_IN:
        for member, escaped in (("unknown", "unknown"), ("Kind", "Kind"), ("", ""),
                                ("a/b~c", "a~1b~0c")):
            pointer = f"{place}/{escaped}"
            yield _case(f"{pointer} unknown", changed(FULL, pointer, 1), pointer, True)
        pointer = f"{place}/nothing"
        yield _case(f"{pointer} null", changed(FULL, pointer, None), pointer, True)
    for scenario, pointer in OTHER_KINDS:
        kind = _at(scenario, pointer.rpartition("/")[0])["kind"]
        yield _case(f"{pointer} beside {kind}", changed(scenario, pointer, 1), pointer, True)


def list_and_name_cases():
    for count in (0, 65):
        policies = [policy(str(i)) for i in range(count)]
        yield _case(f"{count} policies", base_scenario(policies=policies), "/policies", True)
    yield _case("empty list of delays", changed(FULL, "/policies/3/delay/ticks", []),
                "/policies/3/delay/ticks", True)
    yield _case("empty name", changed(FULL, "/policies/0/name", ""), "/policies/0/name", True)
    for tick in NO_TICKS:
        yield _case(f"/tick {tick!a}", changed(FULL, "/tick", tick), "/tick", True)
    for kind in KINDS + CHOICES:
        yield _case(f"{kind} unknown", changed(FULL, kind, "Fixed"), kind, True)
        yield _case(f"{kind} empty", changed(FULL, kind, ""), kind, True)
    for jitter in ("none", "full", "equal", "nonsense"):
        yield _case(f"jitter {jitter} beside decorrelated",
                    changed(FULL, "/policies/4/jitter", {"kind": jitter}), "/policies/4/jitter",
                    True)
        yield _case(f"jitter {jitter} beside a pair",
                    changed(FULL, "/policies/5/jitter", {"kind": jitter}), "/policies/5/jitter",
                    True)
    yield _case("null beside decorrelated", changed(FULL, "/policies/4/jitter", None),
                "/policies/4/jitter", True)
    for entry in ([], [2], [2, 3, 4], [[2, 3], 4]):
        yield _case(f"{entry} for a pair", changed(FULL, "/policies/5/delay/ticks/0", entry),
                    "/policies/5/delay/ticks/0" + ("/0" if len(entry) == 2 else ""), True)
    yield _case("equal names", changed(FULL, "/policies/3/name", "fixed"), "/policies/3/name",
                False)
    yield _case("equal names after escapes",
                with_literal(FULL, "/policies/3/name", '"\\u0066ixed"'), "/policies/3/name",
                False)


def timeout_cases():
    """`timeout` is missing in one policy, and one thing makes it required."""
    reasons = {"service_ticks": 1, "queue": 1,
               "outages": [{"from": 0, "ticks": 1}, {"from": 99, "ticks": 1, "kind": "hang"}]}
    for member, value in reasons.items():
        scenario = base_scenario(server={"capacity": 1, member: value},
                                 policies=[policy("with", timeout=0), policy("without")])
        yield _case(f"no timeout beside {member}", scenario, "/policies/1/timeout", True)


def duplicate_cases():
    """Each member of the full scenario twice; a Python reader keeps only the last."""
    places = {"": FULL, **{pointer: _at(FULL, pointer) for pointer in UNKNOWN_MEMBER_IN[1:]}}
    for place, value in places.items():
        for member in value:
            pointer = f"{place}/{member}"
            inner = json.dumps({**value, "twice": value[member]}).replace(
                '"twice":', f'"{member}":')
            text = with_literal(FULL, place, inner) if place else inner
            yield _case(f"{pointer} twice", text, pointer, False)
    escaped = json.dumps({**FULL, "twice": 3}).replace('"twice"', '"s\\u0065ed"')
    yield _case("/seed twice by an escape", escaped, "/seed", False)


def _at(value, pointer):
    for part in pointer.split("/")[1:]:
        value = value[int(part) if isinstance(value, list) else part]
    return value


def all_cases():
    for family in (range_cases, integer_text_cases, fraction_cases, type_cases, member_cases,
                   list_and_name_cases, timeout_cases, duplicate_cases):
        yield from family()


def accepted_at_the_ends():
    """(name, text) of valid scenarios: each range's two ends, and what may be absent."""
    for scenario, pointer, least, greatest, *_ in RANGES:
        for value in sorted({least, greatest}):
            yield f"{pointer} {value}", json.dumps(changed(scenario, pointer, value))
    for pointer, text in FRACTIONS_ACCEPTED:
        yield f"{pointer} {text}", with_literal(FULL, pointer, text)
    for text in ("5", "5.000000", "1000000000", "1000000000.0"):
        yield f"{CAPACITY} {text}", with_literal(FULL, CAPACITY, text)
    for server in ({}, {"service_ticks": 0, "queue": 0}, {"concurrency": 1}, {"retry_after": 1},
                   {"outages": [{"from": 0, "ticks": 1, "kind": "refuse"},
                                {"from": 0, "ticks": 1, "kind": "crash"}]}):
        yield f"no timeout beside {server}", json.dumps(
            base_scenario(server={"capacity": 1, **server}))
    for tick in TICKS:
        yield f"/tick {tick}", json.dumps(changed(FULL, "/tick", tick))
    for count in (1, 64):
        policies = [policy(str(i)) for i in range(count)]
        yield f"{count} policies", json.dumps(base_scenario(policies=policies))
