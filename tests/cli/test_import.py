"""`import` makes policies of other systems' configurations, and `run --with` runs them."""
import json
import os

import pytest
import support

EXAMPLES = sorted((support.ROOT / "cli" / "examples").iterdir())
SYSTEMS = {path.stem: path for path in EXAMPLES}
LOST = support.SCENARIOS / "lost-responses.json"
# Of these examples everything is kept.
EXACT = ["aws", "celery", "temporal"]


def imported(*arguments, **options):
    """The document, and the lines of what is not kept."""
    result = support.run("import", *arguments, **options)
    assert result.returncode == support.DONE, result
    return json.loads(result.stdout), result.stderr.decode("utf-8").splitlines()


def run_json(*arguments, **options):
    result = support.run("run", *arguments, "--format", "json", **options)
    assert result.returncode == support.DONE, result
    return json.loads(result.stdout)


def policy_names(*arguments, **options):
    return [result["policy"] for result in run_json(*arguments, **options)["results"]]


def test_list_says_what_each_system_reads():
    lines = support.output_of("import", "--list").splitlines()
    assert [line.split()[0] for line in lines] == sorted(SYSTEMS)
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_example(system):
    text = support.output_of("import", "--list", system)
    assert text == SYSTEMS[system].read_text("utf-8")
    document, losses = imported(system, SYSTEMS[system])
    assert (document, losses) == imported(system, "-", stdin=text)
    assert set(document) <= {"policies", "server"}
    assert set(document.get("server", {})) <= {"deduplication"}
    assert all(line.startswith("not kept: ") for line in losses)
    # What is printed has its place in a scenario.
    scenario = support.base_scenario(policies=document["policies"])
    scenario["server"].update(document.get("server", {}))
    checked = json.loads(support.output_of("check", "-", stdin=json.dumps(scenario)))
    assert checked["policies"] == document["policies"]


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_example_has_delays(system):
    document, losses = imported(system, SYSTEMS[system], "--tick", "10ms")
    result = support.run("delays", "--from", system, SYSTEMS[system], "--tick", "10ms")
    assert result.returncode == support.DONE, result
    assert result.stderr.decode("utf-8").splitlines() == losses
    text = result.stdout.decode("utf-8")
    for policy in document["policies"]:
        assert policy["name"] in text


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_example_runs_in_a_scenarios_world(system):
    document, losses = imported(system, SYSTEMS[system])
    result = support.run("run", LOST, "--with", f"{system}:{SYSTEMS[system]}", "--format", "json")
    assert result.returncode == support.DONE, result
    assert result.stderr.decode("utf-8").splitlines() == losses
    names = [policy["name"] for policy in document["policies"]]
    assert [run["policy"] for run in json.loads(result.stdout)["results"]] == names
    table = support.run("run", LOST, "--with", f"{system}:{SYSTEMS[system]}")
    assert table.returncode == support.DONE, table
    assert table.stdout.decode("utf-8").count("└") == len(names)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_strict_refuses_what_is_not_kept(system, tmp_path):
    output = tmp_path / "policies.json"
    result = support.run("import", system, SYSTEMS[system], "--strict", "-o", output)
    if system in EXACT:
        assert (result.returncode, result.stdout, result.stderr) == (support.DONE, b"", b"")
        assert json.loads(output.read_text("utf-8")) == imported(system, SYSTEMS[system])[0]
    else:
        message = support.assert_refused(result, support.INVALID_INPUT)
        assert message.splitlines()[-1] == "retrygarden: not everything can be kept"
        assert message.splitlines()[:-1] == imported(system, SYSTEMS[system])[1]
        assert not os.listdir(tmp_path)


def test_output_is_a_whole_file_or_none(tmp_path):
    output = tmp_path / "policies.json"
    result = support.run("import", "grpc", SYSTEMS["grpc"], "-o", output)
    assert (result.returncode, result.stdout) == (support.DONE, b"")
    assert json.loads(output.read_text("utf-8")) == imported("grpc", SYSTEMS["grpc"])[0]
    output.unlink()
    support.assert_refused(support.run("import", "grpc", SYSTEMS["kafka"], "-o", output),
                           support.INVALID_INPUT)
    assert not os.listdir(tmp_path)
    missing = tmp_path / "missing" / "policies.json"
    support.assert_refused(support.run("import", "aws", SYSTEMS["aws"], "-o", missing),
                           support.INPUT_OUTPUT)


def test_tick_is_the_unit():
    delays = [imported("temporal", SYSTEMS["temporal"], "--tick", tick)[0]["policies"][0]["delay"]
              for tick in ("1ms", "1s", "250ms")]
    assert [delay["base"] for delay in delays] == [1000, 1, 4]
    assert [delay["cap"] for delay in delays] == [100000, 100, 400]


