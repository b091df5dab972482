"""What drives the clock beyond start and pause: jumps, hands, breaks, set times, planned starts."""

from datetime import timedelta

import pytest
from django.utils.translation import override

from clock.selectors import anchor_payload, clock_levels, clock_past, clock_state
from tests import factories as f
from tests.services.test_clock import BREAK, edit, rows
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.schedule import schedule_lines
from tournaments.event.services.clock import (
    clock_adjust,
    clock_jump,
    clock_pause,
    clock_plan_start,
    clock_put_back,
    clock_set,
    clock_start,
    clock_stop_after_breaks,
)
from tournaments.event.services.clock_hands import (
    clock_counting_table,
    clock_hand,
    clock_last_hands,
)
from tournaments.event.services.lifecycle import event_cancel, event_schedule_set, event_update
from tournaments.event.services.schedule.edit import clock_break_now, level_correct
from tournaments.models import Action
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.tasks import clocks_start

pytestmark = [pytest.mark.django_db, pytest.mark.running(3)]


def shown(event, minute):
    state = clock_state(event.clock, f.after(minute))
    return state.level.number, state.elapsed / timedelta(minutes=1), state.is_running


def test_the_clock_jumps_to_any_level_and_back_by_undo(event):
    f.drive(clock_jump, event, 5, level=rows(event)[6].id)
    f.assert_logged(event, "clock.jumped", number=7)
    assert shown(event, 6) == (7, 1, True)
    f.undo(event, at=f.after(8))
    assert shown(event, 8) == (1, 8, True)
    f.drive(clock_pause, event, 9)
    f.drive(clock_jump, event, 10, level=rows(event)[3].id)
    assert shown(event, 20) == (4, 0, False)
    other = f.make_event(name="Anderswo")
    for level in (0, rows(other)[0].id):
        f.refuses("no_such_level", clock_jump, event, 21, level=level)


def test_the_last_hands_stop_the_clock_and_are_counted_down(event):
    f.drive(clock_last_hands, event, 5, hands=3)
    f.assert_logged(event, "clock.last_hands_set", hands=3)
    assert shown(event, 90) == (1, 5, False)
    f.drive(clock_hand, event, 91, by=f.make_arno(event))
    f.assert_logged(event, "clock.hand_counted")
    assert clock_state(event.clock, f.after(92)).last_hands == 2
    f.undo(event, at=f.after(93))
    assert clock_state(event.clock, f.after(94)).last_hands == 3
    for minute in (95, 96, 97):
        f.drive(clock_hand, event, minute)
    f.refuses("not_counting", clock_hand, event, 98)
    f.drive(clock_start, event, 100)
    assert clock_state(event.clock, f.after(100)).last_hands is None
    assert shown(event, 114) == (1, 19, True)
    f.drive(clock_last_hands, event, 114, hands=2)
    f.undo(event, at=f.after(114))
    assert shown(event, 114) == (1, 19, True)
    for hands in (0, -1, 21):
        f.refuses("bad_hands", clock_last_hands, event, 115, hands=hands)
    with f.refused("not_started", planned := f.make_seated_event(3)):
        f.drive(clock_last_hands, planned, -5, hands=3)


def test_the_counting_table_is_one_that_stands_in_the_hall(event):
    f.refuses("no_such_table", clock_counting_table, event, 1, table=9)
    f.refuses("nothing_changed", clock_counting_table, event, 1, table=None)
    f.drive(clock_counting_table, event, 1, table=1)
    f.assert_logged(event, "clock.counting_table_set", table=1, before=None)
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
    f.refuses("not_running", clock_pause, event, 50)
    f.drive(clock_start, event, 55)
    assert shown(event, 56) == (2, 1, True)
    f.undo(event, at=f.after(57))
    assert clock_state(event.clock, f.after(58)).is_waiting
    f.refuses("nothing_changed", clock_stop_after_breaks, event, 59, stops=True)
    f.drive(clock_stop_after_breaks, event, 60, stops=False)
    f.undo(event, at=f.after(61))
    assert clock_state(event.clock, f.after(61)).is_waiting


def foreseen(event, minute):
    """When each level is foreseen, in minutes after the start, and whether at the earliest."""
    return [
        (line.begins_at and (line.begins_at - f.START) / timedelta(minutes=1), line.is_earliest)
        for line in schedule_lines(f.fresh(event), f.after(minute))[:4]
    ]


