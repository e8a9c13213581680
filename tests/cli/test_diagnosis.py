"""What `run` says about each policy below the charts. The sentences are the engine's own."""
import re

import pytest
import support
from run_output import WIDTHS, blocks_after_tables, charts, run_in_terminal

STORM = support.PUBLISHED / "retry-storm.json"


def diagnoses(text):
    """[(policy, [sentences])] below the charts and their note."""
    result = []
    for name, *lines in blocks_after_tables(text)[len(charts(text)) + 1:]:
        assert lines, name
        sentences = []
        for line in lines:
            assert re.match("(- |  )[^ ]", line), line
            if line.startswith("- "):
                sentences.append(line[2:])
            else:
                sentences[-1] += line[1:]
        result.append((name, sentences))
    return result


def test_a_policy_of_which_there_is_something_to_say():
    [(name, sentences)] = diagnoses(support.output_of("run", STORM))
    assert name == "four attempts"
    assert all(sentence.endswith(".") for sentence in sentences)
    # 4000 clients over 1000 ticks, as many acknowledged before the outage and none at the end.
    assert "4.00" in sentences[0] and "0.00" in sentences[0]


def test_nothing_to_say(write_scenario):
    assert diagnoses(support.output_of("run", write_scenario(support.base_scenario()))) == []


def test_only_policies_of_which_there_is_something_to_say(write_scenario):
    # A client that gets no response cannot know of its success; who waits for one gets it.
    scenario = support.base_scenario(
        server={"capacity": 1, "service_ticks": 5},
        policies=[support.policy("waits", timeout=5), support.policy("hurries", 1, timeout=4),
                  support.policy("waits longer", timeout=6)])
    [(name, _)] = diagnoses(support.output_of("run", write_scenario(scenario)))
    assert name == "hurries"


@pytest.mark.parametrize("width", WIDTHS)
def test_sentences_are_wrapped_and_the_same_at_each_width(width):
    text = run_in_terminal(width, "run", STORM)
    assert [line for line in text.splitlines() if support.display_width(line) > width] == []
    assert diagnoses(text) == diagnoses(support.output_of("run", STORM))


def test_no_control_character_of_a_name(write_scenario):
    scenario = support.base_scenario(
        server={"capacity": 1, "service_ticks": 5},
        policies=[support.policy("\x1b[31m\n" * 50, timeout=4)])
    text = support.output_of("run", write_scenario(scenario))
    assert len(diagnoses(text)) == 1
    assert support.control_characters(text) == []
    assert [line for line in text.splitlines() if support.display_width(line) > 80] == []


def test_other_formats_have_none():
    [(_, sentences)] = diagnoses(support.output_of("run", STORM))
    for form in ("json", "csv"):
        text = support.output_of("run", STORM, "--format", form)
        assert not any(sentence in text for sentence in sentences)


def test_a_run_is_not_refused_for_its_diagnosis(write_scenario):
    # Records of attempts take more memory than the run alone.
    scenario = support.base_scenario(
        clients=100_000, horizon=50, server={"capacity": 3000, "queue": 1000},
        policies=[support.policy("p", 9, timeout=5)])
    path = write_scenario(scenario)
    refused = support.run("run", path, "--memory-limit", "1MiB")
    needed = int(re.search(r"(\d+) MiB", support.assert_refused(
        refused, support.OVER_MEMORY)).group(1))
    text = support.output_of("run", path, "--memory-limit", f"{needed}MiB")
    assert text.endswith("\n\nNo diagnosis: it would need more memory than the limit.\n")
    assert text.startswith(support.output_of("run", path).split("\n\np\n- ")[0])
