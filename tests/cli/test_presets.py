"""`new` writes and lists the presets, and each of them works."""
import json

import pytest
import support


def preset(name):
    return support.output_of("new", name)


def summaries(name):
    """{policy: summary} of a preset."""
    document = json.loads(support.output_of("run", "-", "--format", "json", stdin=preset(name)))
    return {result["policy"]: result["summary"] for result in document["results"]}


def figures(name, *members):
    return {policy: tuple(summary[member] for member in members)
            for policy, summary in summaries(name).items()}


@pytest.mark.parametrize("name", support.PRESETS)
def test_preset(name):
    text = preset(name)
    scenario = json.loads(text)
    assert scenario["description"].strip()
    assert json.loads(support.output_of("check", "-", stdin=text))["name"] == scenario["name"]
    assert support.output_of("run", "-", stdin=text).count("└") == len(scenario["policies"])


@pytest.mark.parametrize("name", support.PRESETS)
def test_preset_is_the_golden_scenario_of_its_name(name):
    folder = support.PUBLISHED if name.startswith("retry-storm") else support.SCENARIOS
    assert preset(name) == (folder / f"{name}.json").read_text(encoding="utf-8")


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


@pytest.mark.parametrize("name, figures", [
    ("retry-storm", (400, 14_800)), ("retry-storm-budget", (2810, 4100)),
    ("retry-storm-breaker", (3350, 7171)),
])
def test_retry_storms_give_the_published_figures(name, figures):
    [summary] = summaries(name).values()
    assert (summary["acknowledged"], summary["attempts"]) == figures
    if name == "retry-storm":
        assert summary["last_acknowledged_tick"] == 99  # the last tick before the outage
    else:
        assert summary["last_acknowledged_tick"] == 999  # the last tick with arrivals


def test_retry_storms_differ_in_nothing_but_the_remedy():
    storm = json.loads(preset("retry-storm"))
    for name, remedy in [("retry-storm-budget", "budget"), ("retry-storm-breaker", "breaker")]:
        scenario = json.loads(preset(name))
        del scenario["policies"][0][remedy]
        assert scenario.pop("clients_per_host") == 400
        for other in (storm, scenario):
            for member in ("name", "description"):
                other.pop(member, None)
            other["policies"][0]["name"] = ""
        assert scenario == storm


def test_crash_loses_keys():
    # In service when the server crashes: clients 1 and 2 at tick 8, 8 and 9 at tick 29. Each is
    # started a second time; the keys of 8 and 9 are lost by then.
    assert figures("crash-loses-keys", "attempts", "effects", "duplicate_effects",
                   "suppressed_effects", "crashed_responses", "acknowledged") == {
        "fixed delay": (18, 14, 2, 2, 4, 12)}
    assert json.loads(preset("crash-loses-keys"))["server"]["deduplication"] == {"kind": "forever"}


def test_key_expiry():
    # Four of eight clients lose their first response, and time out in tick 4. Quick ones retry in
    # tick 7, when the key is there. The others retry in 4 + 6 = 10, when the server is down, in
    # 10 + 12 = 22, and in 22 + 24 = 46; a deadline of 20 does not let them retry in 22.
    assert figures("key-expiry", "attempts", "effects", "duplicate_effects",
                   "suppressed_effects", "acknowledged", "deadline_exceeded") == {
        "quick": (8 + 4, 8, 0, 4, 8, 0),
        "exponential": (8 + 3 * 4, 8 + 4, 4, 0, 8, 0),
        "with a deadline": (8 + 4, 8, 0, 0, 4, 4)}


def test_rate_limit():
    # Ten of those that are there are served in each window of 20 ticks. Who comes back after
    # exactly 20 ticks makes 60 + 50 + ... + 10 attempts, and the last ten are served in tick 100.
    results = summaries("rate-limit")
    assert list(results) == ["ignore", "at least", "replace"]
    assert (results["replace"]["attempts"], results["replace"]["last_acknowledged_tick"]) == \
        (210, 100)
    assert results["replace"]["time_to_acknowledge"] == {"p50": 40, "p90": 100, "p99": 100,
                                                         "max": 100}
    assert all(summary["acknowledged"] == 60 for summary in results.values())
    # Later retries: no more attempts; retries in a window that is used up: more.
    assert results["at least"]["attempts"] <= 210 < results["ignore"]["attempts"]
