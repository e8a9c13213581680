"""`sweep`: the grid and its order, rows, threads, going on after a kill, faults, statistics."""
import csv
import fractions
import io
import itertools
import json
import math
import resource
import signal
import statistics
import subprocess
import time

import pytest
import support
from test_export_formats import flat

EXAMPLE = support.ROOT / "docs" / "examples" / "capacity-sweep.json"
FORMATS = ["csv", "ndjson"]


def sweep_scenario(**changes):
    """Two capacities, two delays, two seeds, two policies."""
    scenario = support.base_scenario(
        clients=9, horizon=30, seed=5, seeds=2, server={"capacity": [1, 3]},
        faults={"response_loss": 0.3},
        policies=[support.policy("fixed", 4, {"kind": "fixed", "ticks": [2, 5]}),
                  support.policy("jitter", 4, {"kind": "exponential", "base": 2, "cap": 16},
                                 jitter={"kind": "full"})])
    return {**scenario, **changes}


def points(sweep, alternatives):
    """The values and the scenario of each point, the last pointer varying fastest."""
    scenario = {name: value for name, value in sweep.items() if name != "seeds"}
    for values in itertools.product(*alternatives.values()):
        point = scenario
        for pointer, value in zip(alternatives, values):
            point = support.changed(point, pointer, value)
        yield dict(zip(alternatives, values)), point


def expected_rows(sweep, alternatives):
    """What `run` gives for each point and seed, as NDJSON has it."""
    for values, point in points(sweep, alternatives):
        for seed in range(point["seed"], point["seed"] + sweep.get("seeds", 1)):
            text = json.dumps({**point, "seed": seed})
            document = json.loads(support.output_of("run", "-", "--format", "json", stdin=text))
            for result in document["results"]:
                yield {**values, "seed": seed, "policy": result["policy"],
                       **flatten(result["summary"])}


def flatten(summary):
    row = {}
    for name, value in summary.items():
        if isinstance(value, dict):
            row |= {f"{name}_{inner}": number for inner, number in value.items()}
        else:
            row[name] = value
    return row


def sweep_rows(sweep, *arguments):
    text = support.output_of("sweep", "-", "--format", "ndjson", *arguments,
                             stdin=json.dumps(sweep))
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def assert_rows(sweep, alternatives):
    expected = list(expected_rows(sweep, alternatives))
    rows = sweep_rows(sweep)
    assert rows == expected
    assert [list(row) for row in rows] == [list(row) for row in expected]
    return rows


# The grid


def test_rows_are_those_of_run_in_grid_order():
    sweep = sweep_scenario()
    rows = assert_rows(sweep, {"/server/capacity": [1, 3],
                               "/policies/0/delay/ticks": [2, 5]})
    assert [(row["/server/capacity"], row["/policies/0/delay/ticks"], row["seed"], row["policy"])
            for row in rows] == list(itertools.product([1, 3], [2, 5], [5, 6], ["fixed", "jitter"]))


def test_order_is_that_of_the_file():
    sweep = sweep_scenario()
    sweep = {"policies": sweep.pop("policies"), **sweep}
    assert_rows(sweep, {"/policies/0/delay/ticks": [2, 5], "/server/capacity": [1, 3]})


def test_csv_holds_the_same_values():
    sweep = sweep_scenario()
    text = support.output_of("sweep", "-", stdin=json.dumps(sweep))
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    expected = sweep_rows(sweep)
    assert rows == [flat(row) for row in expected]
    assert list(rows[0]) == list(expected[0])


def test_a_plain_scenario_is_one_point():
    path = support.SCENARIOS / "lost-responses.json"
    rows = sweep_rows(json.loads(path.read_text(encoding="utf-8")))
    assert [list(row)[:2] for row in rows] == [["seed", "policy"]] * 2
    assert [row["effects"] for row in rows] == [9, 10]


def any_of(*values):
    return {"any_of": list(values)}


OUTAGES = [[], [{"from": 1, "ticks": 2}]]
DELAYS = [{"kind": "fixed", "ticks": 2}, {"kind": "list", "ticks": [1, [2, 3]]}]


