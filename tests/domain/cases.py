"""Worked cases and presets from `fixtures/`."""

import json
from pathlib import Path

import pytest

from tournaments.seating.domain.draws import seats_drawn

FIXTURES = Path(__file__).parents[2] / "fixtures"
RULES = Path(__file__).parents[1] / "cases" / "rules"


def fixture(name):
    return json.loads((FIXTURES / name).read_text("utf-8"))


def case(name):
    return fixture(f"cases/{name}.json")


def field_draw(entries, seats, **published):
    """Draw a whole field to seats as (table, seat)."""
    free = {}
    for table, seat in seats:
        free.setdefault(table, []).append(seat)
    return seats_drawn(entries, free, {}, **published)


def by_number(data):
    """JSON writes keys as texts; tables, seats and entries are numbers."""
    return {int(key): value for key, value in data.items()}


def of_rules(name):
    """Return the cases of a file in `tests/cases/rules`, each a parameter of a test."""
    rows = json.loads((RULES / f"{name}.json").read_text("utf-8"))
    return [pytest.param(row, id=row["id"]) for row in rows]
