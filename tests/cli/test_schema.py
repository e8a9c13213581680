"""The JSON Schema of scenarios: valid itself, accepts what is valid, refuses what it can tell."""
import json

import jsonschema
import pytest
import scenario_cases
import support

CASES = list(scenario_cases.all_cases())
TOLD = [case for case in CASES if case[3]]
# What a schema cannot express: relations between members (`at` below `horizon`, `over` not above
# it, `offset` below `every`, `cap` not below `base`), equal policy names, and how a number or an
# object is written (3.0, 3e0, more than six digits, a member that stands twice).
NOT_TOLD = [case for case in CASES if not case[3]]


@pytest.fixture(scope="module", name="validator")
def make_validator():
    schema = json.loads(support.output_of("schema"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_schema_is_draft_2020_12_and_the_repository_s():
    text = support.output_of("schema")
    assert json.loads(text)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert text == support.SCHEMA.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", support.GOLDEN, ids=lambda path: path.stem)
def test_golden_scenarios_are_valid(validator, path):
    validator.validate(json.loads(path.read_text(encoding="utf-8")))
    validator.validate(json.loads(support.output_of("check", path)))


@pytest.mark.parametrize("name", support.PRESETS)
def test_presets_are_valid(validator, name):
    validator.validate(json.loads(support.output_of("new", name)))


def test_ends_of_the_ranges_are_valid(validator):
    for name, text in scenario_cases.accepted_at_the_ends():
        assert validator.is_valid(json.loads(text)), name


@pytest.mark.parametrize("text", [case[1] for case in TOLD], ids=[case[0] for case in TOLD])
def test_invalid(validator, text):
    assert not validator.is_valid(json.loads(text))


def test_what_it_cannot_tell(validator):
    for name, text, *_ in NOT_TOLD:
        assert validator.is_valid(json.loads(text)), f"{name}: the schema can tell after all"
    names = {name for name, *_ in NOT_TOLD}
    assert {"/arrivals/at 50", "/arrivals/over 51", "/faults/first_response_lost/offset 3",
            "/policies/1/delay/cap 1", "equal names", "/clients 5.0", "/clients 5e0",
            "/policies/2/delay/multiplier 2.0000000", "/clients twice"} <= names