@pytest.mark.parametrize("pointer, written, values", [
    ("/server/capacity", any_of(1, 3), [1, 3]),
    ("/server/outages", any_of(*OUTAGES), OUTAGES),
    ("/server", [{"capacity": 1}, {"capacity": 2, "outages": OUTAGES[1]}],
     [{"capacity": 1}, {"capacity": 2, "outages": OUTAGES[1]}]),
    ("/policies/0/delay", DELAYS, DELAYS),
    ("/policies/0/delay", {"kind": "list", "ticks": any_of([1], [2, 4])},
     [{"kind": "list", "ticks": [1]}, {"kind": "list", "ticks": [2, 4]}]),
    ("/policies/0/delay", {"kind": "list", "ticks": [1, any_of(2, [3, 4])]},
     [{"kind": "list", "ticks": [1, 2]}, {"kind": "list", "ticks": [1, [3, 4]]}]),
    ("/policies/0/delay", {"kind": "list", "ticks": [1, [2, [3, 4]]]},
     [{"kind": "list", "ticks": [1, [2, 3]]}, {"kind": "list", "ticks": [1, [2, 4]]}]),
    ("/policies/0/name", ["a", 'b, "c"\n'], ["a", 'b, "c"\n']),
    ("/policies/0/jitter", [{"kind": "none"}, {"kind": "full"}],
     [{"kind": "none"}, {"kind": "full"}]),
    ("/server/drop_abandoned", [False, True], [False, True]),
    ("/faults/response_loss", [0, 0.25], [0, 0.25]),
    ("/seed", [1, 7], [1, 7]),
    ("/policies/1", [support.policy("x"), support.policy("y", 2)],
     [support.policy("x"), support.policy("y", 2)]),
    ("/policies", any_of([support.policy("x")], [support.policy("y"), support.policy("z")]),
     [[support.policy("x")], [support.policy("y"), support.policy("z")]]),
])
@pytest.mark.parametrize("form", FORMATS)
def test_alternatives(form, pointer, written, values, tmp_path):
    base = sweep_scenario(server={"capacity": 2})
    base["policies"][0]["delay"]["ticks"] = 2
    sweep = support.changed(base, pointer, written)
    out = tmp_path / "out"
    support.output_of("sweep", "-", "-o", out, "--format", form, stdin=json.dumps(sweep))
    text = out.read_bytes().decode("utf-8")
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    else:
        rows = [json.loads(line) for line in text.splitlines()]
    expected = []
    for value in values:
        expected += expected_rows(support.changed(base, pointer, value), {})
    columns = list(expected[0])
    if form == "csv":
        expected = [flat(row) for row in expected]
    assert [{name: row[name] for name in columns} for row in rows] == expected


def test_rows_of_a_hundred_seeds_are_distinct():
    rows = sweep_rows(sweep_scenario(seeds=100))
    assert [row["seed"] for row in rows[:200:2]] == list(range(5, 105))
    assert len({json.dumps(row) for row in rows}) == len(rows) == 800


# Threads


@pytest.mark.parametrize("form", FORMATS)
def test_bytes_do_not_depend_on_threads(form, tmp_path):
    texts = set()
    for threads in ["1", "2", "4", "1024"]:
        out, csv_file = tmp_path / "out", tmp_path / "statistics"
        tables = support.output_of("sweep", "-", "-o", out, "--statistics", csv_file, "--format",
                                   form, "--threads", threads,
                                   stdin=json.dumps(sweep_scenario(seeds=50)))
        texts.add((out.read_bytes(), csv_file.read_bytes(), tables))
    assert len(texts) == 1


@pytest.mark.parametrize("threads", ["0", "-1", "x", "", "1.5", "99999999999999999999"])
def test_wrong_number_of_threads(threads):
    support.assert_refused(support.run("sweep", EXAMPLE, "--threads", threads), support.USAGE)


# Files


