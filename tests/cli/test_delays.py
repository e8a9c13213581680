"""`delays` shows how long each policy waits: expected values by hand, from docs/model.md, section 6."""
import json
import re

import pytest
import support
from run_output import WIDTHS, run_in_terminal

PATH = support.SCENARIOS / "lost-responses.json"


def scenario_of(*policies, **changes):
    return support.base_scenario(policies=list(policies), **changes)


def blocks(text):
    return [block.splitlines() for block in text.split("\n\n")]


def table(text):
    """[[cells of a row]] of the first table, without attempt numbers."""
    lines = blocks(text)[1]
    assert lines[1].split()[0] == "attempt"
    rows = [re.split(r" {2,}", line.strip()) for line in lines[2:]]
    assert [row[0] for row in rows] == [str(number + 1) for number in range(len(rows))]
    return [row[1:] for row in rows]


def delays(write_scenario, policy, *arguments, **changes):
    return support.output_of("delays", write_scenario(scenario_of(policy, **changes)), *arguments)


def rows(write_scenario, policy, *arguments, **changes):
    return table(delays(write_scenario, policy, *arguments, **changes))


def charts(text):
    """{policy: the lines of its chart}"""
    return {block[0]: block[1:] for block in blocks(text) if any("└" in line for line in block)}


def test_two_policies_side_by_side():
    text = support.output_of("delays", PATH)
    assert text.startswith("lost responses: delays in ticks\n\n")
    lines = blocks(text)[1]
    assert re.split(r" {2,}", lines[0].strip()) == ["fixed delay", "bounded jitter"]
    assert lines[1].split() == ["attempt", "delay", "earliest", "latest", "delay", "earliest",
                                "latest", "cut"]
    # Always 4; and 2, 4, 8 with full jitter, 16 is not reached.
    assert table(text) == [
        ["-", "0", "0", "-", "0", "0", "-"],
        ["4", "4", "4", "1…2", "1", "2", "0 %"],
        ["4", "8", "8", "1…4", "2", "6", "0 %"],
        ["4", "12", "12", "1…8", "3", "14", "0 %"]]
    assert len({support.display_width(line) for line in lines[1:]}) == 1


# 71 columns for 0 … 8: the columns of 0, 1, 2, … are the rounded multiples of 8.75.
def test_the_example():
    text = support.output_of("delays", PATH, "--policy", "bounded jitter")
    assert text == """\
lost responses: delays in ticks

          bounded jitter
attempt   delay  earliest  latest  cut
      1       -         0       0    -
      2     1…2         1       2  0 %
      3     1…4         2       6  0 %
      4     1…8         3      14  0 %

bounded jitter
      2 │         ██████████
      3 │         ███████████████████████████
      4 │         ██████████████████████████████████████████████████████████████
attempt └───────────────────────────────────────────────────────────────────────
  delay  0        1        2       3        4        5        6       7        8

Earliest and latest are counted from the client's arrival: when each attempt is
refused at once and each delay is the shortest, and when each delay is the
longest. Cut: the share of the delays that a cap or max_delay shortens.
"""


