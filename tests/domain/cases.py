"""Worked cases and presets from `fixtures/`."""

import json
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"


def fixture(name):
    return json.loads((FIXTURES / name).read_text("utf-8"))


def case(name):
    return fixture(f"cases/{name}.json")


def by_number(data):
    """JSON writes keys as texts; tables, seats and entries are numbers."""
    return {int(key): value for key, value in data.items()}
