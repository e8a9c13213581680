"""`run` gives the published figures of docs/model.md, section 10, in every format."""
import csv
import io
import json
import re

import pytest
import support

ROWS = {  # columns of the published table: labels in run's table, members of the summary
    "attempts": "attempts",
    "effects": "effects",
    "duplicates": "duplicate_effects",
    "clients acknowledged": "acknowledged",
}


def published():
    """{(scenario, policy): [attempts, effects, duplicate, acknowledged]} as the page has it."""
    page = support.MODEL.read_text(encoding="utf-8")
    section = page[page.index("## 10. Published figures"):]
    rows = re.findall(r"^\| ([^|]+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", section,
                      re.MULTILINE)
    figures = {}
    for title, *numbers in rows:
        name, _, deduplication = title.partition(", ")
        scenario = "lost-responses-deduplicated" if deduplication else "lost-responses"
        figures[scenario, name] = list(map(int, numbers))
    return figures


FIGURES = published()
SCENARIOS = ["lost-responses", "lost-responses-deduplicated"]


def table_of(text):
    """{row label: [cell per policy]} of run's table."""
    lines = text.split("\n\n")[1].splitlines()
    return {cells[0]: cells[1:] for cells in
            (re.split(r" {2,}", line.strip()) for line in lines)}


def expected(scenario):
    return [FIGURES[scenario, name] for name in ("fixed delay", "bounded jitter")]


def test_page_has_the_four_rows():
    assert FIGURES == {
        ("lost-responses", "fixed delay"): [26, 9, 2, 6],
        ("lost-responses", "bounded jitter"): [26, 10, 2, 7],
        ("lost-responses-deduplicated", "fixed delay"): [26, 7, 0, 6],
        ("lost-responses-deduplicated", "bounded jitter"): [26, 8, 0, 7],
    }


@pytest.mark.parametrize("name", SCENARIOS)
def test_table(name):
    table = table_of(support.output_of("run", support.SCENARIOS / f"{name}.json"))
    assert table["fixed delay"] == ["bounded jitter"]  # the header has no label of its own
    columns = list(zip(*(map(int, table[label]) for label in ROWS)))
    assert [list(column) for column in columns] == expected(name)


@pytest.mark.parametrize("name", SCENARIOS)
def test_json(name):
    path = support.SCENARIOS / f"{name}.json"
    document = json.loads(support.output_of("run", path, "--format", "json"))
    assert list(document) == ["retrygarden", "scenario", "results"]
    assert document["retrygarden"] == 1
    assert [list(result) for result in document["results"]] == [["policy", "summary", "load"]] * 2
    assert [result["policy"] for result in document["results"]] == ["fixed delay",
                                                                    "bounded jitter"]
    summaries = [result["summary"] for result in document["results"]]
    assert [[summary[member] for member in ROWS.values()] for summary in summaries] == \
        expected(name)


@pytest.mark.parametrize("name", SCENARIOS)
def test_csv(name):
    text = support.output_of("run", support.SCENARIOS / f"{name}.json", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["policy"] for row in rows] == ["fixed delay", "bounded jitter"]
    assert [[int(row[member]) for member in ROWS.values()] for row in rows] == expected(name)


def test_horizon():
    # 80 clients, one place a tick, all back every 20 ticks: 80 + 79 + 78 + 77 attempts.
    path = support.SCENARIOS / "horizon.json"
    page = " ".join(support.MODEL.read_text(encoding="utf-8").split())
    assert "4 acknowledged, 76 scheduled, 0 exhausted" in page
    table = table_of(support.output_of("run", path))
    assert [table["clients " + state] for state in ("acknowledged", "scheduled", "exhausted")] \
        == [["4"], ["76"], ["0"]]
    assert table["attempts"] == ["314"]
    [result] = json.loads(support.output_of("run", path, "--format", "json"))["results"]
    assert [result["summary"][member] for member in
            ("acknowledged", "scheduled", "exhausted", "attempts")] == [4, 76, 0, 314]
    [row] = csv.DictReader(io.StringIO(support.output_of("run", path, "--format", "csv")))
    assert [row[member] for member in ("acknowledged", "scheduled", "exhausted", "attempts")] == \
        ["4", "76", "0", "314"]


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_run_and_export_agree(path):
    ran = json.loads(support.output_of("run", path, "--format", "json"))
    exported = json.loads(support.output_of("export", path))
    assert ran["scenario"] == exported["scenario"]
    assert ran["results"] == [
        {member: result[member] for member in ("policy", "summary", "load")}
        for result in exported["results"]]
