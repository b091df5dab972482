"""The clock of an event: only the director drives it; undo compensates, the past stays."""

from datetime import timedelta

import pytest

from clock.models import ClockAction
from clock.selectors import clock_state
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import (
    clock_adjust,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
)
from tournaments.event.services.lifecycle import event_end
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(3)


def drive(service, event, minute, by=SYSTEM, **own):
    return call_service(service, event=event, by=by, at=f.after(minute), **own)


def undo(event, minute, action=None, by=SYSTEM):
    return action_undo(
        Command(event=event, by=by, at=f.after(minute)), action=action or f.last_action(event)
    )


def shown(event, minute):
    state = clock_state(event.clock, f.after(minute))
    return state.level.number, state.remaining / timedelta(minutes=1), state.is_running


def test_the_first_start_begins_the_event(event):
    f.assert_logged(event, "clock.started", begins_event=True)
    assert event.has_started
    assert shown(event, 5) == (1, 15, True)


def test_no_start_without_anybody_seated_nor_twice(event):
    with f.refused("already_running", event):
        drive(clock_start, event, 1)
    empty = f.make_event(name="Leer")
    with f.refused("nobody_seated", empty):
        drive(clock_start, empty, 1)
    with f.refused("too_few"):
        drive(clock_start, f.make_seated_event(1, name="Allein"), 1)


def test_pause_and_resume(event):
    drive(clock_pause, event, 5)
    f.assert_logged(event, "clock.paused")
    assert shown(event, 30) == (1, 15, False)
    with f.refused("not_running", event):
        drive(clock_pause, event, 6)
    drive(clock_start, event, 60)
    assert f.last_action(event).payload.get("begins_event") is None
    assert shown(event, 70) == (1, 5, True)


@pytest.mark.parametrize(("seconds", "remaining"), [(60, 16), (-120, 13), (-3600, 20)])
def test_time_is_given_and_taken_within_the_level(event, seconds, remaining):
    drive(clock_adjust, event, 5, seconds=seconds)
    f.assert_logged(event, "clock.adjusted", seconds=seconds)
    assert shown(event, 5) == (1 + (seconds == -3600), remaining, True)


@pytest.mark.parametrize("seconds", [0, 7201, -7201])
def test_a_shift_is_one_second_to_two_hours(event, seconds):
    with f.refused("bad_shift", event):
        drive(clock_adjust, event, 5, seconds=seconds)


def test_next_and_previous_level(event):
    drive(clock_next_level, event, 5)
    f.assert_logged(event, "clock.level_advanced")
    assert shown(event, 6) == (2, 19, True)
    drive(clock_previous_level, event, 7)
    f.assert_logged(event, "clock.level_reverted")
    assert shown(event, 8) == (1, 19, True)
    with f.refused("no_such_level", event):
        drive(clock_previous_level, event, 8)
    for minute in range(9, 23):
        drive(clock_next_level, event, minute)
    assert shown(event, 22) == (15, 20, True)
    with f.refused("no_such_level", event):
        drive(clock_next_level, event, 23)


def test_only_the_director_drives_the_clock(event):
    services = (clock_start, clock_pause, clock_next_level, clock_previous_level)
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        for service in services:
            with f.refused("not_allowed", event):
                drive(service, event, 1, by=who)
        with f.refused("not_allowed", event):
            drive(clock_adjust, event, 1, by=who, seconds=60)
    drive(clock_pause, event, 1, by=f.make_dora())


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
    drive(service, event, 6, **own)
    then = shown(event, 7)
    undo(event, 8)
    assert shown(event, 9) == untouched
    assert shown(event, 7) == then
    assert ClockAction.objects.filter(clock=event.clock).count() == 3


def test_the_way_back_a_level_is_taken_back(event):
    drive(clock_previous_level, event, 25)
    assert shown(event, 26) == (1, 19, True)
    undo(event, 27)
    assert shown(event, 30) == (2, 10, True)


def test_only_the_latest_action_of_the_clock_is_taken_back(event):
    pause = drive(clock_pause, event, 5)
    drive(clock_start, event, 6)
    with f.refused("not_latest", event):
        undo(event, 7, pause)


def test_an_undo_of_the_clock_is_not_taken_back_itself(event):
    drive(clock_pause, event, 5)
    undone = undo(event, 6)
    with f.refused("cannot_redo", event):
        undo(event, 7, undone)


def test_the_start_is_taken_back_while_nobody_is_out(event):
    start = f.last_action(event)
    undo(event, 1)
    assert not f.fresh(event).has_started
    drive(clock_start, event, 10)
    assert f.fresh(event).has_started
    assert shown(event, 15) == (1, 15, True)
    again = f.last_action(event)
    assert again.pk != start.pk
    out = entries_eliminate(
        Command(event=event, by=SYSTEM, at=f.after(16)), entries=f.entries_of(event)[:1]
    )
    with f.refused("needed", event):
        undo(event, 17, again)
    undo(event, 18, out)
    undo(event, 19, again)
    assert not f.fresh(event).has_started


def test_after_the_end_the_clock_stands(event):
    event_end(Command(event=event, by=SYSTEM, at=f.after(30)))
    assert shown(event, 60) == (2, 10, False)
    with f.refused("over", event):
        drive(clock_start, event, 61)
