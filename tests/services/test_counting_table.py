"""The table that counts the hands hands its count on, and says so."""

import pytest

from tests import factories as f
from tournaments.changes.selectors.log import describe
from tournaments.dashboard.selectors.clock import clock_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.event.services.clock_hands import clock_counting_table
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.chairs import table_halt

pytestmark = pytest.mark.django_db


@pytest.fixture
def three_tables():
    """Three tables of five; at the last one sit two, and it counts."""
    three_tables = f.make_running_event(11, seats=5)
    for entry in f.at_table(three_tables, 3)[2:]:
        f.out(three_tables, entry, at=f.after(0.5))
    f.drive(clock_counting_table, three_tables, 1, table=3)
    return three_tables


def counting(three_tables):
    return f.fresh(three_tables).clock.counting_table


def told(three_tables, minute):
    items = clock_items(f.fresh(three_tables), f.after(minute))
    return [item.title for item in items if item.kind is DueKind.COUNTING]


def test_the_counting_table_that_is_broken_hands_its_count_on_to_the_first_that_plays(three_tables):
    action = f.drive(table_break, three_tables, 10, table=f.table_of(three_tables, 3), reason="Test")
    assert counting(three_tables) == 1
    assert describe(action).endswith("aufgelöst. Tisch 1 zählt jetzt die Hände")
    assert told(three_tables, 12) == ["Tisch 1 zählt jetzt die Hände"]
    assert told(three_tables, 21) == []
    undo = f.undo(three_tables, action, at=f.after(13))
    assert counting(three_tables) == 3
    assert "Tisch 3 zählt jetzt die Hände" in describe(undo)
    f.undo(three_tables, undo, at=f.after(14))
    assert counting(three_tables) == 1
    f.drive(clock_counting_table, three_tables, 15, table=2)
    assert told(three_tables, 16) == []


def test_who_has_chosen_another_since_keeps_it(three_tables):
    action = f.drive(table_break, three_tables, 10, table=f.table_of(three_tables, 3), reason="Test")
    f.drive(clock_counting_table, three_tables, 11, table=2)
    f.undo(three_tables, action, at=f.after(13))
    assert counting(three_tables) == 2


def test_a_table_where_one_is_left_counts_no_more(three_tables):
    for entry in f.at_table(three_tables, 3)[1:]:
        f.out(three_tables, entry)
    assert counting(three_tables) == 1
    for entry in f.at_table(three_tables, 1)[1:]:
        f.out(three_tables, entry)
    assert counting(three_tables) == 2


def test_a_table_that_stands_still_counts_no_more():
    three_tables = f.make_running_event(20)
    f.drive(clock_counting_table, three_tables, 1, table=2)
    for entry in f.at_table(three_tables, 2)[:3]:
        f.out(three_tables, entry)
    assert counting(three_tables) == 2
    f.drive(table_halt, three_tables, 10, table=f.table_of(three_tables, 2))
    assert counting(three_tables) == 1
