"""`verify` accepts every true export, and names the first difference of one that was changed."""
import json
import re

import pytest
import support

PATH = support.SCENARIOS / "lost-responses.json"
TEXT = support.output_of("export", PATH)
SOURCES = ["document", "engine", "reference model"]


def export():
    return json.loads(TEXT)


def verify(document):
    text = document if isinstance(document, (str, bytes)) else json.dumps(document)
    return support.run("verify", "-", stdin=text)


def difference(document):
    """(pointer, [value of the document, the engine, the reference model]) of a refused one."""
    message = support.assert_refused(verify(document), support.COMPARISON_FAILED)
    first, *lines = message.strip().splitlines()
    pointer = re.search(r"first difference is at (.*)$", first).group(1)
    found = [re.fullmatch(r" +(document|engine|reference model) +(.*)", line).groups()
             for line in lines]
    assert [source for source, _ in found] == SOURCES
    return pointer, [value for _, value in found]


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_true_exports(path, tmp_path):
    file = tmp_path / "export.json"
    support.output_of("export", path, "-o", file)
    document = json.loads(file.read_text(encoding="utf-8"))
    message = support.output_of("verify", file)
    attempts = sum(result["summary"]["attempts"] for result in document["results"])
    assert f"{attempts:,}".replace(",", " ") + " attempts" in message
    assert str(file) in message


@pytest.mark.parametrize("options", [{}, {"indent": 4}, {"sort_keys": True},
                                     {"separators": (",", ":")}, {"ensure_ascii": False}],
                         ids=str)
@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_true_exports_that_were_reformatted(path, options):
    document = json.loads(support.output_of("export", path))
    text = json.dumps(document, **options)
    if re.search(r"\de-\d", text):  # a scenario's fractions have no exponent
        text = re.sub(r"\b1e-06\b", "0.000001", text)
    result = support.run("verify", "-", stdin=text)
    assert (result.returncode, result.stderr) == (support.DONE, b"")


CHANGED = [  # (pointer, new value, its description, the true value)
    ("/retrygarden", 2, "2", "1"),
    ("/assumptions/0", "Service takes time.", '"Service takes time."', None),
    ("/assumptions/9", 8, "8", None),
    ("/results/0/policy", "other", '"other"', '"fixed delay"'),
    ("/results/0/summary/attempts", 27, "27", "26"),
    ("/results/0/summary/attempts", 26.0, "26.0", "26"),
    ("/results/0/summary/attempts", "26", '"26"', "26"),
    ("/results/0/summary/attempts", None, "null", "26"),
    ("/results/0/summary/attempts", True, "true", "26"),
    ("/results/0/summary/attempts", [26], "a list", "26"),
    ("/results/0/summary/attempts", {"26": 26}, "an object", "26"),
    ("/results/0/summary/attempts", 2**64 + 26, str(2**64 + 26), "26"),
    ("/results/0/summary/effects", 8, "8", "9"),
    ("/results/1/summary/effects", 9, "9", "10"),
    ("/results/1/summary/acknowledged", 6, "6", "7"),
    ("/results/0/summary/duplicate_effects", -2, "-2", "2"),
    ("/results/0/summary/peak_load/requests", 7, "7", "8"),
    ("/results/0/summary/time_to_acknowledge/p50", 9, "9", "8"),
    ("/results/0/summary/peak_load", None, "null", "an object"),
    ("/results/0/load/0/unavailable", 7, "7", "8"),
    ("/results/0/attempts/0/outcome", "overloaded", '"overloaded"', '"unavailable"'),
    ("/results/0/attempts/0/outcome", "Unavailable", '"Unavailable"', '"unavailable"'),
    ("/results/0/attempts/0/started_tick", 0, "0", "null"),
    ("/results/0/attempts/0/started_tick", False, "false", "null"),
    ("/results/0/attempts/25/next_tick", 99, "99", "null"),
    ("/results/0/clients/0/acknowledged_tick", 9, "9", "8"),
    ("/results/0/clients/0/state", "exhausted", '"exhausted"', '"acknowledged"'),
    ("/results/0/clients/1/next_tick", 1, "1", "null"),
    ("/results/0/load", {}, "an object", "a list"),
    ("/results/0/load", [], "nothing", "an object"),
    ("/results", None, "null", "a list"),
]


@pytest.mark.parametrize("pointer, value, shown, true", CHANGED,
                         ids=[f"{pointer} {shown}" for pointer, _, shown, _ in CHANGED])
def test_a_changed_value(pointer, value, shown, true):
    found, values = difference(support.changed(export(), pointer, value))
    assert found == (pointer + "/0" if value == [] else pointer)
    assert values[0] == shown
    assert values[1] == values[2] != values[0]
    assert true is None or values[1:] == [true, true]


