"""Stacks counted in breaks: table by table, against the ledger, and who led when."""

import pytest

from tests import factories as f
from tests.prepared import prepared
from tests.races import with_race
from tournaments.changes.access import SYSTEM
from tournaments.changes.kinds import describe
from tournaments.dashboard.selectors.due_before import clock_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.event.selectors.chips import stacks_counted, stacks_counted_now
from tournaments.event.services.clock_hands import clock_counting_table
from tournaments.event.services.lifecycle import event_end
from tournaments.models import StackCount
from tournaments.play.selectors.stacks import own_stack, stack_round_last, stack_rounds
from tournaments.play.services.stacks import stacks_count
from tournaments.seasons.selectors.review import review_of
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.chairs import table_halt

pytestmark = pytest.mark.django_db


BREAK, AFTER_IT, LATER = 21, 35, 55


@pytest.fixture(name="event")
@prepared
def make_event():
    """Eight at two tables of the same stacks; a break begins after twenty minutes."""
    return with_race(f.make_running_event(8, seats=6))


def count(event, table, *stacks, minute=BREAK, **own):
    sitting = f.at_table(event, table)
    typed = {entry.pk: chips for entry, chips in zip(sitting, stacks, strict=False)}
    row = f.table_of(event, table)
    return f.drive(stacks_count, event, minute, table=row, stacks=typed, **own)


def test_each_break_and_each_level_without_one_is_a_count_of_its_own(event):
    each = event.starting_stack
    one, two, three = f.at_table(event, 1)[:3]
    count(event, 1, each, 2 * each)
    count(event, 1, 3 * each, minute=AFTER_IT)
    count(event, 1, 4 * each, minute=LATER)
    first, second = stack_rounds(f.fresh(event))
    assert first.name == "Pause nach Stufe 1"
    assert first.stacks == {one.pk: 3 * each, two.pk: 2 * each}
    assert (second.name, second.stacks) == ("Stufe 3", {one.pk: 4 * each})
    assert stacks_counted_now(f.fresh(event), f.after(LATER)) == {one.pk: 4 * each}
    assert stacks_counted(f.fresh(event)) == {one.pk: 4 * each, two.pk: 2 * each}
    last = stack_round_last(f.fresh(event))
    assert (last.name, dict(last.stacks)) == ("Stufe 3", {one.pk: 4 * each})
    assert own_stack(f.fresh(event), three.pk) is None


def test_counts_that_cannot_be_are_refused(event):
    here, there = f.at_table(event, 1)[0].pk, f.at_table(event, 2)[0].pk
    for code, typed, who in (
        ("chips_differ", {here: 9 * event.starting_stack}, SYSTEM),
        ("moved", {there: 100}, SYSTEM),
        ("nobody", {}, SYSTEM),
        ("bad_stack", {here: 0}, SYSTEM),
        ("not_allowed", {here: 100}, f.ZENO),
    ):
        with f.refused(code, event):
            table = f.table_of(event, 1)
            f.drive(stacks_count, event, BREAK, table=table, stacks=typed, by=who)
    assert not StackCount.objects.exists()


def test_equal_stacks_share_a_place_and_the_count_before_stands_again_when_one_is_taken_back(event):
    one, two, three = f.at_table(event, 1)[:3]
    count(event, 1, 50, 90, 90)
    assert [own_stack(f.fresh(event), entry.pk).place for entry in (one, two, three)] == [3, 1, 1]
    count(event, 1, 400, minute=LATER)
    f.undo(event, at=f.after(LATER + 1))
    (only,) = stack_rounds(f.fresh(event))
    assert only.stacks == stacks_counted(f.fresh(event)) == {one.pk: 50, two.pk: 90, three.pk: 90}


def test_an_evening_that_is_over_says_who_led_when(event):
    each = event.starting_stack
    one, two = f.at_table(event, 1)[:2]
    count(event, 1, 2 * each, each)
    count(event, 1, each, 3 * each, minute=LATER)
    f.drive(event_end, event, 61)
    leaders = review_of(f.fresh(event)).leaders
    first, second = one.registration.person.name, two.registration.person.name
    assert [(line.number, name) for line, name in leaders.lines] == [(1, second), (2, first)]
    assert [row.first[0] for row in leaders.counts] == [(first, 2 * each), (second, 3 * each)]


# --- The table that counts the hands hands its count on, and says so


@pytest.fixture(name="hall")
@prepared
def make_hall():
    """Three tables of five; at the last one sit two, and it counts."""
    hall = f.make_running_event(11, seats=5)
    for entry in f.at_table(hall, 3)[2:]:
        f.out(hall, entry, at=f.after(0.5))
    f.drive(clock_counting_table, hall, 1, table=3)
    return hall


def counting(hall):
    return f.fresh(hall).clock.counting_table


def told(hall, minute):
    items = clock_items(f.fresh(hall), f.after(minute))
    return [item.title for item in items if item.kind is DueKind.COUNTING]


def test_the_counting_table_that_is_broken_hands_its_count_on_to_the_first_that_plays(hall):
    action = f.drive(table_break, hall, 10, table=f.table_of(hall, 3), reason="Test")
    assert counting(hall) == 1
    assert describe(action).endswith("aufgelöst. Tisch 1 zählt jetzt die Hände")
    assert told(hall, 12) == ["Tisch 1 zählt jetzt die Hände"]
    assert told(hall, 21) == []
    undo = f.undo(hall, action, at=f.after(13))
    assert counting(hall) == 3
    assert "Tisch 3 zählt jetzt die Hände" in describe(undo)
    f.undo(hall, undo, at=f.after(14))
    assert counting(hall) == 1
    f.drive(clock_counting_table, hall, 15, table=2)
    assert told(hall, 16) == []
    f.undo(hall, action, at=f.after(17))
    assert counting(hall) == 2


def test_a_table_where_one_is_left_counts_no_more(hall):
    for entry in f.at_table(hall, 3)[1:]:
        f.out(hall, entry)
    assert counting(hall) == 1
    for entry in f.at_table(hall, 1)[1:]:
        f.out(hall, entry)
    assert counting(hall) == 2


def test_a_table_that_stands_still_counts_no_more():
    hall = f.make_running_event(20)
    f.drive(clock_counting_table, hall, 1, table=2)
    for entry in f.at_table(hall, 2)[:3]:
        f.out(hall, entry)
    assert counting(hall) == 2
    f.drive(table_halt, hall, 10, table=f.table_of(hall, 2))
    assert counting(hall) == 1