def test_times_after_a_break_where_the_clock_waits_are_the_earliest():
    event = f.make_seated_event(3)
    edit(event, -5, [rows(event)[0], BREAK, *rows(event)[1:]])
    assert foreseen(event, -4) == [(0, False), (20, False), (30, False), (50, False)]
    f.drive(clock_stop_after_breaks, event, -4, stops=True)
    assert foreseen(event, -3) == [(0, False), (20, False), (30, True), (50, True)]
    f.drive(clock_start, event, 0)
    assert foreseen(event, 3) == [(0, False), (20, False), (30, True), (50, True)]
    assert foreseen(event, 50)[1:] == [(20, False), (50, True), (70, True)]
    # One that waits can be made longer.
    f.drive(clock_adjust, event, 50, seconds=300)
    f.drive(clock_start, event, 50)
    assert clock_state(event.clock, f.after(54)).remaining == timedelta(minutes=1)
    f.drive(clock_start, event, 57)
    assert foreseen(event, 58)[2:] == [(57, False), (77, False)]


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
    f.refuses("fixed_after_start", clock_plan_start, event, 5, by_itself=True)
    planned = f.make_seated_event(3)
    f.refuses("nothing_changed", clock_plan_start, planned, -5, by_itself=False)
    f.refuses("too_late", clock_plan_start, planned, 1, by_itself=True)
    action = f.drive(clock_plan_start, planned, -5, by_itself=True)
    f.drive(clock_start, planned, -2)
    f.refuses("fixed_after_start", f.undo, planned, action, at=f.after(-1))


# What is done to the level that is on


def showing(event, minute):
    state = clock_state(f.fresh(event).clock, f.after(minute))
    return state.level.kind.value, state.level.number, state.remaining, state.is_running


def test_the_time_left_is_set_and_taken_back(event):
    f.drive(clock_set, event, 5, seconds=750)
    assert showing(event, 6) == ("play", 1, timedelta(minutes=11, seconds=30), True)
    f.assert_logged(event, "clock.set", seconds=750)
    f.undo(event, at=f.after(7))
    assert showing(event, 7)[2] == timedelta(minutes=13)
    for seconds, code in ((0, "bad_time"), (9 * 3600 + 1, "bad_time"), (780, "nothing_changed")):
        f.refuses(code, clock_set, event, 7, seconds=seconds)


def test_a_break_begins_now_and_the_level_goes_on_with_what_it_had_left(event):
    before = clock_levels(event.clock)
    f.drive(clock_break_now, event, 5, minutes=10)
    assert showing(event, 6) == ("break", None, timedelta(minutes=9), True)
    assert showing(event, 15) == ("play", 1, timedelta(minutes=15), True)
    assert showing(event, 30)[:2] == ("play", 2)
    levels = clock_levels(f.fresh(event).clock)
    assert [level.number for level in levels if level.number] == [row.number for row in before]
    assert clock_past(f.fresh(event).clock).state(f.after(4)).level.id == before[0].id
    assert f.assert_logged(event, "clock.break_begun", minutes=10)


def test_a_break_is_refused_where_it_makes_no_sense(event):
    with f.refused("not_started"):
        f.drive(clock_break_now, f.make_seated_event(4, name="Später"), -5, minutes=10)
    f.refuses("bad_minutes", clock_break_now, event, 5, minutes=0)
    action = f.drive(clock_break_now, event, 5, minutes=10)
    f.refuses("is_break", clock_break_now, event, 6, minutes=10)
    f.refuses("is_break", level_correct, event, 6, amounts={"ante": 2})
    f.drive(clock_adjust, event, 6, seconds=60)
    f.refuses("not_latest", f.undo, event, action, at=f.after(7))
    f.drive(clock_last_hands, event, 20, hands=2)
    f.refuses("last_hands", clock_break_now, event, 21, minutes=10)


def test_the_running_level_is_put_right_and_the_hall_is_told(event):
    def big_blind(minute):
        return clock_state(f.fresh(event).clock, f.after(minute)).level.big_blind

    f.drive(level_correct, event, 5, amounts={"small_blind": 1, "big_blind": 2, "ante": 1})
    assert big_blind(6) == 2
    assert showing(event, 6) == ("play", 1, timedelta(minutes=14), True)
    told = str(announcement_payload(f.fresh(event), f.after(5)))
    assert "Stufe 1 hat jetzt Blinds 1 und 2" in told
    assert clock_past(f.fresh(event).clock).state(f.after(4)).level.big_blind == 1
    f.refuses("nothing_changed", level_correct, event, 6, amounts={"ante": 1})
    f.refuses("small_above_big", level_correct, event, 6, amounts={"small_blind": 9})
    f.undo(event, at=f.after(7))
    assert big_blind(8) == 1
    assert showing(event, 8)[2] == timedelta(minutes=12)