CRASHES = support.output_of("export", support.SCENARIOS / "crash-loses-keys.json")
CHANGED_CRASHES = [  # what is there only where attempts take time; see the scenario's test
    ("/results/0/summary/crashed_responses", 3, "3", "4"),
    ("/results/0/summary/timeouts", 3, "3", "4"),
    ("/results/0/summary/suppressed_effects", 4, "4", "2"),
    ("/results/0/load/1/queued", 1, "1", "0"),
    ("/results/0/attempts/1/response", "lost", '"lost"', '"crashed"'),
    ("/results/0/attempts/1/failed_tick", 12, "12", "11"),
    ("/results/0/attempts/0/failed_tick", 6, "6", "null"),
    ("/results/0/attempts/2/dropped_tick", 8, "8", "null"),
    ("/results/0/clients/8/effects", 1, "1", "2"),
    ("/results/0/clients/8/state", "awaiting", '"awaiting"', '"acknowledged"'),
]


@pytest.mark.parametrize("pointer, value, shown, true", CHANGED_CRASHES,
                         ids=[f"{pointer} {shown}" for pointer, _, shown, _ in CHANGED_CRASHES])
def test_a_changed_value_where_attempts_take_time(pointer, value, shown, true):
    found, values = difference(support.changed(json.loads(CRASHES), pointer, value))
    assert (found, values) == (pointer, [shown, true, true])


def test_keys_that_are_not_lost():
    # Both models find fewer effects than an export of the scenario in which they are.
    document = support.changed(json.loads(CRASHES), "/scenario/server/outages/1/loses_keys", False)
    assert difference(document) == ("/results/0/summary/effects", ["14", "12", "12"])


MEMBERS = ["/retrygarden", "/assumptions", "/results", "/results/0/policy", "/results/0/summary",
           "/results/0/load", "/results/0/attempts", "/results/0/clients",
           *(f"/results/0/summary/{member}" for member in export()["results"][0]["summary"]),
           *(f"/results/0/load/1/{member}" for member in export()["results"][0]["load"][1]),
           *(f"/results/0/attempts/9/{member}"
             for member in export()["results"][0]["attempts"][9]),
           *(f"/results/1/clients/2/{member}"
             for member in export()["results"][1]["clients"][2]),
           "/results/0/summary/peak_load/tick", "/results/0/summary/time_to_acknowledge/max"]


@pytest.mark.parametrize("pointer", MEMBERS)
def test_a_missing_member(pointer):
    found, values = difference(support.changed(export(), pointer, support.MISSING))
    assert found == pointer
    assert values[0] == "nothing"
    assert values[1] == values[2] != "nothing"


@pytest.mark.parametrize("place", ["", "/results/0", "/results/0/summary",
                                   "/results/0/summary/peak_load", "/results/0/load/1",
                                   "/results/0/attempts/9", "/results/1/clients/2"])
@pytest.mark.parametrize("value, shown", [(1, "1"), (None, "null"), ({}, "an object")])
def test_an_extra_member(place, value, shown):
    found, values = difference(support.changed(export(), f"{place}/extra~0~1", value))
    assert found == f"{place}/extra~0~1"
    assert values == [shown, "nothing", "nothing"]


LISTS = ["/assumptions", "/results", "/results/0/load", "/results/0/attempts",
         "/results/1/attempts", "/results/0/clients"]


def list_at(document, pointer):
    for part in pointer.split("/")[1:]:
        document = document[int(part) if isinstance(document, list) else part]
    return document


@pytest.mark.parametrize("pointer", LISTS)
def test_a_missing_or_extra_record_at_the_end(pointer):
    document = export()
    last = list_at(document, pointer).pop()
    found, values = difference(document)
    index = len(list_at(document, pointer))
    assert found == f"{pointer}/{index}"
    assert values[0] == "nothing" and "nothing" not in values[1:]
    list_at(document, pointer).extend([last, last])
    found, values = difference(document)
    assert found == f"{pointer}/{index + 1}"
    assert values[0] != "nothing" and values[1:] == ["nothing", "nothing"]


@pytest.mark.parametrize("pointer, place", [
    ("/results/0/attempts", "/results/0/attempts/0/client"),
    ("/results/0/clients", "/results/0/clients/0/client"),
    ("/results/0/load", "/results/0/load/0/tick"),
    ("/results", "/results/0/policy"),
])
def test_two_records_in_the_wrong_order(pointer, place):
    document = export()
    records = list_at(document, pointer)
    records[0], records[1] = records[1], records[0]
    assert difference(document)[0] == place