def test_standard_output_and_file_hold_the_same(tmp_path):
    out = tmp_path / "out.csv"
    tables = support.output_of("sweep", EXAMPLE, "-o", out)
    assert tables.startswith("2 points, 100 seeds.")
    assert out.read_text(encoding="utf-8") == support.output_of("sweep", EXAMPLE)
    assert list(tmp_path.iterdir()) == [out]


def test_finished_file_is_replaced(tmp_path):
    out, link = tmp_path / "out.csv", tmp_path / "link"
    out.write_text("old")
    out.chmod(0o600)
    link.symlink_to(out)
    support.output_of("sweep", EXAMPLE, "-o", link)
    assert link.is_symlink()
    assert out.read_text(encoding="utf-8") == support.output_of("sweep", EXAMPLE)
    assert out.stat().st_mode & 0o777 == 0o600
    assert sorted(tmp_path.iterdir()) == [link, out]


def test_device():
    assert support.output_of("sweep", EXAMPLE, "-o", "/dev/null").startswith("2 points")
    support.assert_refused(support.run("sweep", EXAMPLE, "-o", "/dev/full"), support.INPUT_OUTPUT)


def test_output_in_a_missing_folder(tmp_path):
    message = support.assert_refused(support.run("sweep", EXAMPLE, "-o", tmp_path / "no" / "out"),
                                     support.INPUT_OUTPUT)
    assert "no/out" in message


def test_rows_and_statistics_to_the_same_place():
    support.assert_refused(support.run("sweep", EXAMPLE, "--statistics", "-"), support.USAGE)


# Going on


def long_sweep(seeds=300):
    """A sweep of a second or so."""
    return sweep_scenario(clients=3000, horizon=2000, seeds=seeds, server={"capacity": [1, 2, 3]})


@pytest.fixture(name="partial")
def make_partial(tmp_path):
    """A sweep's file, its whole text and the names of what is gathered until it is whole."""

    class Partial:
        path = tmp_path / "sweep.json"
        out = tmp_path / "out"
        rows = tmp_path / "out.partial"
        identity = tmp_path / "out.partial.json"

        def write(self, sweep):
            self.path.write_text(json.dumps(sweep), encoding="utf-8")

        def arguments(self, form, *more):
            return ["sweep", self.path, "-o", self.out, "--format", form, *more]

        def whole(self, form):
            text = support.run("sweep", self.path, "--format", form).stdout
            assert text
            return text

        def leave(self, form, size):
            """Leaves what a sweep leaves that was stopped after so many bytes."""
            whole = self.whole(form)
            bound = len(whole) - 1  # the last row does not fit into a file
            result = support.run(*self.arguments(form), preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (bound, bound)))
            message = support.assert_refused(result, support.INPUT_OUTPUT)
            assert "cannot write" in message and "out.partial: " in message
            assert self.rows.read_bytes() == whole[:bound]
            self.rows.write_bytes(whole[:size])

    return Partial()


