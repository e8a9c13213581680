"""README.md shows what the program really prints."""
import re
import shlex

import pytest

import support

README = (support.ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```\n\$ retrygarden (.*)\n((?s:.*?))```$", README, re.MULTILINE)


def test_there_are_examples():
    assert [shlex.split(call)[0] for call, _ in EXAMPLES] == ["run", "attempts", "sweep"]


@pytest.mark.parametrize("call, output", EXAMPLES)
def test_example(call, output, tmp_path):
    for folder in ["docs", "golden"]:
        (tmp_path / folder).symlink_to(support.ROOT / folder)
    assert support.output_of(*shlex.split(call), cwd=tmp_path) == output
