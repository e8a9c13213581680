"""`new` writes and lists the presets, and each of them works."""
import json

import pytest
import support


def preset(name):
    return support.output_of("new", name)


@pytest.mark.parametrize("name", support.PRESETS)
def test_preset(name):
    text = preset(name)
    scenario = json.loads(text)
    assert scenario["description"].strip()
    assert json.loads(support.output_of("check", "-", stdin=text))["name"] == scenario["name"]
    assert support.output_of("run", "-", stdin=text).count("└") == len(scenario["policies"])


@pytest.mark.parametrize("name", support.PRESETS)
def test_preset_is_the_golden_scenario_of_its_name(name):
    assert preset(name) == (support.SCENARIOS / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", support.PRESETS)
def test_preset_to_a_file(name, tmp_path):
    path = tmp_path / "scenario.json"
    assert support.output_of("new", name, "-o", path) == ""
    assert path.read_text(encoding="utf-8") == preset(name)
    assert support.output_of("new", name, "-o", "-") == preset(name)


def test_list():
    lines = support.output_of("new", "--list").splitlines()
    assert [line.split()[0] for line in lines] == list(support.PRESETS)
    for line in lines:
        name, words = line.split(maxsplit=1)
        assert json.loads(preset(name))["description"].startswith(words)


@pytest.mark.parametrize("name", ["", "nonsense", "Horizon", "horizon.json", "../horizon"])
def test_unknown_preset_lists_the_presets(name):
    message = support.assert_refused(support.run("new", name), support.USAGE)
    assert all(known in message for known in support.PRESETS)


def test_unknown_preset_leaves_no_file(tmp_path):
    support.assert_refused(support.run("new", "nonsense", "-o", tmp_path / "file"), support.USAGE)
    assert list(tmp_path.iterdir()) == []


def test_neither_or_both():
    support.assert_refused(support.run("new"), support.USAGE)
    support.assert_refused(support.run("new", "horizon", "--list"), support.USAGE)
