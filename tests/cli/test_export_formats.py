"""`export` holds the same values as JSON, as NDJSON, and as four CSV files."""
import csv
import json

import pytest
import support

FOLDER = ["attempts.csv", "clients.csv", "load.csv", "summary.csv"]


def records_of(document):
    """The NDJSON records, without order, that a document stands for."""
    head = {member: value for member, value in document.items() if member != "results"}
    records = [{"record": "export", **head}]
    for result in document["results"]:
        policy = result["policy"]
        records.append({"record": "summary", "policy": policy, **result["summary"]})
        for kind, member in [("load", "load"), ("attempt", "attempts"), ("client", "clients")]:
            records += [{"record": kind, "policy": policy, **row} for row in result[member]]
    return records


def flat(row):
    """A record as CSV has it: inner members joined by _, null an empty cell, all text."""
    cells = {}
    for member, value in row.items():
        if isinstance(value, dict):
            cells |= {f"{member}_{name}": cell for name, cell in flat(value).items()}
        else:
            cells[member] = "" if value is None else str(value)
    return cells


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_ndjson_holds_the_same_records(path):
    document = json.loads(support.output_of("export", path))
    text = support.output_of("export", path, "--format", "ndjson")
    assert text.endswith("\n")
    records = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    assert [json.dumps(record) for record in records] == \
        [json.dumps(record) for record in records_of(document)]


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_csv_holds_the_same_values(path, tmp_path):
    document = json.loads(support.output_of("export", path))
    folder = tmp_path / "folder"
    assert support.output_of("export", path, "--format", "csv", "-o", folder) == ""
    assert sorted(file.name for file in folder.iterdir()) == FOLDER
    for name in FOLDER:
        member = name.removesuffix(".csv")
        expected = []
        for result in document["results"]:
            rows = [result[member]] if member == "summary" else result[member]
            expected += [{"policy": result["policy"], **flat(row)} for row in rows]
        with open(folder / name, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            assert list(reader) == expected
            assert reader.fieldnames == list(expected[0])


def test_csv_needs_a_folder():
    path = support.SCENARIOS / "horizon.json"
    for arguments in [[], ["-o", "-"]]:
        support.assert_refused(support.run("export", path, "--format", "csv", *arguments),
                               support.USAGE)


def test_csv_replaces_files_in_a_folder_and_leaves_others(tmp_path):
    (tmp_path / "load.csv").write_text("old")
    (tmp_path / "other.csv").write_text("mine")
    path = support.SCENARIOS / "horizon.json"
    support.output_of("export", path, "--format", "csv", "-o", tmp_path)
    assert (tmp_path / "load.csv").read_text().startswith("policy,tick,")
    assert (tmp_path / "other.csv").read_text() == "mine"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([*FOLDER, "other.csv"])


def test_run_s_csv_is_the_folder_s_summary(tmp_path):
    path = support.SCENARIOS / "names.json"
    support.output_of("export", path, "--format", "csv", "-o", tmp_path)
    assert (tmp_path / "summary.csv").read_bytes() == \
        support.run("run", path, "--format", "csv").stdout


@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_file_and_standard_output_hold_the_same_bytes(form, tmp_path):
    path = support.SCENARIOS / "lost-responses.json"
    plain = support.output_of("export", path, "--format", form)
    assert support.output_of("export", path, "--format", form, "-o", "-") == plain
    for option in ("-o", "--output"):
        file = tmp_path / f"out{option}"
        assert support.output_of("export", path, "--format", form, option, file) == ""
        assert file.read_text(encoding="utf-8") == plain


def test_json_is_the_default():
    path = support.SCENARIOS / "horizon.json"
    assert support.output_of("export", path) == \
        support.output_of("export", path, "--format", "json")
