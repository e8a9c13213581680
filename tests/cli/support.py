"""What the command-line tests share: running the program, and scenarios to change."""
import copy
import json
import os
import pathlib
import re
import subprocess
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "docs" / "model.md"
SCENARIOS = ROOT / "golden" / "scenarios"
PUBLISHED = SCENARIOS / "published"
GOLDEN = sorted(SCENARIOS.glob("*.json"))
SCHEMA = ROOT / "engine" / "schema" / "scenario.schema.json"

DONE, COMPARISON_FAILED, USAGE, INVALID_INPUT, INPUT_OUTPUT, OVER_MEMORY = range(6)
COMMANDS = ("run", "export", "attempts", "delays", "report", "sweep", "verify", "check", "new",
            "import", "schema")
PRESETS = ("lost-responses", "lost-responses-deduplicated", "outage", "capacity", "horizon",
           "jitter-comparison", "retry-storm", "retry-storm-budget", "retry-storm-breaker",
           "crash-loses-keys", "key-expiry", "rate-limit")
MISSING = object()


def program():
    return os.path.abspath(os.environ["RETRYGARDEN"])


def run(*arguments, stdin=b"", timeout=50, **options):
    """Runs the program; standard output and error are bytes unless redirected by options."""
    if isinstance(stdin, str):
        stdin = stdin.encode("utf-8")
    if "stdin_file" in options:
        options["stdin"] = options.pop("stdin_file")
    else:
        options["input"] = stdin
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([program(), *map(os.fspath, map(_text, arguments))], timeout=timeout,
                          check=False, **options)


def peak_kibibytes(arguments):
    """The largest resident set of a call that must succeed.

    A child of this process would start with its size; one of the small program time does not.
    """
    call = ["/usr/bin/time", "-f", "%M", program(), *map(str, arguments)]
    result = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True,
                            text=True)
    return int(result.stderr)


def _text(argument):
    return argument if isinstance(argument, (str, bytes, os.PathLike)) else str(argument)


def output_of(*arguments, **options):
    """Standard output, as text, of a call that must succeed without a word on standard error."""
    result = run(*arguments, **options)
    assert (result.returncode, result.stderr) == (DONE, b""), result
    return result.stdout.decode("utf-8")


def assert_refused(result, exit_code):
    """The call failed with this code and a message, and wrote no result; returns the message."""
    message = result.stderr.decode("utf-8")
    assert result.returncode == exit_code, result
    assert not result.stdout, result
    assert message.strip(), "no message"
    return message


def check_text(text):
    """`retrygarden check` of a scenario's text."""
    return run("check", "-", stdin=text)


def fault_places(result):
    """The places, pointers or lines and columns, of the faults of a refused scenario."""
    message = assert_refused(result, INVALID_INPUT)
    return re.findall(r"^  (/.*?|the document|line \d+, column \d+): expected ", message,
                      re.MULTILINE)


def base_scenario(**changes):
    """The smallest scenario: one client, one policy, nothing optional."""
    scenario = {
        "retrygarden": 1, "clients": 1, "horizon": 10, "seed": 0, "server": {"capacity": 1},
        "policies": [policy("only")],
    }
    scenario.update(changes)
    return scenario


def policy(name, attempts=3, delay=None, timeout=None, **changes):
    return {"name": name, "attempts": attempts,
            **({} if timeout is None else {"timeout": timeout}),
            "delay": delay or {"kind": "fixed", "ticks": 1}, **changes}


def full_scenario():
    """A scenario in which every member stands that the format has, apart from other kinds' ones.

    Policies: 0 fixed, with all that is optional; 1 linear, with the other kind of budget;
    2 exponential, 3 list, 4 decorrelated, 5 list with a pair.
    """
    return {
        "retrygarden": 1, "$schema": "schema", "name": "name", "description": "description",
        "tick": "10ms", "clients": 5, "clients_per_host": 2, "horizon": 50, "seed": 3,
        "arrivals": {"kind": "burst", "at": 1},
        "server": {"capacity": 2, "capacity_window": 2, "service_ticks": 1, "concurrency": 4,
                   "queue": 3, "discipline": "lifo", "drop_abandoned": True, "retry_after": 2,
                   "tie_break": "random",
                   "outages": [{"from": 2, "ticks": 3, "kind": "crash", "loses_keys": True}],
                   "deduplication": {"kind": "ttl", "ticks": 4}},
        "faults": {"first_response_lost": {"every": 3, "offset": 2}, "response_loss": 0.1,
                   "request_loss": 0.2},
        "policies": [
            policy("fixed", description="about it", timeout=3, jitter={"kind": "proportional", "fraction": 0.5},
                   max_delay=7, deadline=40, on_retry_after="at_least",
                   budget={"kind": "tokens", "capacity": 6, "initial": 5, "tick_refill": 0.1,
                           "attempt_deposit": 0.2, "success_deposit": 0.3, "refund": True,
                           "failure_cost": 0.4, "retry_cost": 1, "timeout_cost": 1.5,
                           "threshold": 0.5},
                   breaker={"window": 4, "failures": 3, "open_ticks": 5, "probes": 2}),
            policy("linear", timeout=3, delay={"kind": "linear", "base": 2, "step": 1, "cap": 9},
                   jitter={"kind": "scaled", "from": 0.5, "to": 1.5},
                   budget={"kind": "concurrent", "fraction": 0.5, "minimum": 1}),
            policy("exponential", timeout=3,
                   delay={"kind": "exponential", "base": 2, "multiplier": 1.5, "cap": 9}),
            policy("list", timeout=3, delay={"kind": "list", "ticks": [1, 2]}),
            policy("decorrelated", timeout=3,
                   delay={"kind": "decorrelated", "base": 2, "cap": 9}),
            policy("pair", timeout=3, delay={"kind": "list", "ticks": [[2, 3], 4]}),
        ],
    }


def changed(scenario, pointer, value):
    """A copy in which the value at the JSON Pointer is replaced, added, or (MISSING) removed."""
    scenario = copy.deepcopy(scenario)
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    place = scenario
    for part in path:
        place = place[int(part) if isinstance(place, list) else part]
    last = int(last) if isinstance(place, list) else last
    if value is MISSING:
        del place[last]
    else:
        place[last] = value
    return scenario


def with_literal(scenario, pointer, literal):
    """The scenario's text with this text, not necessarily JSON, as the value at the pointer."""
    mark = "here it stands"
    text = json.dumps(changed(scenario, pointer, mark))
    assert text.count(f'"{mark}"') == 1
    return text.replace(f'"{mark}"', literal)


def display_width(text):
    """The terminal columns of a text, by Unicode's East Asian widths."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def control_characters(text):
    """The control characters (C0, DEL, C1) of a text, apart from line feeds."""
    return [c for c in text if unicodedata.category(c) == "Cc" and c != "\n"]
