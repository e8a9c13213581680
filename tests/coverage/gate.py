#!/usr/bin/env python3
"""Holds the coverage of both models to its bounds, and shows what is missing.

    llvm-cov export -summary-only ... | gate.py

Lines and branches must be covered entirely, conditions (MC/DC) to 95 %. Assertions count as their condition alone:
their failing side is unreachable by design.
"""
import json
import sys

BOUNDS = {"lines": 100.0, "branches": 100.0, "mcdc": 95.0}
ROOMS = ("engine/", "reference_model/")


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
            for kind, total in totals.items():
                counts = file["summary"][kind]
                total["count"] += counts["count"]
                total["covered"] += counts["covered"]
                if counts["covered"] < counts["count"] and kind != "mcdc":
                    missing = counts["count"] - counts["covered"]
                    print(f"{name[name.index(room):]}: {missing} {kind} missing")
        for kind, total in totals.items():
            percent = covered(total)
            verdict = "" if percent >= BOUNDS[kind] else f"  below {BOUNDS[kind]:.0f} %"
            failures += percent < BOUNDS[kind]
            print(f"{room:<18}{kind:<10}{total['covered']:>6} of {total['count']:>6}"
                  f"  {percent:6.2f} %{verdict}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
