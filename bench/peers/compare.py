#!/usr/bin/python3
"""This engine and other simulators, side by side in one run: ./dev bench peers

    compare.py FOLDER [--check]      FOLDER has the programs; --check: only whether totals agree
"""
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TURNS = 5
POLICIES = ("fixed delay", "bounded jitter")
# Participants, and as many clients as each can do in a few seconds.
PEERS = {"priority_queue": 1_000_000, "ns3": 100_000, "simgrid": 10_000, "simpy": 10_000}
TOTALS = ("attempts", "effects", "duplicate_effects", "acknowledged", "exhausted")
# docs/model.md, section 10.
PUBLISHED = {0: (26, 9, 2, 6), 1: (26, 10, 2, 7)}
# An attempt that waits is written once and read once, as 8 bytes.
BYTES_PER_ATTEMPT = 16
COPY_CLIENTS = 100_000_000


def command(folder, name):
    """How the participant is called, or None if it is not there."""
    if name == "simpy":
        has_simpy = subprocess.run(["/usr/bin/python3", "-c", "import simpy"],
                                   capture_output=True).returncode == 0
        return ["/usr/bin/python3", str(HERE / "simpy_peer.py")] if has_simpy else None
    program = folder / f"{name}_peer"
    return [str(program)] if program.exists() else None


def measured(call, *arguments):
    result = subprocess.run([*call, *map(str, arguments)], capture_output=True, check=True)
    return json.loads(result.stdout)


def totals_of(result):
    return tuple(result[name] for name in TOTALS)


def check(calls):
    """Whether all that are there give the published totals, and the engine's for more clients."""
    is_right = True
    for policy, published in PUBLISHED.items():
        for clients in (8, 1000):
            expected = totals_of(measured(calls["engine"], clients, policy))
            if clients == 8 and expected[:4] != published:
                print(f"engine: {expected}, published are {published}")
                is_right = False
            for name, call in calls.items():
                if call and totals_of(measured(call, clients, policy)) != expected:
                    print(f"{name}: other totals than the engine's, {clients} clients, {POLICIES[policy]}")
                    is_right = False
    return is_right


def medians(call, engine, clients, policy):
    """Medians of the participant and of the engine, measured in turn."""
    pairs = [(measured(call, clients, policy), measured(engine, clients, policy))
             for _ in range(TURNS)]
    assert all(totals_of(theirs) == totals_of(ours) for theirs, ours in pairs)
    return [{"speed": pair[0]["attempts"] / statistics.median(result["seconds"] for result in pair),
             "memory": statistics.median(result["peak_bytes"] for result in pair) / clients}
            for pair in zip(*pairs)]


def grouped(number):
    return f"{number:,.0f}".replace(",", " ")


def compare(calls):
    for policy, title in enumerate(POLICIES):
        print(f"\n{title}, medians of {TURNS}")
        print(f"{'':<16}{'clients':>10}{'attempts/s':>15}{'bytes/client':>14}{'engine, same clients':>22}"
              f"{'ratio':>9}")
        for name, clients in PEERS.items():
            if not calls[name]:
                print(f"{name:<16}  not installed")
                continue
            theirs, ours = medians(calls[name], calls["engine"], clients, policy)
            print(f"{name:<16}{grouped(clients):>10}{grouped(theirs['speed']):>15}"
                  f"{theirs['memory']:>14.1f}{grouped(ours['speed']):>22}"
                  f"{grouped(ours['speed'] / theirs['speed']):>9}")


def show_limit(engine):
    runs = [(measured(engine, "copy")["bytes_per_second"],
             measured(engine, COPY_CLIENTS, 1)) for _ in range(TURNS)]
    bandwidth = statistics.median(copy for copy, _ in runs)
    speed = statistics.median(run["attempts"] / run["seconds"] for _, run in runs)
    print(f"\na copy moves {bandwidth / 1e9:.1f} GB/s (read and written); the engine {grouped(speed)} attempts/s "
          f"with {grouped(COPY_CLIENTS)} clients\nand bounded jitter, {BYTES_PER_ATTEMPT} bytes each: "
          f"{100 * speed * BYTES_PER_ATTEMPT / bandwidth:.0f} % of that")


def main():
    folder = pathlib.Path(sys.argv[1])
    calls = {name: command(folder, name) for name in ("engine", *PEERS)}
    if not check(calls):
        return 1
    print("the same totals:", ", ".join(name for name, call in calls.items() if call))
    if sys.argv[2:] != ["--check"]:
        compare(calls)
        show_limit(calls["engine"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
