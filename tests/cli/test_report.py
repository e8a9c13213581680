"""retrygarden report: a page with the scenario and its results inside, in one file."""
import json
import re

import pytest
import support

PATH = support.SCENARIOS / "lost-responses.json"
MARKER = "<!-- results of retrygarden report -->"


@pytest.fixture(name="page")
def make_page(tmp_path):
    """A page that has a place for results, and nothing else of the real one."""
    path = tmp_path / "page.html"
    path.write_text(f"<p>before</p>{MARKER}<p>after</p>", encoding="utf-8")
    return path


def stored(html):
    """What the page will read: the text of the only such element, as a browser finds its end."""
    match = re.fullmatch(r'<p>before</p><script type="application/json" id="retrygarden-report">'
                         r"(.*?)</script><p>after</p>", html, re.DOTALL)
    return json.loads(match[1])


def report_of(path, page):
    return stored(support.output_of("report", path, "--page", page))


def export_of(path):
    return json.loads(support.output_of("export", path))


def test_has_the_text_and_all_results(page):
    report = report_of(PATH, page)
    assert report["text"] == PATH.read_text(encoding="utf-8")
    document = export_of(PATH)
    assert report["view"]["scenario"] == document["scenario"]
    assert len(report["view"]["results"]) == 2
    for result, exported in zip(report["view"]["results"], document["results"]):
        assert result["policy"] == exported["policy"]
        assert result["summary"] == exported["summary"]
        assert result["lanes"]["attempts"] == exported["attempts"]
        assert result["lanes"]["clients"] == exported["clients"]
        assert result["density"] is None


def test_is_written_to_a_file(page, tmp_path):
    report = tmp_path / "report.html"
    assert support.output_of("report", PATH, "--page", page, "-o", report) == ""
    assert report.read_text(encoding="utf-8") == support.output_of("report", PATH, "--page", page)


def test_no_text_ends_the_element(page, write_scenario):
    name = "</script><script>alert(1)</script><!-- <"
    path = write_scenario(support.base_scenario(
        name=name, policies=[support.policy("<b>"), support.policy("</script>")]))
    html = support.output_of("report", path, "--page", page)
    assert html.count("<") == 6  # of the fake page, and of the one element
    report = stored(html)
    assert report["view"]["scenario"]["name"] == name
    assert [result["policy"] for result in report["view"]["results"]] == ["<b>", "</script>"]


@pytest.mark.parametrize("clients, is_whole", [(50_000, True), (50_001, False)])
def test_up_to_100_000_attempts_are_stored(page, write_scenario, clients, is_whole):
    path = write_scenario(support.base_scenario(clients=clients, server={"capacity": 0},
                                                policies=[support.policy("p", 2)]))
    result = report_of(path, page)["view"]["results"][0]
    assert result["summary"]["attempts"] == 2 * clients
    assert (result["density"] is None) == is_whole
    # A sample is of at most 300 clients: of each 167th.
    assert len(result["lanes"]["attempts"]) == (100_000 if is_whole else 600)
    assert result["lanes"]["step"] == (1 if is_whole else 167)


def test_from_standard_input(page):
    html = support.output_of("report", "-", "--page", page, stdin=PATH.read_bytes())
    assert stored(html) == report_of(PATH, page)


def test_not_the_page(tmp_path):
    other = tmp_path / "other.html"
    other.write_text("<p>another page</p>", encoding="utf-8")
    result = support.run("report", PATH, "--page", other)
    assert "other.html" in support.assert_refused(result, support.INVALID_INPUT)


def test_no_page(tmp_path):
    result = support.run("report", PATH, "--page", tmp_path / "none.html")
    message = support.assert_refused(result, support.INPUT_OUTPUT)
    assert "none.html" in message
    assert "No such file" in message


def test_invalid_scenario(page, write_scenario):
    result = support.run("report", write_scenario(support.base_scenario(clients=0)), "--page", page)
    assert support.fault_places(result) == ["/clients"]


def test_too_much_memory(page, write_scenario):
    path = write_scenario(support.base_scenario(clients=2**32 - 1))
    result = support.run("report", path, "--page", page, "--memory-limit", "1GiB", timeout=5)
    support.assert_refused(result, support.OVER_MEMORY)
