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
def event():
    """Three tables of five; at the last one sit two, and it counts."""
    event = f.make_running_event(11, seats=5)
    for entry in f.at_table(event, 3)[2:]:
        f.out(event, entry, at=f.after(0.5))
    f.drive(clock_counting_table, event, 1, table=3)
    return event


def counting(event):
    return f.fresh(event).clock.counting_table


def told(event, minute):
    items = clock_items(f.fresh(event), f.after(minute))
    return [item.title for item in items if item.kind is DueKind.COUNTING]


def test_the_counting_table_that_is_broken_hands_its_count_on_to_the_first_that_plays(event):
    action = f.drive(table_break, event, 10, table=f.table_of(event, 3), reason="Test")
    assert counting(event) == 1
    assert describe(action).endswith("aufgelöst. Tisch 1 zählt jetzt die Hände")
    assert told(event, 12) == ["Tisch 1 zählt jetzt die Hände"]
    assert told(event, 21) == []
    undo = f.undo(event, action, at=f.after(13))
    assert counting(event) == 3
    assert "Tisch 3 zählt jetzt die Hände" in describe(undo)
    f.undo(event, undo, at=f.after(14))
    assert counting(event) == 1
    f.drive(clock_counting_table, event, 15, table=2)
    assert told(event, 16) == []


def test_who_has_chosen_another_since_keeps_it(event):
    action = f.drive(table_break, event, 10, table=f.table_of(event, 3), reason="Test")
    f.drive(clock_counting_table, event, 11, table=2)
    f.undo(event, action, at=f.after(13))
    assert counting(event) == 2


def test_a_table_where_one_is_left_counts_no_more(event):
    for entry in f.at_table(event, 3)[1:]:
        f.out(event, entry)
    assert counting(event) == 1
    for entry in f.at_table(event, 1)[1:]:
        f.out(event, entry)
    assert counting(event) == 2


def test_a_table_that_stands_still_counts_no_more():
    event = f.make_running_event(20)
    f.drive(clock_counting_table, event, 1, table=2)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    assert counting(event) == 2
    f.drive(table_halt, event, 10, table=f.table_of(event, 2))
    assert counting(event) == 1
