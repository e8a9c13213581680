"""The JSON Schema of scenarios: valid itself, accepts what is valid, refuses what it can tell."""
import json

import jsonschema
import pytest
import scenario_cases
import support

CASES = list(scenario_cases.all_cases())
TOLD = [case for case in CASES if case[3]]
# What a schema cannot express: relations between members (`at` below `horizon`, `over` not above
# it, `offset` below `every`, `cap` not below `base`, `to` not below `from`, the second of a pair not
# below the first, `initial` not above `capacity`, `failures` not above `window`), equal policy
# names, and how a number or an object is written (3.0, 3e0, more than six digits, a member that
# stands twice).
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
            "/policies/2/delay/multiplier 2.0000000", "/clients twice",
            "/policies/1/jitter/to 0.499999", "/policies/5/delay/ticks/0/1 1",
            "/policies/0/budget/initial 6.000001", "/policies/0/breaker/failures 5",
            "/policies/0/budget/retry_cost 7.0000000"} <= names


def objects(schema, definitions):
    """All schemas of objects in a schema, without those that only restrict others."""
    if "$ref" in schema:
        yield from objects(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if schema.get("type") == "object":
        yield schema
    for inner in [*schema.get("properties", {}).values(), *schema.get("oneOf", [])]:
        yield from objects(inner, definitions)
    if "items" in schema:
        yield from objects(schema["items"], definitions)


def test_every_member_is_described_for_editors():
    schema = json.loads(support.SCHEMA.read_text(encoding="utf-8"))
    plain = {"kind", "ticks", "base", "step", "cap"}  # their object is described, or their delay
    for described in objects(schema, schema["$defs"]):
        for name, member in described["properties"].items():
            definition = schema["$defs"].get(member.get("$ref", "").rpartition("/")[2], {})
            assert name in plain or "description" in {**definition, **member} or \
                name == "name" or "oneOf" in member, name


def test_defaults_are_those_that_check_fills_in():
    schema = json.loads(support.SCHEMA.read_text(encoding="utf-8"))
    budget = {"kind": "tokens", "capacity": 3}
    scenario = support.base_scenario(
        server={"capacity": 1, "outages": [{"from": 0, "ticks": 1}]},
        policies=[support.policy("p", delay={"kind": "exponential", "base": 1, "cap": 2},
                                 budget=budget)])
    filled = json.loads(support.output_of("check", "-", stdin=json.dumps(scenario)))
    [policy] = filled["policies"]
    members, definitions = schema["properties"], schema["$defs"]
    places = [
        (members, filled), (members["server"]["properties"], filled["server"]),
        (members["server"]["properties"]["outages"]["items"]["properties"],
         filled["server"]["outages"][0]),
        (members["faults"]["properties"], filled["faults"]),
        (definitions["policy"]["properties"], policy),
        (definitions["policy"]["properties"]["delay"]["oneOf"][2]["properties"], policy["delay"]),
        (definitions["budget"]["oneOf"][0]["properties"], policy["budget"])]
    count = 0
    for described, values in places:
        for name, member in described.items():
            if "default" in member and name != "outages":
                assert (name, member["default"]) == (name, values[name])
                count += 1
    # Of the scenario 1, server 8, outage 2, faults 2, policy 3, delay 1, budget 6.
    assert count == 23
