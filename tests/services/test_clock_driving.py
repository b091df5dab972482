"""Jumps, last hands, hands counted, stops after breaks, starts by themselves, past instants."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clock.domain import Level, LevelKind
from clock.selectors import anchor_payload, clock_levels, clock_state
from tests import factories as f
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.schedule import schedule_lines
from tournaments.event.services.clock import (
    clock_adjust,
    clock_jump,
    clock_pause,
    clock_plan_start,
    clock_start,
    clock_stop_after_breaks,
)
from tournaments.event.services.clock_hands import (
    clock_counting_table,
    clock_hand,
    clock_last_hands,
)
from tournaments.event.services.lifecycle import event_cancel, event_schedule_set, event_update
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.models import Action
from tournaments.play.services.hands import hand_begin
from tournaments.tasks import clocks_start

pytestmark = pytest.mark.django_db
BREAK = Level(id=0, kind=LevelKind.BREAK, duration=timedelta(minutes=10))


@pytest.fixture
def event():
    return f.make_running_event(3)


def rows(event):
    return list(clock_levels(event.clock))


def edit(event, minute, wanted):
    seen = [level.id for level in rows(event)]
    f.drive(schedule_edit, event, minute, levels=wanted, based_on=seen)


def shown(event, minute):
    state = clock_state(event.clock, f.after(minute))
    return state.level.number, state.elapsed / timedelta(minutes=1), state.is_running


# Jumps


def test_the_clock_jumps_to_any_level_and_back_by_undo(event):
    f.drive(clock_jump, event, 5, level=rows(event)[6].id)
    f.assert_logged(event, "clock.jumped", number=7)
    assert shown(event, 6) == (7, 1, True)
    f.undo(event, at=f.after(8))
    assert shown(event, 8) == (1, 8, True)
    f.drive(clock_jump, event, 9, level=rows(event)[0].id)
    assert shown(event, 10) == (1, 1, True)


def test_a_standing_clock_jumps_standing(event):
    f.drive(clock_pause, event, 3)
    f.drive(clock_jump, event, 5, level=rows(event)[3].id)
    assert shown(event, 20) == (4, 0, False)


def test_no_jump_to_a_level_that_is_not_there(event):
    other = f.make_event(name="Anderswo")
    for level in (0, rows(other)[0].id):
        with f.refused("no_such_level", event):
            f.drive(clock_jump, event, 5, level=level)


# Last hands


def test_the_last_hands_stop_the_clock_and_are_counted_down(event):
    f.drive(clock_last_hands, event, 5, hands=3)
    f.assert_logged(event, "clock.last_hands_set", hands=3)
    assert shown(event, 90) == (1, 5, False)
    f.drive(clock_hand, event, 91)
    f.assert_logged(event, "clock.hand_counted")
    assert clock_state(event.clock, f.after(92)).last_hands == 2
    f.undo(event, at=f.after(93))
    assert clock_state(event.clock, f.after(94)).last_hands == 3
    for minute in (95, 96, 97):
        f.drive(clock_hand, event, minute)
    with f.refused("not_counting", event):
        f.drive(clock_hand, event, 98)
    assert shown(event, 98) == (1, 5, False)
    f.drive(clock_start, event, 100)
    assert clock_state(event.clock, f.after(100)).last_hands is None
    assert shown(event, 114) == (1, 19, True)


def test_last_hands_are_taken_back(event):
    f.drive(clock_last_hands, event, 5, hands=2)
    f.undo(event, at=f.after(6))
    assert shown(event, 7) == (1, 7, True)


@pytest.mark.parametrize("hands", [0, -1, 21])
def test_last_hands_are_a_few(event, hands):
    with f.refused("bad_hands", event):
        f.drive(clock_last_hands, event, 5, hands=hands)


def test_before_the_start_there_are_no_last_hands():
    event = f.make_seated_event(3)
    with f.refused("not_started", event):
        f.drive(clock_last_hands, event, -5, hands=3)


# Levels of hands


def test_hands_end_a_level_of_hands_and_arbiters_count_them(event):
    first, second, *rest = rows(event)
    edit(event, 1, [first, replace(second, duration=None, hands=2), *rest])
    with f.refused("not_counting", event):
        f.drive(clock_hand, event, 5)
    f.drive(clock_hand, event, 25, by=f.make_arno(event))
    assert shown(event, 60)[0] == 2
    f.drive(clock_hand, event, 61)
    assert shown(event, 62)[:2] == (3, 1)
    with f.refused("not_allowed", event):
        f.drive(clock_hand, event, 63, by=f.make_desk(event))


def tap(event, minute, number=1):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, number))


def test_the_taps_of_the_counting_table_end_a_level_of_hands():
    event = f.make_running_event(6, seats=3)
    first, second, *rest = rows(event)
    edit(event, 1, [first, replace(second, duration=None, hands=2), *rest])
    f.drive(clock_counting_table, event, 2, table=2)
    f.assert_logged(event, "clock.counting_table_set", table=2, before=None)
    tap(event, 19, 2)
    tap(event, 21, 2)
    tap(event, 22, 1)
    assert clock_state(event.clock, f.after(23)).hands == 0
    tap(event, 24, 2)
    assert clock_state(event.clock, f.after(25)).hands == 1
    f.undo(event, at=f.after(26))
    assert clock_state(event.clock, f.after(26)).hands == 0
    tap(event, 27, 2)
    assert "clock" in tap(event, 28, 2).news["changed"]
    assert shown(event, 28)[0] == 3


def test_the_taps_of_the_counting_table_count_the_last_hands(event):
    f.drive(clock_counting_table, event, 1, table=1)
    tap(event, 2)
    f.drive(clock_last_hands, event, 3, hands=3)
    left = []
    for minute in (4, 5, 6):
        tap(event, minute)
        left.append(clock_state(event.clock, f.after(minute)).last_hands)
    assert left == [3, 2, 1]


def test_the_counting_table_is_one_that_stands_in_the_hall(event):
    with f.refused("no_such_table", event):
        f.drive(clock_counting_table, event, 1, table=9)
    with f.refused("nothing_changed", event):
        f.drive(clock_counting_table, event, 1, table=None)
    f.drive(clock_counting_table, event, 1, table=1)
    f.undo(event, at=f.after(2))
    assert f.fresh(event).clock.counting_table is None


# Breaks


def test_the_clock_waits_at_the_end_of_a_break_for_the_director(event):
    edit(event, 1, [rows(event)[0], BREAK, *rows(event)[1:]])
    f.drive(clock_stop_after_breaks, event, 2, stops=True)
    f.assert_logged(event, "clock.break_stop_set", stops=True)
    assert clock_state(event.clock, f.after(25)).is_running
    late = clock_state(event.clock, f.after(50))
    assert (late.is_waiting, late.is_running, late.remaining) == (True, False, timedelta())
    with f.refused("not_running", event):
        f.drive(clock_pause, event, 50)
    f.drive(clock_start, event, 55)
    assert shown(event, 56) == (2, 1, True)
    f.undo(event, at=f.after(57))
    assert clock_state(event.clock, f.after(58)).is_waiting
    with f.refused("nothing_changed", event):
        f.drive(clock_stop_after_breaks, event, 59, stops=True)
    f.drive(clock_stop_after_breaks, event, 60, stops=False)
    f.undo(event, at=f.after(61))
    assert clock_state(event.clock, f.after(61)).is_waiting


def foreseen(event, minute):
    """When each level is foreseen, in minutes after the start, and whether at the earliest."""
    return [
        (line.begins_at and (line.begins_at - f.START) / timedelta(minutes=1), line.is_earliest)
        for line in schedule_lines(f.fresh(event), f.after(minute))[:4]
    ]


def test_times_after_a_break_where_the_clock_waits_are_the_earliest(event):
    edit(event, 1, [rows(event)[0], BREAK, *rows(event)[1:]])
    assert foreseen(event, 2) == [(0, False), (20, False), (30, False), (50, False)]
    f.drive(clock_stop_after_breaks, event, 2, stops=True)
    assert foreseen(event, 3) == [(0, False), (20, False), (30, True), (50, True)]
    assert foreseen(event, 25)[1:] == [(20, False), (30, True), (50, True)]
    assert foreseen(event, 50)[1:] == [(20, False), (50, True), (70, True)]
    f.drive(clock_start, event, 55)
    assert foreseen(event, 56)[2:] == [(55, False), (75, False)]


def test_times_are_the_earliest_before_the_start_too():
    event = f.make_seated_event(3)
    edit(event, -5, [rows(event)[0], BREAK, *rows(event)[1:]])
    f.drive(clock_stop_after_breaks, event, -4, stops=True)
    assert foreseen(event, -3) == [(0, False), (20, False), (30, True), (50, True)]


def test_a_break_that_waits_can_be_made_longer(event):
    edit(event, 1, [rows(event)[0], BREAK, *rows(event)[1:]])
    f.drive(clock_stop_after_breaks, event, 2, stops=True)
    f.drive(clock_adjust, event, 40, seconds=300)
    f.drive(clock_start, event, 40)
    assert clock_state(event.clock, f.after(44)).remaining == timedelta(minutes=1)


def test_the_clock_starts_by_itself_at_the_planned_instant_however_late(monkeypatch):
    event = f.make_seated_event(3)
    f.drive(clock_plan_start, event, -30, by_itself=True)
    f.assert_logged(event, "clock.start_planned", by_itself=True)
    assert planned_start(f.fresh(event)) == f.START
    assert anchor_payload(event.clock, f.START)["starts"] == f.START.timestamp() * 1000
    at(monkeypatch, -0.01)
    clocks_start()
    assert not f.fresh(event).has_started
    at(monkeypatch, 3)
    clocks_start()
    clocks_start()
    started = Action.objects.get(event=event, kind="clock.started")
    assert (started.at, started.recorded_at) == (f.START, f.after(3))
    assert shown(event, 5) == (1, 5, True)
    assert planned_start(f.fresh(event)) is None


def at(monkeypatch, minute):
    monkeypatch.setattr("django.utils.timezone.now", lambda: f.after(minute))


@pytest.mark.parametrize("case", ["nobody sits", "late seat", "moved", "cancelled", "taken back"])
def test_nothing_starts_by_itself(monkeypatch, case):
    is_empty = case in ("nobody sits", "late seat")
    event = f.make_event() if is_empty else f.make_seated_event(3)
    planned = f.drive(clock_plan_start, event, -30, by_itself=True)
    if case == "late seat":
        f.check_in(event, f.register(event), at=f.after(2))
    elif case == "moved":
        f.drive(event_update, event, -10, settings={"starts_at": f.after(-5)})
    elif case == "cancelled":
        f.drive(event_cancel, event, -10)
    elif case == "taken back":
        f.undo(event, planned, at=f.after(-20))
    assert planned_start(f.fresh(event)) is None
    at(monkeypatch, 3)
    clocks_start()
    assert not f.fresh(event).has_started


def test_what_cannot_start_by_itself_says_why(event):
    with f.refused("fixed_after_start", event):
        f.drive(clock_plan_start, event, 5, by_itself=True)
    planned = f.make_seated_event(3)
    with f.refused("nothing_changed", planned):
        f.drive(clock_plan_start, planned, -5, by_itself=False)
    with f.refused("too_late", planned):
        f.drive(clock_plan_start, planned, 1, by_itself=True)
    action = f.drive(clock_plan_start, planned, -5, by_itself=True)
    f.drive(clock_start, planned, -2)
    with f.refused("fixed_after_start", planned):
        f.undo(planned, action, at=f.after(-1))


def test_another_plan_keeps_how_the_clock_runs():
    event = f.make_event()
    f.drive(clock_plan_start, event, -30, by_itself=True)
    f.drive(clock_stop_after_breaks, event, -29, stops=True)
    schedule = f.ScheduleTemplate.objects.get(name="T300")
    f.drive(event_schedule_set, event, -20, schedule=schedule)
    event = f.fresh(event)
    assert event.clock.starts_at == f.START
    assert anchor_payload(event.clock)["stops"]
