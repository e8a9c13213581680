#!/usr/bin/python3
"""Runs every verification in full, and writes the figures into docs/verification.md.

    verify.py [STEP...]

Without arguments all steps run, which takes about two hours on two cores; a step that is named alone replaces its own
figure and keeps the others. A figure is what the step printed, never what somebody typed. Exit code 1 if a step failed.
"""
import concurrent.futures
import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "verify"
PAGE = ROOT / "docs" / "verification.md"
BEGIN, END = "<!-- figures: written by ./dev verify -->", "<!-- end of figures -->"
FUZZ_SECONDS = 300
FUZZ_TARGETS = ("read_scenario", "read_write_read", "verify_damaged_export", "differential",
                "import")


class Failed(Exception):
    """A step that did not end well."""


def run(name, command, **environment):
    """What the command prints; its output is kept in build/verify/NAME.log."""
    variables = " ".join(f"{key}='{value}'" for key, value in environment.items())
    log = LOGS / f"{name}.log"
    with log.open("w", encoding="utf-8") as file:
        result = subprocess.run(["bash", "-c", f"{variables} {command}"], cwd=ROOT, stdout=file,
                                stderr=subprocess.STDOUT, check=False)
    text = log.read_text(encoding="utf-8", errors="replace")
    if result.returncode != 0:
        raise Failed(f"failed, see build/verify/{log.name}")
    return text


def at_once(calls):
    """The results of calls that run beside each other."""
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def numbers(pattern, text):
    """Every number that the pattern's group matches."""
    return [int(match) for match in re.findall(pattern, text)]


def grouped(number):
    return f"{number:,}".replace(",", " ")


def tests(preset):
    text = run(f"tests-{preset}", f"./dev test {preset}")
    passed = re.search(r"100% tests passed, 0 tests failed out of (\d+)", text)
    if not passed:
        raise Failed("tests failed")
    return f"{passed.group(1)} tests passed"


def passed_tests(text):
    """How many tests a GoogleTest program says it passed; all of them, since it ended well."""
    return int(re.search(r"\[  PASSED  \] (\d+) tests?\.", text).group(1))


def differential():
    count = 2_500_000
    texts = at_once([lambda part=part: run(f"differential-{part}",
                                           "build/release/tests/differential_test",
                                           RC_PARAMS=f"max_success={count}") for part in (1, 2)])
    if [passed_tests(text) for text in texts] != [2, 2]:
        raise Failed("not both properties ran in both parts")
    return (f"{grouped(2 * count)} scenarios and {grouped(2 * count)} damaged ones, "
            "none different")


def exhaustive():
    texts = at_once([lambda part=part: run(f"exhaustive-{part}",
                                           f"build/release/tests/exhaustive full {part}/2")
                     for part in (1, 2)])
    compared = sum(sum(numbers(r": (\d+) configurations compared, 0 different", text))
                   for text in texts)
    return f"{grouped(compared)} configurations, none different"


def properties():
    count = 20_000
    texts = at_once([lambda name=name: run(name, f"build/release/tests/{name}",
                                           RC_PARAMS=f"max_success={count}")
                     for name in ("metamorphic_test", "run_properties_test")])
    tests_passed = sum(map(passed_tests, texts))
    return f"{tests_passed} relations and properties, {grouped(tests_passed * count)} cases"


def statistical():
    text = run("statistical", "ctest --preset release -R '^statistical'")
    passed = re.search(r"100% tests passed, 0 tests failed out of (\d+)", text)
    if not passed:
        raise Failed("tests failed")
    return f"{passed.group(1)} tests passed"


def fuzzing():
    run("fuzz-build", "./dev build fuzz")

    def fuzz(target):
        text = run(f"fuzz-{target}", f"fuzz/run {target} {FUZZ_SECONDS}")
        return re.search(rf"{target}: (\d+) executions, (\d+) a second", text).groups()

    found = []
    for first in range(0, len(FUZZ_TARGETS), 2):
        pair = FUZZ_TARGETS[first:first + 2]
        found += at_once([lambda target=target: fuzz(target) for target in pair])
    return "; ".join(f"{target}: {grouped(int(executions))} ({rate} a second)"
                     for target, (executions, rate) in zip(FUZZ_TARGETS, found))


def mutation():
    figures = []
    for part, limit in (("engine", 450), ("reference_model", 150)):
        text = run(f"mutation-{part}", f"./dev mutate {part} --limit {limit} --jobs 2 --again "
                                       f"--resume build/verify/mutants-{part}.ndjson")
        killed, viable, percent = re.search(r"score: (\d+) / (\d+) = ([\d.]+) %", text).groups()
        figures.append(f"{part}: {killed} of {viable} mutants killed ({percent} %)")
    return "; ".join(figures)


def coverage():
    text = run("coverage", "./dev coverage")
    found = re.findall(r"^(engine|reference_model)/ +(lines|branches|mcdc) .*?([\d.]+) %", text,
                       re.MULTILINE)
    return "; ".join(f"{room} {kind} {percent} %" for room, kind, percent in found)


def portability():
    text = run("portability", "./dev portability")
    found = re.findall(r"^(\S+): (\d+) exports, the same bytes", text, re.MULTILINE)
    return f"{found[0][1]} exports, the same bytes: " + ", ".join(name for name, _ in found)


def page():
    text = run("page", "./dev web-test", NO_COLOR=1)
    passed = re.search(r"Tests +(\d+) passed \((\d+)\)", text)
    if not passed or passed.group(1) != passed.group(2):
        raise Failed("not all tests passed")
    return f"{passed.group(1)} tests passed"


STEPS = {
    "tests": lambda: tests("release"),
    "sanitizers": lambda: tests("asan-ubsan"),
    "differential": differential,
    "exhaustive": exhaustive,
    "properties": properties,
    "statistical": statistical,
    "fuzzing": fuzzing,
    "coverage": coverage,
    "portability": portability,
    "page": page,
    "mutation": mutation,
}


def write(name, figure):
    """Replaces the figure of one step in the page."""
    page = PAGE.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    table, tail = rest.split(END)
    day = datetime.date.today().isoformat()
    row = f"| {name} | {figure} | {day} |"
    lines = [line for line in table.strip().splitlines() if not line.startswith(f"| {name} |")]
    rows = {line.split("|")[1].strip(): line for line in [*lines[2:], row]}
    ordered = [rows[step] for step in STEPS if step in rows]
    PAGE.write_text(f"{head}{BEGIN}\n" + "\n".join([*lines[:2], *ordered]) + f"\n{END}{tail}",
                    encoding="utf-8")


def main(names):
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(f"no step is called {', '.join(unknown)}; there are: {', '.join(STEPS)}",
              file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    failures = 0
    for name in names or STEPS:
        print(f"{name} ...", flush=True)
        try:
            figure = STEPS[name]()
        except Failed as failure:
            figure = f"**{failure}**"
            failures += 1
        print(f"  {figure}", flush=True)
        write(name, figure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
