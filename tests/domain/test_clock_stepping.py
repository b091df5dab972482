"""The computer's clock is set while the evening runs: what the clock makes of it."""

from datetime import UTC, datetime, timedelta

import pytest

from clock.domain import (
    ActionKind,
    ClockAction,
    Level,
    LevelKind,
    anchor_of,
    anchor_without,
    levels_begun,
    state_from,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ZERO, HOUR = timedelta(), timedelta(hours=1)
SECOND = timedelta(seconds=1)


def minutes(n):
    return timedelta(minutes=n)


LEVELS = [
    Level(id=1, number=1, duration=minutes(20)),
    Level(id=2, kind=LevelKind.BREAK, duration=minutes(10)),
    Level(id=3, number=2, duration=minutes(20)),
]
STARTED = ClockAction(kind=ActionKind.STARTED, at=NOON)


def corrected(at, step):
    return ClockAction(kind=ActionKind.CORRECTED, at=NOON + at, shift=step)


@pytest.mark.parametrize("step", [HOUR, -HOUR, timedelta(seconds=-5)])
def test_the_time_left_stays_what_it_is(step):
    before = state_from(anchor_of([STARTED], LEVELS), LEVELS, NOON + minutes(7))
    actions = [STARTED, corrected(minutes(7) + step, step)]
    after = state_from(anchor_of(actions, LEVELS), LEVELS, NOON + minutes(7) + step)
    assert (after.remaining, after.level) == (before.remaining, before.level)
    assert after.level_began_at == NOON + step
    assert after.next_change_at == before.next_change_at + step


def test_a_step_over_levels_begins_none_of_them():
    actions = [STARTED, corrected(minutes(7) + HOUR, HOUR)]
    assert levels_begun(actions, LEVELS, NOON + minutes(8) + HOUR) == {1}


def test_levels_that_ended_before_the_step_have_ended():
    actions = [STARTED, corrected(minutes(35) + HOUR, HOUR)]
    state = state_from(anchor_of(actions, LEVELS), LEVELS, NOON + minutes(36) + HOUR)
    assert (state.level.id, state.elapsed) == (3, minutes(6))


def test_a_clock_that_stands_rests_on_no_time():
    paused = ClockAction(kind=ActionKind.PAUSED, at=NOON + minutes(5))
    anchor = anchor_of([STARTED, paused], LEVELS)
    assert anchor_of([STARTED, paused, corrected(minutes(6) + HOUR, HOUR)], LEVELS) == anchor


def test_a_correction_taken_back_leaves_the_step_in_the_clock():
    actions = [STARTED, corrected(minutes(5) + minutes(10), minutes(10))]
    anchor = anchor_without(actions, LEVELS, 1, NOON + minutes(16))
    assert anchor.elapsed == minutes(16)


def test_the_end_of_a_planned_break_stays_where_it_was():
    """A break of ten minutes, three of them gone, ends seven minutes later by any clock."""
    actions = [STARTED, corrected(minutes(23) - HOUR, -HOUR)]
    state = state_from(anchor_of(actions, LEVELS), LEVELS, NOON + minutes(23) - HOUR)
    assert state.next_change_at == NOON + minutes(30) - HOUR