def test_the_first_of_two_differences_is_named():
    document = support.changed(export(), "/results/0/attempts/3/tick", 5)
    assert difference(document)[0] == "/results/0/attempts/3/tick"
    document = support.changed(document, "/results/0/summary/scheduled", 5)
    assert difference(document)[0] == "/results/0/summary/scheduled"
    document["results"][0]["load"] = []
    assert difference(document)[0] == "/results/0/summary/scheduled"


@pytest.mark.parametrize("pointer", [
    "/scenario/arrivals", "/scenario/server/outages", "/scenario/policies/0/jitter",
    "/scenario/server/deduplication", "/scenario/clients_per_host", "/scenario/server/queue",
    "/scenario/server/drop_abandoned", "/scenario/server/outages/0/kind",
    "/scenario/faults/request_loss", "/scenario/policies/0/timeout",
    "/scenario/policies/1/on_retry_after"])
def test_a_scenario_without_its_defaults_differs(pointer):
    # An export fills in every default; another one differs, although it means the same or not.
    document = support.changed(export(), pointer, support.MISSING)
    found, values = difference(document)
    assert found == pointer
    assert values[0] == "nothing"


@pytest.mark.parametrize("pointer, value, first", [
    ("/scenario/seed", 10, "/results/1/"), ("/scenario/clients", 9, "/results/0/"),
    ("/scenario/policies/0/name", "new", "/results/0/policy"),
    ("/scenario/server/capacity", 4, "/results/0/summary/"),
])
def test_a_changed_scenario_gives_other_results(pointer, value, first):
    # Fixed delays draw nothing, so another seed changes only the second policy.
    assert difference(support.changed(export(), pointer, value))[0].startswith(first)


@pytest.mark.parametrize("pointer, value, place", [
    ("/scenario", support.MISSING, "/scenario"),
    ("/scenario", None, "/scenario"),
    ("/scenario/clients", 0, "/scenario/clients"),
    ("/scenario/seed", 9.0, "/scenario/seed"),
    ("/scenario/unknown", 1, "/scenario/unknown"),
    ("/scenario/policies/1/delay/cap", 1, "/scenario/policies/1/delay/cap"),
    ("/scenario/policies/1/name", "fixed delay", "/scenario/policies/1/name"),
    ("/scenario/policies", [], "/scenario/policies"),
])
def test_an_invalid_scenario_inside(pointer, value, place):
    assert support.fault_places(verify(support.changed(export(), pointer, value))) == [place]


@pytest.mark.parametrize("text", ["", " ", "null", "[]", "1", '"text"', "{}", "{", TEXT[:-2],
                                  TEXT[:1000], TEXT + "x", TEXT + TEXT, "\0" + TEXT,
                                  TEXT.replace('"results"', "results"), "[" * 100_000],
                         ids=range(15))
def test_damaged_text(text):
    support.assert_refused(verify(text), support.INVALID_INPUT)


def test_invalid_utf8():
    data = TEXT.encode().replace(b'"fixed delay"', b'"fixed\xffdelay"')
    support.assert_refused(verify(data), support.INVALID_INPUT)


def test_truncated_exports():
    data = TEXT.encode("utf-8").rstrip()
    for size in range(0, len(data), len(data) // 100):
        support.assert_refused(verify(data[:size]), support.INVALID_INPUT)


@pytest.mark.parametrize("member", ["results", "assumptions"])
def test_a_member_that_stands_twice(member):
    text = json.dumps({**export(), "twice": export()[member]}).replace('"twice"', f'"{member}"')
    assert support.fault_places(verify(text)) == [f"/{member}"]


def test_a_scenario_is_not_an_export():
    message = support.assert_refused(support.run("verify", PATH), support.INVALID_INPUT)
    assert "/scenario" in message


def test_control_characters_are_escaped():
    document = support.changed(export(), "/results/0/policy", "\x1b[31m\x9b\x7f")
    message = support.assert_refused(verify(document), support.COMPARISON_FAILED)
    assert support.control_characters(message) == []
    document = support.changed(export(), "/results/0/\x1b[31m", 1)
    message = support.assert_refused(verify(document), support.COMPARISON_FAILED)
    assert support.control_characters(message) == []


def test_a_long_value_is_not_repeated_in_full():
    document = support.changed(export(), "/results/0/policy", "x" * 1_000_000)
    message = support.assert_refused(verify(document), support.COMPARISON_FAILED)
    assert len(message) < 2000


def test_byte_order_mark():
    assert verify("\ufeff" + TEXT).returncode == support.DONE


@pytest.mark.parametrize("form", ["ndjson"])
def test_other_formats_are_refused_as_input(form):
    text = support.output_of("export", PATH, "--format", form)
    support.assert_refused(verify(text), support.INVALID_INPUT)
