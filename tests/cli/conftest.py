"""Fixtures of the command-line tests, which run the program that RETRYGARDEN names."""
import json
import os

import pytest


def pytest_configure(config):
    program = os.environ.get("RETRYGARDEN")
    if not program:
        raise pytest.UsageError("set RETRYGARDEN to the path of the program retrygarden")
    if not os.access(program, os.X_OK):
        raise pytest.UsageError(f"RETRYGARDEN={program} is not an executable file")


@pytest.fixture
def write_scenario(tmp_path):
    """Writes a scenario, given as a value or as text, to a file; returns its path."""

    def write(scenario, name="scenario.json"):
        path = tmp_path / name
        text = scenario if isinstance(scenario, str) else json.dumps(scenario)
        path.write_text(text, encoding="utf-8")
        return path

    return write