def kill_after(arguments, delay, number=signal.SIGKILL):
    """Whether the call was still at work by then."""
    with subprocess.Popen([support.program(), *map(str, arguments)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as process:
        time.sleep(delay)
        process.send_signal(number)
        return process.wait() == -number


@pytest.mark.parametrize("form, number", [
    ("csv", signal.SIGKILL), ("ndjson", signal.SIGKILL), ("csv", signal.SIGTERM)])
def test_killed_many_times(partial, form, number, tmp_path):
    partial.write(long_sweep())
    whole = partial.whole(form)
    csv_file = tmp_path / "statistics"
    sizes = []
    for attempt in range(200):
        if not kill_after(partial.arguments(form, "--statistics", csv_file),
                          0.02 + 0.02 * (attempt % 4), number):
            break
        assert not partial.out.exists()
        if partial.rows.exists():
            rows = partial.rows.read_bytes()
            assert whole.startswith(rows)
            sizes.append(len(rows))
    assert sizes == sorted(sizes), "rows were lost"
    assert len(set(sizes)) > 3
    support.output_of(*partial.arguments(form, "--statistics", csv_file))
    assert partial.out.read_bytes() == whole
    statistics_text = csv_file.read_bytes()
    partial.out.unlink()
    support.output_of(*partial.arguments(form, "--statistics", csv_file))
    assert csv_file.read_bytes() == statistics_text
    assert not partial.rows.exists() and not partial.identity.exists()


@pytest.mark.parametrize("form", FORMATS)
def test_any_cut_goes_on(partial, form):
    partial.write(support.changed(sweep_scenario(), "/policies/0/name", 'a, "b"\n'))
    partial.leave(form, 0)
    whole = partial.whole(form)
    identity = partial.identity.read_bytes()
    sizes = {0, 1, len(whole)} | {i + more for i, byte in enumerate(whole) if byte == ord("\n")
                                  for more in (-1, 0, 1, 2, 20) if i + more <= len(whole)}
    for size in [*sorted(sizes), len(whole) + 10]:
        partial.rows.write_bytes((whole + whole)[:size])
        partial.identity.write_bytes(identity)
        support.output_of(*partial.arguments(form))
        assert partial.out.read_bytes() == whole, size
        partial.out.unlink()


def test_whole_rows_are_not_run_again(partial):
    # A number that no run gives stays: it was taken from the file.
    partial.write(sweep_scenario())
    partial.leave("ndjson", None)
    rows = partial.rows.read_text().replace('"clients": 9', '"clients": 8', 1)
    partial.rows.write_text(rows[:len(rows) // 2])
    support.output_of(*partial.arguments("ndjson"))
    assert partial.out.read_text() == rows


def assert_foreign(partial, form):
    before = partial.rows.read_bytes()
    message = support.assert_refused(support.run(*partial.arguments(form)), support.INPUT_OUTPUT)
    assert "out.partial belongs to another sweep" in message
    assert partial.rows.read_bytes() == before
    assert not partial.out.exists()


@pytest.mark.parametrize("change", [
    {"clients": 10}, {"seeds": 3}, {"seed": 6}, {"server": {"capacity": [1, 4]}}, {"name": "x"}])
def test_partial_file_of_another_sweep(partial, change):
    partial.write(sweep_scenario())
    partial.leave("csv", 1000)
    partial.write(sweep_scenario(**change))
    assert_foreign(partial, "csv")


def test_partial_file_of_another_format(partial):
    partial.write(sweep_scenario())
    partial.leave("csv", 1000)
    assert_foreign(partial, "ndjson")


def test_partial_file_without_its_sweep(partial):
    partial.write(sweep_scenario())
    partial.leave("csv", 1000)
    partial.identity.unlink()
    assert_foreign(partial, "csv")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("spoil", [
    lambda rows: rows[:-1] + [rows[-1], rows[-1]],
    lambda rows: rows[:2] + rows[3:],
    lambda rows: [b"x\n"] + rows,
    lambda rows: rows[:2] + [rows[2].replace(b"9", b"09", 1)] + rows[3:],
    lambda rows: rows[:2] + [rows[2].replace(b"\n", b"0,\n")] + rows[3:],
    lambda rows: rows[:3] + [b"\0\0\0\0"],
], ids=["one more", "one missing", "text", "zero", "longer", "hole"])
def test_rows_that_are_not_of_the_grid(partial, form, spoil):
    partial.write(sweep_scenario())
    partial.leave(form, None)
    partial.rows.write_bytes(b"".join(spoil(partial.whole(form).splitlines(keepends=True))))
    assert_foreign(partial, form)


def test_white_space_of_the_sweep_may_change(partial):
    partial.write(sweep_scenario())
    partial.leave("csv", 1000)
    partial.path.write_text(json.dumps(sweep_scenario(), indent=4))
    support.output_of(*partial.arguments("csv"))
    assert partial.out.read_bytes() == partial.whole("csv")


def test_two_at_once(partial):
    partial.write(long_sweep(seeds=10**6))
    with subprocess.Popen([support.program(), *map(str, partial.arguments("csv"))]) as process:
        try:
            while not (partial.rows.exists() and partial.rows.stat().st_size > 0):
                assert process.poll() is None
            message = support.assert_refused(support.run(*partial.arguments("csv"), timeout=10),
                                             support.INPUT_OUTPUT)
        finally:
            process.kill()
    assert "another program" in message


# Faults


def refused(text, exit_code=support.INVALID_INPUT):
    text = text if isinstance(text, str) else json.dumps(text)
    return support.assert_refused(support.run("sweep", "-", stdin=text), exit_code)


def test_syntax_fault():
    assert "line 2, column 1:" in refused('{"clients": 1,\n]')


def test_repeated_member():
    text = json.dumps(sweep_scenario())
    assert "/clients: expected a member once" in refused('{"clients": 1, ' + text[1:])


@pytest.mark.parametrize("pointer, value, place, expected", [
    ("/seeds", 0, "/seeds", "an integer from 1 to 4294967296"),
    ("/seeds", 2**32 + 1, "/seeds", "an integer from 1 to 4294967296"),
    ("/seeds", 1.0, "/seeds", "an integer"), ("/seeds", "3", "/seeds", "an integer"),
    ("/seeds", [1, 2], "/seeds", "an integer"), ("/seeds", -1, "/seeds", "an integer"),
    ("/clients", [], "/clients", "at least one value"),
    ("/clients", any_of(), "/clients", "at least one value"),
    ("/clients", {"any_of": 3}, "/clients/any_of", "a list of values"),
    ("/clients", {"any_of": [3], "x": 1}, "/clients", 'no member beside "any_of"'),
])
def test_wrong_grid(pointer, value, place, expected):
    message = refused(support.changed(sweep_scenario(), pointer, value))
    assert f"\n  {place}: expected {expected}" in message.replace("retrygarden: ", "")


@pytest.mark.parametrize("text", ["[]", "3", "null"])
def test_no_object(text):
    assert "the document: expected an object" in refused(text)


def test_root_has_no_alternatives():
    assert "/any_of: expected only the members" in refused({"any_of": [support.base_scenario()]})


def test_faults_name_the_point():
    sweep = sweep_scenario(clients=[1, 2, "x"], horizon=[5, 0])
    lines = [line.removeprefix("retrygarden: ") for line in refused(sweep).splitlines()]
    assert lines == [
        "standard input is not valid:",
        "  /horizon: expected an integer from 1 to 2147483647, found 0",
        "    at point 5 of 24: /clients 1, /horizon 0, /server/capacity 1, "
        "/policies/0/delay/ticks 2",
        '  /clients: expected an integer from 1 to 4294967295, found "x"',
        "    at point 17 of 24: /clients \"x\", /horizon 5, /server/capacity 1, "
        "/policies/0/delay/ticks 2",
    ]


def test_many_faults_are_told_once():
    message = refused(sweep_scenario(clients=list(range(1, 5000)), horizon=0))
    assert message.count("/horizon: expected") == message.count("at point 1 of") == 1


def test_every_point_is_checked_before_the_run(tmp_path):
    out = tmp_path / "out"
    sweep = sweep_scenario(clients=[*range(1, 5000), 0])
    result = support.run("sweep", "-", "-o", out, stdin=json.dumps(sweep))
    message = support.assert_refused(result, support.INVALID_INPUT)
    assert "at point 19 997 of 20 000:" in message
    assert list(tmp_path.iterdir()) == []


def test_faults_between_members_of_a_point():
    sweep = sweep_scenario(arrivals={"kind": "burst", "at": [0, 20]}, horizon=[10, 30])
    message = refused(sweep)
    assert "/arrivals/at: expected" in message
    assert "/arrivals/at 20, /horizon 10" not in message  # the order is that of the file
    assert "/horizon 10, " in message and "/arrivals/at 20" in message


def test_seeds_must_fit():
    assert refused(sweep_scenario(seed=2**53 - 2, seeds=3)).count("/seed: expected") == 1
    assert len(sweep_rows(sweep_scenario(seed=2**53 - 3, seeds=3))) == 24


@pytest.mark.parametrize("change", [
    {"seeds": 2**32}, {"seeds": 125_000_001},
    {"clients": list(range(1, 20_000)), "horizon": list(range(1, 20_000))}])
def test_too_many_rows(change):
    assert "at most 1000000000 rows" in refused(sweep_scenario(**change))


def test_over_the_memory_limit(tmp_path):
    sweep = sweep_scenario(clients=10**9)
    result = support.run("sweep", "-", "--memory-limit", "1GiB", stdin=json.dumps(sweep))
    support.assert_refused(result, support.OVER_MEMORY)
    many_seeds = sweep_scenario(seeds=10**8)
    for arguments in [["-o", tmp_path / "out"], ["--statistics", tmp_path / "statistics"]]:
        result = support.run("sweep", "-", "--memory-limit", "1GiB", *arguments,
                             stdin=json.dumps(many_seeds))
        support.assert_refused(result, support.OVER_MEMORY)
    assert list(tmp_path.iterdir()) == []


def test_few_threads_where_memory_is_short():
    sweep = sweep_scenario(clients=10**5, server={"capacity": 10**5})
    rows = sweep_rows(sweep)
    limit = 1
    while support.run("sweep", "-", "--memory-limit", f"{limit}MiB",
                      stdin=json.dumps(sweep)).returncode == support.OVER_MEMORY:
        limit += 1
    assert sweep_rows(sweep, "--memory-limit", f"{limit}MiB") == rows


# Statistics


def statistics_of(sweep, tmp_path):
    rows = sweep_rows(sweep, "--statistics", tmp_path / "statistics.csv")
    with open(tmp_path / "statistics.csv", encoding="utf-8", newline="") as file:
        return rows, list(csv.DictReader(file, strict=True))


def half_even(value, decimals):
    """A fraction's decimal text: round() of a Fraction rounds ties to even."""
    scaled = round(value * 10**decimals)
    digits = str(abs(scaled)).rjust(decimals + 1, "0")
    return ("-" if scaled < 0 else "") + digits[:-decimals] + "." + digits[-decimals:]


def median_interval(sample):
    """By the definition: the largest rank whose tails hold at most 5 % of the binomial."""
    size = len(sample)
    tails = [fractions.Fraction(2 * sum(math.comb(size, i) for i in range(rank)), 2**size)
             for rank in range(size // 2 + 2)]
    rank = max(rank for rank, tail in enumerate(tails) if tail <= fractions.Fraction(1, 20))
    if rank == 0:
        return ["", "", ""]
    ordered = sorted(sample)
    coverage = (1 - tails[rank]) * 10_000 // 1
    return [str(ordered[rank - 1]), str(ordered[-rank]), f"0.{coverage:04}"]


def expected_line(sample):
    if not sample:
        return ["0", "", "", "", "", ""]
    median = statistics.median([fractions.Fraction(value) for value in sample])
    return [str(len(sample)), half_even(fractions.Fraction(sum(sample), len(sample)), 6),
            str(median) if median.denominator == 1 else half_even(median, 1),
            *median_interval(sample)]


@pytest.mark.parametrize("seeds", [1, 2, 5, 6, 7, 8, 9, 25, 128, 301])
def test_statistics(seeds, tmp_path):
    sweep = sweep_scenario(seeds=seeds)
    sweep["policies"].append(support.policy("hopeless", 1, timeout=0))
    sweep["server"]["outages"] = [{"from": 0, "ticks": 1}]  # so nobody is acknowledged there
    rows, lines = statistics_of(sweep, tmp_path)
    names = ["fixed", "jitter", "hopeless"]
    members = list(rows[0])[4:]
    expected = []
    for capacity, ticks in itertools.product([1, 3], [2, 5]):
        own = {name: [row for row in rows if row["policy"] == name
                      and row["/server/capacity"] == capacity
                      and row["/policies/0/delay/ticks"] == ticks] for name in names}
        start = [str(capacity), str(ticks)]
        for name, member in itertools.product(names, members):
            sample = [row[member] for row in own[name] if row[member] is not None]
            expected.append([*start, name, "", member, *expected_line(sample)])
        for name, member in itertools.product(names[1:], members):
            sample = [row[member] - first[member] for row, first in zip(own[name], own["fixed"])
                      if None not in (row[member], first[member])]
            expected.append([*start, name, "fixed", member, *expected_line(sample)])
    assert list(lines[0]) == ["/server/capacity", "/policies/0/delay/ticks", "policy",
                              "compared_with", "member", "seeds", "mean", "median", "low", "high",
                              "coverage"]
    assert [list(line.values()) for line in lines] == expected


def test_example_by_hand(tmp_path):
    # One client, whose response is lost in half of the cases, and one retry at once. The policies
    # share the random words, so the first attempt goes the same way under both.
    sweep = support.base_scenario(
        seeds=4, faults={"response_loss": 0.5},
        policies=[support.policy("once", 1), support.policy("twice", 2)])
    rows, lines = statistics_of(sweep, tmp_path)
    lost = [row["lost_responses"] for row in rows if row["policy"] == "once"]
    attempts = [row["attempts"] for row in rows if row["policy"] == "twice"]
    assert lost == [attempt - 1 for attempt in attempts]
    assert 0 < sum(lost) < 4, "the example tells nothing"
    table = {(line["policy"], line["compared_with"], line["member"]): line for line in lines}
    assert table["once", "", "attempts"]["mean"] == "1.000000"
    assert table["twice", "once", "attempts"]["mean"] == \
        {1: "0.250000", 2: "0.500000", 3: "0.750000"}[sum(lost)]
    assert table["twice", "once", "attempts"]["median"] == {1: "0", 2: "0.5", 3: "1"}[sum(lost)]
    assert table["twice", "once", "attempts"]["low"] == ""


def tables_of(sweep, tmp_path):
    return support.output_of("sweep", "-", "-o", tmp_path / "out", stdin=json.dumps(sweep))


def test_tables(tmp_path):
    text = tables_of(sweep_scenario(seeds=20), tmp_path)
    assert text.count("\n/server/capacity ") == 4
    assert text.count("difference from fixed, seed by seed:") == 4
    assert max(map(support.display_width, text.splitlines())) <= 80
    _, lines = statistics_of(sweep_scenario(seeds=20), tmp_path)
    first = {line["policy"]: line for line in lines[:100] if line["member"] == "attempts"
             and not line["compared_with"]}
    row = next(line for line in text.splitlines() if line.startswith("attempts"))
    assert row.split() == ["attempts", *itertools.chain.from_iterable(
        [half_even(fractions.Fraction(line["mean"]), 2), line["median"],
         f"{line['low']}…{line['high']}"] for line in (first["fixed"], first["jitter"]))]


def test_tables_of_few_seeds_have_no_interval(tmp_path):
    text = tables_of(sweep_scenario(seeds=5), tmp_path)
    assert "…" not in text
    row = next(line for line in text.splitlines() if line.startswith("attempts"))
    assert row.split()[3] == row.split()[6] == "–"


def test_no_tables_of_many_points(tmp_path):
    text = tables_of(sweep_scenario(clients=[1, 2, 3, 4, 5, 6]), tmp_path)
    assert text.startswith("24 points, 2 seeds: no tables")
    assert len(text.splitlines()) == 2


def test_tables_of_long_names(tmp_path):
    sweep = sweep_scenario(seeds=6)
    sweep["policies"][0]["name"] = "再試行" * 50
    text = tables_of(sweep, tmp_path)
    assert max(map(support.display_width, text.splitlines())) <= 80
    assert not support.control_characters(text)


def test_statistics_to_standard_output(tmp_path):
    sweep = sweep_scenario()
    text = support.output_of("sweep", "-", "-o", tmp_path / "out", "--statistics", "-",
                             stdin=json.dumps(sweep))
    statistics_of(sweep, tmp_path)
    assert text == (tmp_path / "statistics.csv").read_text(encoding="utf-8")