@pytest.mark.parametrize("delay, jitter, expected", [
    # 2 + 3·(k-1), at most 9: 2, 5, 8, then 11 is cut.
    ({"kind": "linear", "base": 2, "step": 3, "cap": 9}, None,
     [("2", 2, 2, "0 %"), ("5", 7, 7, "0 %"), ("8", 15, 15, "0 %"), ("9", 24, 24, "100 %")]),
    # floor(10 · 1.5^(k-1)): 10, 15, 22, 33; ± 25 % rounded inwards.
    ({"kind": "exponential", "base": 10, "multiplier": 1.5, "cap": 30},
     {"kind": "proportional", "fraction": 0.25},
     [("8…12", 8, 12, "0 %"), ("12…18", 20, 30, "0 %"), ("17…27", 37, 57, "0 %"),
      ("23…37", 60, 94, "100 %")]),
    # 5, 10, 20, and 20 again: reached exactly is not cut.
    ({"kind": "exponential", "base": 5, "cap": 20}, {"kind": "equal"},
     [("3…5", 3, 5, "0 %"), ("5…10", 8, 15, "0 %"), ("10…20", 18, 35, "0 %"),
      ("10…20", 28, 55, "100 %")]),
    ({"kind": "list", "ticks": [1, [2, 5], 7]}, None,
     [("1", 1, 1), ("2…5", 3, 6), ("7", 10, 13), ("7", 17, 20)]),
    # [2, 6], [2, 18], [2, 20] with 21 … 54 of 2 … 54 cut at most, then 21 … 60 of 2 … 60.
    ({"kind": "decorrelated", "base": 2, "cap": 20}, None,
     [("2…6", 2, 6, "0 %"), ("2…18", 4, 24, "0 %"), ("2…20", 6, 44, "0…64.2 %"),
      ("2…20", 8, 64, "0…67.8 %")]),
], ids=lambda value: value["kind"] if isinstance(value, dict) else "")
def test_laws(write_scenario, delay, jitter, expected):
    policy = support.policy("p", 5, delay, **({"jitter": jitter} if jitter else {}))
    found = rows(write_scenario, policy)
    assert [tuple(row) for row in found[1:]] == [tuple(map(str, row)) for row in expected]


@pytest.mark.parametrize("hi, longest, share", [
    (9, 9, "0 %"), (9, 6, "33.3 %"), (9, 1, "88.9 %"), (8, 4, "50 %"), (7, 4, "42.9 %"),
    (3000, 2999, "<0.1 %"), (3000, 1, ">99.9 %"), (2000, 1999, "0.1 %"), (1000, 1, "99.9 %"),
])
def test_the_share_that_max_delay_cuts(write_scenario, hi, longest, share):
    # Of the delays 1 … hi, those above.
    policy = support.policy("p", 2, {"kind": "list", "ticks": [[1, hi]]}, max_delay=longest)
    assert rows(write_scenario, policy)[1][-1] == share


def test_timeouts_make_attempts_later(write_scenario):
    policy = support.policy("p", 3, {"kind": "list", "ticks": [[1, 2]]}, timeout=10)
    text = delays(write_scenario, policy)
    assert table(text)[1:] == [["1…2", "1", "12"], ["1…2", "2", "24"]]
    assert "each attempt times out" in text.replace("\n", " ")


def test_a_deadline_ends_the_table(write_scenario):
    # 3 … 5 after each: the third attempt at 6 … 10, of which 8 is the last; the fourth at 9.
    policy = support.policy("p", 9, {"kind": "list", "ticks": [[3, 5]]}, deadline=8)
    text = delays(write_scenario, policy)
    assert table(text)[1:] == [["3…5", "3", "5"], ["3…5", "6", "8"]]
    assert text.endswith("p: no further attempt comes before the deadline, 8 ticks.\n")


def test_the_hint_is_named_where_it_is_heeded(write_scenario):
    def text(**changes):
        return delays(write_scenario, support.policy("p", **changes),
                      server={"capacity": 1, "retry_after": 5}).replace("\n", " ")
    assert "The server's hint, 5 ticks, is not counted in." in text(on_retry_after="at_least")
    assert "hint" not in text()


def test_twenty_attempts_of_more(write_scenario):
    policy = support.policy("p", 2**32 - 1, {"kind": "exponential", "base": 1, "multiplier": 1.01,
                                             "cap": 2**30}, jitter={"kind": "full"})
    text = delays(write_scenario, policy)
    assert len(table(text)) == 20
    assert text.endswith("p: 4 294 967 275 further attempts follow; --attempts shows more.\n")
    assert len(rows(write_scenario, policy, "--attempts", 3)) == 3
    assert len(rows(write_scenario, {**policy, "attempts": 5}, "--attempts", 30)) == 5
    assert "follow" not in delays(write_scenario, {**policy, "attempts": 20})
    assert delays(write_scenario, {**policy, "attempts": 21}).endswith(
        "p: 1 further attempt follows; --attempts shows more.\n")


