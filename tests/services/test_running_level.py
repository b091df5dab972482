"""What is done to the level that is on: its time set, its amounts put right, a break begun."""

from datetime import timedelta

import pytest

from clock.selectors import clock_levels, clock_past, clock_state
from tests import factories as f
from tournaments.changes.selectors.log import describe
from tournaments.event.services.clock import clock_adjust, clock_pause, clock_put_back, clock_set
from tournaments.event.services.clock_hands import clock_last_hands
from tournaments.event.services.schedule.edit import clock_break_now, level_correct, schedule_edit
from tournaments.post.selectors.announcements import announcement_payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(4)


def shown(event, minute):
    state = clock_state(f.fresh(event).clock, f.after(minute))
    return state.level.kind.value, state.level.number, state.remaining, state.is_running


def test_the_time_left_is_set_and_taken_back(event):
    f.drive(clock_set, event, 5, seconds=750)
    assert shown(event, 6) == ("play", 1, timedelta(minutes=11, seconds=30), True)
    f.assert_logged(event, "clock.set", seconds=750)
    f.undo(event, at=f.after(7))
    assert shown(event, 7)[2] == timedelta(minutes=13)


@pytest.mark.parametrize(
    ("seconds", "code"), [(0, "bad_time"), (9 * 3600 + 1, "bad_time"), (900, "nothing_changed")]
)
def test_a_time_that_cannot_be_is_refused(event, seconds, code):
    with f.refused(code, event):
        f.drive(clock_set, event, 5, seconds=seconds)


TOLD = {
    60: "Eine Minute mehr",
    300: "5 Minuten mehr",
    -120: "2 Minuten weniger",
    -90: "Uhr verstellt: -90 Sekunden",
}


def test_the_log_says_minutes(event):
    for seconds, told in TOLD.items():
        assert describe(f.drive(clock_adjust, event, 1, seconds=seconds)) == told


def test_a_break_begins_now_and_the_level_goes_on_with_what_it_had_left(event):
    before = clock_levels(event.clock)
    f.drive(clock_break_now, event, 5, minutes=10)
    assert shown(event, 6) == ("break", None, timedelta(minutes=9), True)
    assert shown(event, 15) == ("play", 1, timedelta(minutes=15), True)
    assert shown(event, 30)[:2] == ("play", 2)
    levels = clock_levels(f.fresh(event).clock)
    assert [level.number for level in levels if level.number] == [row.number for row in before]
    assert clock_past(f.fresh(event).clock).state(f.after(4)).level.id == before[0].id
    assert f.assert_logged(event, "clock.break_begun", minutes=10)


def test_a_break_taken_back_leaves_the_clock_where_it_was(event):
    before = clock_levels(event.clock)
    f.drive(clock_pause, event, 4)
    f.drive(clock_break_now, event, 5, minutes=10)
    f.undo(event, at=f.after(7))
    assert shown(event, 8) == ("play", 1, timedelta(minutes=16), False)
    now = clock_levels(f.fresh(event).clock)
    assert [row.duration for row in now] == [row.duration for row in before]


def test_a_break_is_refused_where_it_makes_no_sense(event):
    with f.refused("not_started"):
        f.drive(clock_break_now, f.make_seated_event(4, name="Später"), -5, minutes=10)
    with f.refused("bad_minutes", event):
        f.drive(clock_break_now, event, 5, minutes=0)
    action = f.drive(clock_break_now, event, 5, minutes=10)
    with f.refused("is_break", event):
        f.drive(clock_break_now, event, 6, minutes=10)
    f.drive(clock_adjust, event, 6, seconds=60)
    with f.refused("not_latest", event):
        f.undo(event, action, at=f.after(7))
    f.drive(clock_last_hands, event, 20, hands=2)
    with f.refused("last_hands", event):
        f.drive(clock_break_now, event, 21, minutes=10)


def test_the_running_level_is_put_right_and_the_hall_is_told(event):
    f.drive(level_correct, event, 5, amounts={"small_blind": 1, "big_blind": 2, "ante": 1})
    level = clock_state(f.fresh(event).clock, f.after(6)).level
    assert (level.number, level.small_blind, level.big_blind, level.ante) == (1, 1, 2, 1)
    assert shown(event, 6)[2] == timedelta(minutes=14)
    assert "Stufe 1 hat jetzt Blinds 1 und 2" in str(
        announcement_payload(f.fresh(event), f.after(5))
    )
    assert clock_past(f.fresh(event).clock).state(f.after(4)).level.big_blind == 1
    with f.refused("nothing_changed", event):
        f.drive(level_correct, event, 6, amounts={"ante": 1})
    f.undo(event, at=f.after(7))
    assert clock_state(f.fresh(event).clock, f.after(8)).level.big_blind == 1
    assert shown(event, 8)[2] == timedelta(minutes=12)


def test_what_cannot_be_a_level_is_refused_and_a_later_edit_comes_first(event):
    with f.refused("small_above_big", event):
        f.drive(level_correct, event, 5, amounts={"small_blind": 9})
    with f.refused("blinds_fall", event):
        f.drive(level_correct, event, 5, amounts={"big_blind": 5000})
    action = f.drive(level_correct, event, 5, amounts={"ante": 1})
    levels = clock_levels(f.fresh(event).clock)
    f.drive(schedule_edit, event, 6, levels=levels[:-1], based_on=[row.id for row in levels])
    with f.refused("needed", event):
        f.undo(event, action, at=f.after(7))
    f.drive(clock_break_now, event, 8, minutes=5)
    with f.refused("is_break", event):
        f.drive(level_correct, event, 9, amounts={"ante": 2})


def test_the_clock_is_put_back_to_before_an_outage_and_that_taken_back(event):
    with f.refused("bad_time", event):
        f.drive(clock_put_back, event, 22, since=f.after(23))
    f.drive(clock_put_back, event, 30, since=f.after(10))
    assert shown(event, 30) == ("play", 1, timedelta(minutes=10), True)
    with f.refused("not_latest", event):
        f.drive(clock_put_back, event, 31, since=f.after(12))
    f.undo(event, at=f.after(31))
    assert shown(event, 31) == ("play", 2, timedelta(minutes=9), True)
    f.drive(clock_pause, event, 32)
    with f.refused("not_running", event):
        f.drive(clock_put_back, event, 40, since=f.after(33))