def test_the_hall_is_told_of_a_correction_as_a_floor_would_say_it(event):
    """No big bet in no-limit, figures as on the chips, one sentence for a level."""
    amounts = {"small_blind": 100_000, "big_blind": 200_000, "big_bet": 400_000, "ante": 200_000}
    f.drive(level_correct, event, 5, amounts=amounts, raises_next=True)
    told = announcement_payload(f.fresh(event), f.after(5))["announcement"]["text"]
    assert "Stufe 1 hat jetzt Blinds 100.000 und 200.000, Ante 200.000" in told
    assert "Bet" not in told
    with override("en"):
        told = announcement_payload(f.fresh(event), f.after(5))["announcement"]["text"]
    assert "100,000 and 200,000" in told


def test_a_level_corrected_above_the_next_raises_these_if_wanted(event):
    amounts = {"small_blind": 10, "big_blind": 20}
    f.drive(clock_jump, event, 3, level=rows(event)[2].id)
    f.refuses("blinds_fall", level_correct, event, 5, amounts=amounts)
    before = rows(event)
    f.drive(level_correct, event, 5, amounts=amounts, raises_next=True)
    after = rows(f.fresh(event))
    units = [row.big_blind for row in after]
    assert units[:4] == [1, 2, 20, 30]
    assert units == sorted(set(units))
    assert all(row.big_bet == 2 * row.big_blind for row in after)
    assert [row.amounts for row in after[-2:]] == [row.amounts for row in before[-2:]]
    assert "Stufe 3 hat jetzt Blinds 10 und 20" in str(
        announcement_payload(f.fresh(event), f.after(5))
    )
    f.undo(event, at=f.after(7))
    assert [row.amounts for row in rows(f.fresh(event))] == [row.amounts for row in before]


def test_a_later_level_that_has_begun_is_not_raised(event):
    f.drive(clock_jump, event, 5, level=rows(event)[1].id)
    f.drive(clock_jump, event, 26, level=rows(event)[0].id)
    with f.refused("blinds_fall", event):
        f.drive(
            level_correct, event, 27, amounts={"small_blind": 5, "big_blind": 10}, raises_next=True
        )


def test_the_clock_is_put_back_to_before_an_outage_and_that_taken_back(event):
    f.refuses("bad_time", clock_put_back, event, 22, since=f.after(23))
    f.drive(clock_put_back, event, 30, since=f.after(10))
    assert showing(event, 30) == ("play", 1, timedelta(minutes=10), True)
    f.refuses("not_latest", clock_put_back, event, 31, since=f.after(12))
    f.undo(event, at=f.after(31))
    assert showing(event, 31) == ("play", 2, timedelta(minutes=9), True)
    f.drive(clock_pause, event, 32)
    f.refuses("not_running", clock_put_back, event, 40, since=f.after(33))


def test_another_plan_keeps_how_the_clock_runs():
    event = f.make_event()
    f.drive(clock_plan_start, event, -30, by_itself=True)
    f.drive(clock_stop_after_breaks, event, -29, stops=True)
    schedule = f.ScheduleTemplate.objects.get(name="T300")
    f.drive(event_schedule_set, event, -20, schedule=schedule)
    event = f.fresh(event)
    assert event.clock.starts_at == f.START
    assert anchor_payload(event.clock)["stops"]


def test_a_break_taken_back_leaves_the_clock_where_it_was(event):
    before = clock_levels(event.clock)
    f.drive(clock_pause, event, 4)
    f.drive(clock_break_now, event, 5, minutes=10)
    f.undo(event, at=f.after(7))
    assert showing(event, 8) == ("play", 1, timedelta(minutes=16), False)
    now = clock_levels(f.fresh(event).clock)
    assert [row.duration for row in now] == [row.duration for row in before]
    assert not any(row.is_unplanned or row.rest_of for row in now)
    # A correction is not taken back once the schedule was edited again.
    action = f.drive(level_correct, event, 9, amounts={"ante": 1})
    edit(event, 10, rows(event)[:-1])
    f.refuses("needed", f.undo, event, action, at=f.after(11))
