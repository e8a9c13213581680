"""`run --policy NAME` restricts to the named policies, in the order of the file."""
import csv
import io
import json

import pytest
import support

PATH = support.SCENARIOS / "lost-responses.json"


def policies_of(*arguments):
    text = support.output_of("run", PATH, "--format", "csv", *arguments)
    return [row["policy"] for row in csv.DictReader(io.StringIO(text))]


def test_one():
    assert policies_of("--policy", "bounded jitter") == ["bounded jitter"]


def test_order_is_the_file_s():
    assert policies_of("--policy", "bounded jitter", "--policy", "fixed delay") == \
        ["fixed delay", "bounded jitter"]


def test_named_twice_is_run_once():
    assert policies_of("--policy", "fixed delay", "--policy", "fixed delay") == ["fixed delay"]


def test_all_formats_are_restricted():
    document = json.loads(support.output_of("run", PATH, "--format", "json", "--policy",
                                            "fixed delay"))
    assert [result["policy"] for result in document["results"]] == ["fixed delay"]
    table = support.output_of("run", PATH, "--policy", "fixed delay")
    assert "fixed delay" in table
    assert "bounded jitter" not in table


def test_results_do_not_depend_on_the_selection():
    both = json.loads(support.output_of("run", PATH, "--format", "json"))
    one = json.loads(support.output_of("run", PATH, "--format", "json", "--policy",
                                       "bounded jitter"))
    assert one["results"] == both["results"][1:]


@pytest.mark.parametrize("name", ["Fixed delay", "fixed", "", "fixed delay "])
@pytest.mark.parametrize("command", ["run", "attempts"])
def test_unknown_name_lists_the_names(command, name):
    message = support.assert_refused(support.run(command, PATH, "--policy", name), support.USAGE)
    assert "fixed delay" in message
    assert "bounded jitter" in message


def test_one_unknown_name_among_known_ones():
    result = support.run("run", PATH, "--policy", "fixed delay", "--policy", "nobody")
    assert "nobody" in support.assert_refused(result, support.USAGE)


def test_names_with_quotes_line_breaks_and_wide_characters():
    path = support.SCENARIOS / "names.json"
    names = [policy["name"] for policy in json.loads(path.read_text("utf-8"))["policies"]]
    for name in names:
        text = support.output_of("run", path, "--format", "json", "--policy", name)
        assert [result["policy"] for result in json.loads(text)["results"]] == [name]


def test_policy_needs_a_value():
    support.assert_refused(support.run("run", PATH, "--policy"), support.USAGE)