@pytest.mark.parametrize("delay", [
    {"kind": "exponential", "base": 1, "multiplier": 1.01, "cap": 2**30},
    {"kind": "linear", "base": 1, "step": 1, "cap": 2**30},
    {"kind": "exponential", "base": 50, "multiplier": 1000, "cap": 500},
    {"kind": "decorrelated", "base": 1, "cap": 2**30},
    {"kind": "fixed", "ticks": 2**30},
], ids=lambda delay: delay["kind"])
def test_endless_policies_do_not_hang(write_scenario, delay):
    path = write_scenario(scenario_of(support.policy("p", 2**32 - 1, delay)))
    lines = support.output_of("delays", path, "--attempts", 10_000, timeout=10).splitlines()
    assert any(re.match(r" *10 000 │", line) for line in lines)


def test_no_retry(write_scenario):
    text = delays(write_scenario, support.policy("p", 1))
    assert table(text) == [["-", "0", "0"]]
    assert charts(text) == {}


def test_times_where_a_tick_has_a_length(write_scenario):
    # Delays of 1 … 4 ticks of 250 ms, at most 4.5 s in all; columns have the same decimals.
    policy = support.policy("p", 3, {"kind": "list", "ticks": [[1, 4], [2, 14]]}, max_delay=7)
    text = delays(write_scenario, policy, tick="250ms")
    assert text.startswith("delays in s; a tick lasts 250 ms\n\n")
    # 3 … 7 are five of the 13 values; 8 … 14, seven of them, are cut.
    assert table(text) == [["-", "0.00", "0.00", "-"], ["0.25…1.00", "0.25", "1.00", "0 %"],
                           ["0.50…1.75", "0.75", "2.75", "53.8 %"]]
    labels = charts(text)["p"][-1]
    assert re.split(r" {2,}", labels.strip())[:3] == ["delay", "0 s", "0.25 s"]


def test_bars_on_a_linear_scale(write_scenario):
    # 71 columns for 0 … 70: the column of a delay is its number.
    policy = support.policy("p", 4, {"kind": "list", "ticks": [[10, 20], 35, [5, 70]]})
    *bars, rule, labels = charts(delays(write_scenario, policy))["p"]
    assert bars == [f"      2 │{' ' * 10}{'█' * 11}", f"      3 │{' ' * 35}█",
                    f"      4 │{' ' * 5}{'█' * 66}"]
    assert rule == "attempt └" + "─" * 71
    for label in re.findall(r"\d+", labels):
        assert labels.index(f" {label}") + 1 == 9 + int(label)


def test_bars_on_a_logarithmic_scale(write_scenario):
    # 71 columns for 1 … 10^7: ten columns a power of ten.
    policy = support.policy("p", 5, {"kind": "list", "ticks": [1, 10, [100, 10_000], 10**7]})
    text = delays(write_scenario, policy)
    *bars, _, labels = charts(text)["p"]
    assert bars == ["      2 │█", f"      3 │{' ' * 10}█", f"      4 │{' ' * 20}{'█' * 21}",
                    f"      5 │{' ' * 70}█"]
    assert text.replace("\n", " ").rstrip().endswith("The chart has a logarithmic scale.")
    assert re.split(r" {2,}", labels.strip())[:4] == ["delay", "1", "10", "100"]
    assert labels.index("10") == 19


def test_one_scale_for_all(write_scenario):
    text = support.output_of("delays", write_scenario(scenario_of(
        support.policy("a", 2, {"kind": "fixed", "ticks": 70}),
        support.policy("b", 2, {"kind": "fixed", "ticks": 7}))))
    assert charts(text)["a"][0].endswith("│" + " " * 70 + "█")
    assert charts(text)["b"][0].endswith("│" + " " * 7 + "█")


