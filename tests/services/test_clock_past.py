"""What the clock showed at an instant that is past, whatever happened since."""

from datetime import timedelta

import pytest

from tests import factories as f
from tournaments.event.selectors.clock import clock_at
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_schedule_set
from tournaments.models import Action
from tournaments.play.domain.level_in_force import Ground
from tournaments.play.selectors.level_in_force import in_force_then
from tournaments.play.services.hands import hand_begin
from tournaments.seating.services.tables import table_close, table_open

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(3)


def test_a_past_instant_answers_with_what_the_screens_showed(event):
    f.drive(clock_pause, event, 5)
    f.undo(event, at=f.after(8))
    assert not clock_at(event, f.after(6)).state.is_running
    assert clock_at(event, f.after(9)).state.is_running
    assert clock_at(event, f.after(30)).state.level.number == 2
    assert not clock_at(event, f.after(-1)).state.has_started


def test_before_another_plan_was_chosen_the_old_one_answers():
    event = f.make_seated_event(3)
    f.drive(event_schedule_set, event, -20, schedule=f.ScheduleTemplate.objects.get(name="T200"),
            level_minutes=7)  # fmt: skip
    f.drive(clock_start, event, 0)
    event = f.fresh(event)
    assert clock_at(event, f.after(-30)).state.level.duration == timedelta(minutes=20)
    assert clock_at(event, f.after(-10)).state.level.duration == timedelta(minutes=7)
    f.undo(event, at=f.after(1))
    f.undo(event, Action.objects.get(event=event, kind="event.schedule_set"), at=f.after(2))
    event = f.fresh(event)
    assert clock_at(event, f.after(0.5)).state.is_running
    assert clock_at(event, f.after(3)).state.level.duration == timedelta(minutes=20)


# What was in force at a table


def tap(event, minute):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, 1))


def level_then(event, minute, number=1):
    return in_force_then(event, number, f.after(minute)).level.number


def test_tda_2024_23_a_past_hand_answers_by_the_level_it_began_under(event):
    tap(event, 19)
    tap(event, 25)
    assert [level_then(event, minute) for minute in (19, 20, 24, 25, 30)] == [1, 1, 1, 2, 2]
    answer = in_force_then(event, 1, f.after(24))
    assert (answer.ground, answer.hand.number, answer.is_behind) == (Ground.HAND_BEFORE, 1, True)


def test_a_tap_taken_back_only_later_counts_at_its_time(event):
    tap(event, 19)
    taken = tap(event, 25)
    f.undo(event, taken, at=f.after(28))
    assert [level_then(event, minute) for minute in (24, 26, 28, 29)] == [1, 2, 1, 1]


def test_where_nobody_tapped_any_more_the_announced_level_is_assumed(event):
    tap(event, 1)
    answer = in_force_then(event, 1, f.after(90))
    assert (answer.level.number, answer.ground) == (5, Ground.ASSUMED)
    assert level_then(event, 9) == 1


def test_before_any_tap_the_announced_level_answers(event):
    assert in_force_then(event, 1, f.after(21)).ground is Ground.NOT_TAPPED
    assert in_force_then(event, 1, f.after(-1)).ground is Ground.NOT_STARTED


def test_a_table_answers_for_the_time_it_was_there(event):
    assert in_force_then(event, 7, f.after(5)) is None
    opened = f.drive(table_open, event, 5)
    number = max(opened.payload["tables_opened"])
    f.drive(table_close, event, 15, table=f.table_of(event, number))
    assert in_force_then(event, number, f.after(4)) is None
    assert level_then(event, 10, number) == 1
    assert in_force_then(event, number, f.after(16)) is None
