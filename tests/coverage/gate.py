#!/usr/bin/env python3
"""Holds the coverage of both models to its bounds, and shows what is missing.

    llvm-cov export -summary-only ... | gate.py

Lines and branches must be covered entirely, conditions (MC/DC) to 95 %. Assertions count as their
condition alone: their failing side is unreachable by design. What else is, is named in UNREACHABLE.
"""
import json
import sys

BOUNDS = {"lines": 100.0, "branches": 100.0, "mcdc": 95.0}
ROOMS = ("engine/", "reference_model/")

# Lines and branches that no run can reach, in files where they stand.
UNREACHABLE = {
    "engine/src/check.cpp": (3, 0),  # ends the program, and with it the measurement: check_test
    "engine/src/json.cpp": (1, 0),  # binary values, which JSON texts do not hold
    "engine/src/plan.cpp": (4, 0),  # the table of a decorrelated delay, which has none
    "reference_model/src/json_text.cpp": (1, 0),  # binary values
}


def covered(counts):
    return 100.0 * counts["covered"] / counts["count"] if counts["count"] else 100.0


def main():
    files = json.load(sys.stdin)["data"][0]["files"]
    failures = 0
    for room in ROOMS:
        totals = {kind: {"count": 0, "covered": 0} for kind in BOUNDS}
        for file in files:
            name = file["filename"]
            if f"/{room}" not in name:
                continue
            name = name[name.index(room):]
            unreachable = dict(zip(("lines", "branches"), UNREACHABLE.get(name, (0, 0))))
            for kind, total in totals.items():
                counts = file["summary"][kind]
                count = counts["count"] - unreachable.get(kind, 0)
                total["count"] += count
                total["covered"] += counts["covered"]
                if counts["covered"] < count and kind != "mcdc":
                    print(f"{name}: {count - counts['covered']} {kind} missing")
                if counts["covered"] > count:
                    print(f"{name}: {kind} are reached that UNREACHABLE names")
                    failures += 1
        for kind, total in totals.items():
            percent = covered(total)
            verdict = "" if percent >= BOUNDS[kind] else f"  below {BOUNDS[kind]:.0f} %"
            failures += percent < BOUNDS[kind]
            print(f"{room:<18}{kind:<10}{total['covered']:>6} of {total['count']:>6}"
                  f"  {percent:6.2f} %{verdict}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