NAMES = ["再試行" * 40, "\x1b[31m" * 40, "n" * 1000, "🌱" * 100, "\u009b\t\n", "p"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tick", [None, "10ms"])
def test_every_terminal_has_room(write_scenario, width, tick):
    laws = [{"kind": "fixed", "ticks": 7}, {"kind": "exponential", "base": 2, "cap": 500},
            {"kind": "decorrelated", "base": 3, "cap": 999}]
    path = write_scenario(scenario_of(
        *(support.policy(name, 50, laws[i % 3]) for i, name in enumerate(NAMES)),
        **({"tick": tick} if tick else {})))
    text = run_in_terminal(width, "delays", path)
    assert [line for line in text.splitlines() if support.display_width(line) > width] == []
    assert support.control_characters(text) == []


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_golden_scenarios(path, width):
    text = run_in_terminal(width, "delays", path)
    assert [line for line in text.splitlines() if support.display_width(line) > width] == []


def test_a_narrow_terminal_has_the_same_cells():
    path = support.SCENARIOS / "jitter-comparison.json"
    cells = [re.findall(r"\S+", "".join(line[7:] for line in block[2:]))
             for width in (40, 200) for block in blocks(run_in_terminal(width, "delays", path))
             if len(block) > 1 and block[1].startswith("attempt")]
    assert sorted(cells[-1]) == sorted(cell for block in cells[:-1] for cell in block)


@pytest.fixture(name="service_config")
def example_of_grpc(tmp_path):
    path = tmp_path / "service-config.json"
    path.write_text(json.dumps({"methodConfig": [{"name": [{"service": "shop"}], "retryPolicy": {
        "maxAttempts": 4, "initialBackoff": "0.1s", "maxBackoff": "0.3s", "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"]}}]}), encoding="utf-8")
    return path


def test_from_another_system(service_config):
    # gRFC A6: 0.1 s, 0.2 s, and 0.4 s cut to 0.3 s; each times 0.8 to 1.2.
    result = support.run("delays", "--from", "grpc", service_config)
    assert result.returncode == support.DONE
    assert result.stderr.startswith(b"not kept: shop: ")
    text = result.stdout.decode("utf-8")
    assert text.startswith("delays in ms; a tick lasts 1 ms\n\n")
    assert table(text) == [
        ["-", "0", "0", "-"], ["80…120", "80", "120", "0 %"], ["160…240", "240", "360", "0 %"],
        ["240…360", "480", "720", "100 %"]]


def test_from_two_files_with_another_tick(service_config):
    # In ticks of 10 ms.
    result = support.run("delays", "--tick", "10ms", "--attempts", 2, "--from", "grpc",
                         service_config, "--from", "grpc", service_config)
    assert table(result.stdout.decode("utf-8")) == [
        ["-", "0", "0", "-", "-", "0", "0", "-"],
        ["80…120", "80", "120", "0 %", "80…120", "80", "120", "0 %"]]


def test_from_refused(service_config):
    for arguments in [["--from", "grpc"], ["--from", "nonsense", service_config],
                      ["--from", "grpc", service_config, PATH], ["--tick", "1ms", PATH], [],
                      ["--from", "grpc", service_config, "--tick", "1 s"],
                      ["--from", "grpc", service_config, "--policy", "none"]]:
        result = support.run("delays", *arguments)
        assert (result.returncode, result.stdout) == (support.USAGE, b""), arguments
    support.assert_refused(support.run("delays", "--from", "grpc", "/no/such/file"),
                           support.INPUT_OUTPUT)
    message = support.assert_refused(support.run("delays", "--from", "grpc", "-", stdin="{"),
                                     support.INVALID_INPUT)
    assert "line 1" in message


def test_refused(write_scenario):
    support.assert_refused(support.run("delays", PATH, "--policy", "none"), support.USAGE)
    support.assert_refused(support.run("delays", "/no/such/file"), support.INPUT_OUTPUT)
    path = write_scenario(support.base_scenario(horizon=0))
    assert support.fault_places(support.run("delays", path)) == ["/horizon"]