@pytest.mark.parametrize("tick", ["", "1", "0ms", "1 ms", "1.5s", "-1s", "1000000s", "1d"])
def test_tick_that_is_none(tick):
    message = support.assert_refused(
        support.run("import", "aws", SYSTEMS["aws"], "--tick", tick), support.USAGE)
    assert "tick" in message


def test_usage():
    for arguments in (["import"], ["import", "grpc"], ["import", "smtp", "-"],
                      ["import", "--list", "smtp"], ["import", "--list", "grpc", "-"]):
        message = support.assert_refused(support.run(*arguments), support.USAGE)
        assert "import" in message or "kafka" in message or "--list" in message
    message = support.assert_refused(support.run("import", "smtp", "-"), support.USAGE)
    assert all(f"\n  {system}" in message.replace("retrygarden: ", "") for system in SYSTEMS)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
@pytest.mark.parametrize("text", ["", "{}", "[" * 10000, "{\"a\": " * 10000, "<config/>"],
                         ids=["nothing", "empty", "lists", "objects", "markup"])
def test_invalid_file_is_refused_with_line_and_column(system, text):
    message = support.assert_refused(support.run("import", system, "-", stdin=text),
                                     support.INVALID_INPUT)
    assert "standard input is not valid" in message
    assert "line 1, column " in message


def test_file_that_is_missing():
    support.assert_refused(support.run("import", "grpc", "missing.json"), support.INPUT_OUTPUT)
    support.assert_refused(support.run("run", LOST, "--with", "grpc:missing.json"),
                           support.INPUT_OUTPUT)


def test_several_files_add_up_under_distinct_names(tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"producer": "CrashLoopBackOff"}', "utf-8")
    kafka = f"kafka:{SYSTEMS['kafka']}"
    kubernetes = f"kubernetes:{other}"
    arguments = (LOST, "--with", kafka, "--with", kubernetes, "--with", kubernetes, "--with", kafka)
    names = ["producer", "producer (kubernetes)", "producer (kubernetes 2)", "producer (kafka)"]
    assert policy_names(*arguments) == names
    assert policy_names(*arguments, "--policy", names[1]) == [names[1]]


@pytest.mark.parametrize("argument", ["kafka", "", ":", "smtp:file", f"grpc/{SYSTEMS['grpc']}"])
def test_with_that_names_no_system_and_file(argument):
    support.assert_refused(support.run("run", LOST, "--with", argument), support.USAGE)


def suppressed(*arguments, **options):
    results = run_json(*arguments, **options)["results"]
    return [result["summary"]["suppressed_effects"] for result in results]


def test_deduplication_is_the_files_where_it_says():
    """Stripe's server remembers keys, a file of Temporal says nothing of that."""
    world = support.base_scenario(
        clients=1, horizon=5000, faults={"first_response_lost": {"every": 1}},
        policies=[support.policy("own", timeout=1)])
    text = json.dumps(world)
    stripe = f"stripe:{SYSTEMS['stripe']}"
    temporal = f"temporal:{SYSTEMS['temporal']}"
    assert suppressed("-", "--with", stripe, stdin=text) == [1]
    temporal_world = dict(world, horizon=50000)
    assert suppressed("-", "--with", temporal, stdin=json.dumps(temporal_world)) == [0]
    temporal_world["server"] = {"capacity": 1, "deduplication": {"kind": "forever"}}
    assert suppressed("-", "--with", temporal, stdin=json.dumps(temporal_world)) == [1]


@pytest.mark.parametrize("timeout", [1, 70])
def test_timeout_is_the_worlds_where_the_file_has_none(timeout, tmp_path):
    """A lost response is noticed after the timeout, and the retry follows one second later."""
    options = tmp_path / "celery.json"
    options.write_text('{"job": {"retry_backoff": true, "retry_jitter": false}}', "utf-8")
    world = support.base_scenario(
        horizon=5000, faults={"first_response_lost": {"every": 1}},
        policies=[support.policy("own", timeout=timeout), support.policy("other", timeout=3)])
    result, = run_json("-", "--with", f"celery:{options}", stdin=json.dumps(world))["results"]
    assert result["summary"]["last_acknowledged_tick"] == timeout + 1000


def test_budget_of_a_service_config_stops_a_storm(tmp_path):
    """With gRPC's throttling fewer requests reach a server that is down than without."""
    throttled = json.loads(SYSTEMS["grpc"].read_text("utf-8"))
    free = {key: value for key, value in throttled.items() if key != "retryThrottling"}
    world = support.base_scenario(
        clients=100, clients_per_host=100, horizon=3000,
        server={"capacity": 9, "outages": [{"from": 0, "ticks": 3000}]})

    def attempts(config):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config), "utf-8")
        result, = run_json("-", "--with", f"grpc:{path}", stdin=json.dumps(world))["results"]
        return result["summary"]["attempts"]

    # 10 tokens, one for each failure, and none for a retry from 5 on: the first 4 may try again.
    assert attempts(throttled) == 100 + 4
    assert attempts(free) == 400
