"""Texts that are not JSON are refused with exit code 3 and the line and column of the fault."""
import json
import os

import pytest
import support

TEXT = json.dumps(support.full_scenario(), indent=1)


def place_of(text):
    [place] = support.fault_places(support.check_text(text))
    return place


@pytest.mark.parametrize("text, place", [
    ("", "line 1, column 1"),
    ("   ", "line 1, column 4"),
    ("\n\n", "line 3, column 1"),
    ("\ufeff", "line 1, column 1"),
    ("{}x", "line 1, column 3"),
    ("{} {}", "line 1, column 4"),
    ("{}\n]", "line 2, column 1"),
    ('{\n "a": é}', "line 2, column 7"),
    ('{"é": 1,}', "line 1, column 9"),  # columns are characters, not bytes
    ('\ufeff{"a": 1,}', "line 1, column 9"),  # and the mark is none
    ("{'a': 1}", "line 1, column 2"),
    ('{"a" 1}', "line 1, column 6"),
    ("{a: 1}", "line 1, column 2"),
    ("[1,]", "line 1, column 4"),
    ("[,]", "line 1, column 2"),
    ("// comment\n{}", "line 1, column 1"),
    ("[01]", "line 1, column 3"),
    ("[+1]", "line 1, column 2"),
    ("[.5]", "line 1, column 2"),
    ("[NaN]", "line 1, column 2"),
    ("[Infinity]", "line 1, column 2"),
    ("[-Infinity]", "line 1, column 3"),
    ('["\t"]', "line 1, column 3"),
    ('["a\nb"]', "line 1, column 4"),
    ('["\\x"]', "line 1, column 4"),
    ('{"a": 1}\0', "line 1, column 9"),
    ('{"a\0": 1}', "line 1, column 4"),
    ("\0", "line 1, column 1"),
    ("\xa0{}", "line 1, column 1"),
])
def test_place_of_a_syntax_error(text, place):
    assert place_of(text) == place


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "nan", "inf", "0x10", "1_000",
                                    "1.", ".5", "1e", "1e+", "--1", "+1", "00", "1,5", "1 000",
                                    "- 1", "١", "True"])
def test_what_is_no_number_in_json(number):
    text = support.with_literal(support.full_scenario(), "/clients", number)
    assert place_of(text).startswith("line 1, column ")


@pytest.mark.parametrize("data, place", [
    (b'["\xff"]', 3), (b'["\xc0\xaf"]', 3), (b'["\xe2\x82"]', 3), (b'["\xed\xa0\x80"]', 3),
    (b'["\xf4\x90\x80\x80"]', 3), (b'["\xf8\x88\x80\x80\x80"]', 3), (b'["\x80"]', 3),
    (b"\xfe\xff\x00{", None), (b"\xff\xfe{\x00}\x00", None), (b"\xef\xbb{}", None),
    (b"\xff", 1),
])
def test_invalid_utf8(data, place):
    found = place_of(data)
    assert found.startswith("line 1, column ")
    if place is not None:  # in the faulty sequence, which has up to four bytes
        assert place <= int(found.rsplit(" ", 1)[1]) <= place + 3


@pytest.mark.parametrize("escape", ["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\ud800",
                                    "\\udfff\\ud800", "\\ud83c", "\\ud800\\u0041", "\\uDBFF",
                                    "\\u12", "\\u12g4", "\\U0001f331"])
@pytest.mark.parametrize("pointer", ["/name", "/policies/0/name"])
def test_escapes_that_name_no_character(escape, pointer):
    text = support.with_literal(support.full_scenario(), pointer, f'"{escape}"')
    assert place_of(text).startswith("line 1, column ")


def test_truncated_at_every_byte():
    scenario = support.changed(support.full_scenario(), "/name", "é 再 🌱 \x01")
    data = json.dumps(scenario, ensure_ascii=False).encode("utf-8")
    for size in range(len(data)):
        result = support.check_text(data[:size])
        assert result.returncode == support.INVALID_INPUT, data[:size]
        assert result.stdout == b""
        [place] = support.fault_places(result)
        line, column = place.removeprefix("line ").split(", column ")
        assert line == "1"
        characters = len(data[:size].decode("utf-8", errors="ignore"))
        # At the end, at the character before it, or after the bytes of half a character.
        assert characters <= int(column) <= characters + 2


@pytest.mark.parametrize("tail", ["x", "{}", "]", "}", ",", "null", "0", '"'])
def test_text_after_the_end(tail):
    line = TEXT.count("\n") + 2
    assert place_of(f"{TEXT}\n{tail}").startswith(f"line {line}, column ")


def test_white_space_after_the_end_is_fine():
    support.output_of("check", "-", stdin=TEXT + " \t\r\n" * 100)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("count", [33, 100_000, 2_000_000])
def test_too_deep(opening, count):
    message = support.assert_refused(support.check_text(opening * count), support.INVALID_INPUT)
    assert "32" in message
    assert len(message) < 1000


def test_depth_32_is_read():
    # As an unknown member: what is wrong is the member, not its depth. The document is level 1.
    scenario = support.base_scenario(deep=0)
    text = support.with_literal(scenario, "/deep", "[" * 31 + "]" * 31)
    assert support.fault_places(support.check_text(text)) == ["/deep"]
    text = support.with_literal(scenario, "/deep", "[" * 32 + "]" * 32)
    [place] = support.fault_places(support.check_text(text))
    assert place.startswith("/deep/0/0/")


def test_100_megabytes_of_blanks(tmp_path):
    path = tmp_path / "blanks.json"
    with open(path, "wb") as file:
        for _ in range(100):
            file.write(b" " * 1_000_000)
    try:
        result = support.run("check", path, timeout=20)
        assert support.fault_places(result) == ["line 1, column 100000001"]
    finally:
        os.remove(path)


def test_100_megabytes_of_nul_bytes(tmp_path):
    path = tmp_path / "sparse.json"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    assert support.fault_places(support.run("check", path, timeout=20)) == ["line 1, column 1"]


def test_numbers_beyond_every_machine_type():
    for number in ("1e400", "-1e400", "1e999999999999", "1" * 5000, "0." + "1" * 5000,
                   "1e-400"):
        text = support.with_literal(support.full_scenario(), "/clients", number)
        message = support.assert_refused(support.check_text(text), support.INVALID_INPUT)
        assert len(message) < 500
