"""The clock of an event: only the director drives it; undo compensates, the past stays."""

from datetime import timedelta

import pytest

from clock.models import ClockAction
from clock.selectors import clock_state
from tests import factories as f
from tournaments.changes.selectors.log import describe
from tournaments.event.selectors.clock import clock_at
from tournaments.event.services.clock import (
    clock_adjust,
    clock_next_level,
    clock_pause,
    clock_start,
)
from tournaments.event.services.lifecycle import event_end, event_schedule_set
from tournaments.models import Action
from tournaments.play.domain.level_in_force import Ground
from tournaments.play.selectors.level_in_force import in_force_then
from tournaments.play.services.hands import hand_begin
from tournaments.seating.services.tables import table_close, table_open

pytestmark = [pytest.mark.django_db, pytest.mark.running(3)]


def undo(event, minute, action=None):
    return f.undo(event, action, at=f.after(minute))


def shown(event, minute):
    state = clock_state(event.clock, f.after(minute))
    return state.level.number, state.remaining / timedelta(minutes=1), state.is_running


def test_the_first_start_begins_the_event_where_two_are_seated(event):
    f.assert_logged(event, "clock.started", begins_event=True)
    assert event.has_started
    assert shown(event, 5) == (1, 15, True)
    f.refuses("already_running", clock_start, event, 1)
    empty = f.make_event(name="Leer")
    f.refuses("nobody_seated", clock_start, empty, 1)
    with f.refused("too_few"):
        f.drive(clock_start, f.make_seated_event(1, name="Allein"), 1)


def test_pause_and_resume(event):
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        f.refuses("not_allowed", clock_pause, event, 4, by=who)
    f.drive(clock_pause, event, 5)
    f.assert_logged(event, "clock.paused")
    assert shown(event, 30) == (1, 15, False)
    f.refuses("not_running", clock_pause, event, 6)
    for seconds in (0, 7201, -7201):
        f.refuses("bad_shift", clock_adjust, event, 6, seconds=seconds)
    f.drive(clock_start, event, 60, by=f.make_dora())
    assert f.last_action(event).payload.get("begins_event") is None
    assert shown(event, 70) == (1, 5, True)


@pytest.mark.parametrize(
    ("seconds", "remaining", "told"),
    [
        (60, 16, "Eine Minute mehr"),
        (-120, 13, "2 Minuten weniger"),
        (-90, 13.5, "Uhr verstellt: -90 Sekunden"),
        (-3600, 20, "60 Minuten weniger"),
    ],
)
def test_time_is_given_and_taken_within_the_level(event, seconds, remaining, told):
    action = f.drive(clock_adjust, event, 5, seconds=seconds)
    f.assert_logged(event, "clock.adjusted", seconds=seconds)
    assert describe(action) == told
    assert shown(event, 5) == (1 + (seconds == -3600), remaining, True)


@pytest.mark.parametrize(
    ("service", "own"),
    [
        (clock_pause, {}),
        (clock_adjust, {"seconds": 300}),
        (clock_adjust, {"seconds": -300}),
        (clock_next_level, {}),
    ],
)
def test_taken_back_as_if_it_had_not_been_and_the_past_stays(event, service, own):
    untouched = shown(event, 9)
    f.drive(service, event, 6, **own)
    then = shown(event, 7)
    undo(event, 8)
    assert shown(event, 9) == untouched
    assert shown(event, 7) == then
    assert ClockAction.objects.filter(clock=event.clock).count() == 3


def test_only_the_latest_action_of_the_clock_is_taken_back_and_only_once(event):
    pause = f.drive(clock_pause, event, 5)
    f.drive(clock_start, event, 6)
    f.refuses("not_latest", undo, event, 7, pause)
    undone = undo(event, 8)
    f.refuses("cannot_redo", undo, event, 9, undone)


def test_the_start_is_taken_back_while_nobody_is_out(event):
    undo(event, 1)
    assert not f.fresh(event).has_started
    again = f.drive(clock_start, event, 10)
    assert f.fresh(event).has_started
    assert shown(event, 15) == (1, 15, True)
    out = f.out(event, f.entries_of(event)[0], at=f.after(16))
    f.refuses("needed", undo, event, 17, again)
    undo(event, 18, out)
    undo(event, 19, again)
    assert not f.fresh(event).has_started


def test_after_the_end_the_clock_stands(event):
    f.drive(event_end, event, 30)
    assert shown(event, 60) == (2, 10, False)
    f.refuses("over", clock_start, event, 61)


# Past instants, whatever happened since


def test_before_another_plan_was_chosen_the_old_one_answers():
    event = f.make_seated_event(3)
    schedule = f.ScheduleTemplate.objects.get(name="T200")
    f.drive(event_schedule_set, event, -20, schedule=schedule, level_minutes=7)
    f.drive(clock_start, event, 0)
    event = f.fresh(event)
    assert clock_at(event, f.after(-30)).state.level.duration == timedelta(minutes=20)
    assert clock_at(event, f.after(-10)).state.level.duration == timedelta(minutes=7)
    undo(event, 1)
    undo(event, 2, Action.objects.get(event=event, kind="event.schedule_set"))
    event = f.fresh(event)
    assert clock_at(event, f.after(0.5)).state.is_running
    assert clock_at(event, f.after(3)).state.level.duration == timedelta(minutes=20)


def level_then(event, minute, number=1):
    return in_force_then(event, number, f.after(minute)).level.number


def test_tda_2024_23_a_past_hand_answers_by_the_level_it_began_under(event):
    f.drive(hand_begin, event, 19, table=f.table_of(event, 1))
    taken = f.drive(hand_begin, event, 25, table=f.table_of(event, 1))
    undo(event, 28, taken)
    # What was taken back later counted until then.
    minutes = (19, 20, 24, 25, 26, 28)
    assert [level_then(event, minute) for minute in minutes] == [1, 1, 1, 2, 2, 1]
    answer = in_force_then(event, 1, f.after(24))
    assert (answer.ground, answer.hand.number, answer.is_behind) == (Ground.HAND_BEFORE, 1, True)
    answer = in_force_then(event, 1, f.after(90))
    assert (answer.level.number, answer.ground) == (5, Ground.ASSUMED)
    assert in_force_then(event, 1, f.after(9)).ground is Ground.NOT_TAPPED
    assert in_force_then(event, 1, f.after(-1)).ground is Ground.NOT_STARTED


def test_a_table_answers_for_the_time_it_was_there(event):
    assert in_force_then(event, 7, f.after(5)) is None
    opened = f.drive(table_open, event, 5)
    number = max(opened.payload["tables_opened"])
    f.drive(table_close, event, 15, table=f.table_of(event, number))
    assert in_force_then(event, number, f.after(4)) is None
    assert level_then(event, 10, number) == 1
    assert in_force_then(event, number, f.after(16)) is None
