from datetime import UTC, datetime, timedelta

import pytest

from clock.domain import (
    MOST_EXTRA,
    ActionKind,
    Anchor,
    ClockAction,
    Level,
    LevelKind,
    anchor_of,
    anchor_without,
    restoring,
    state_from,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def minutes(n):
    return timedelta(minutes=n)


def after(n):
    return NOON + minutes(n)


def done(kind, at, **own):
    return ClockAction(kind=kind, at=after(at), **own)


LEVELS = [
    Level(id=1, number=1, duration=minutes(20), big_blind=2),
    Level(id=2, number=2, duration=minutes(20), big_blind=4),
    Level(id=3, kind=LevelKind.BREAK, duration=minutes(10)),
]
HANDS = [Level(id=1, hands=2), Level(id=2, duration=minutes(20))]
STARTED = done(ActionKind.STARTED, 0)


def test_nothing_done_is_the_first_level_standing():
    assert anchor_of([], LEVELS) == Anchor(level_id=1)


def test_a_schedule_without_levels_is_a_bug():
    with pytest.raises(ValueError, match="no levels"):
        anchor_of([], [])


@pytest.mark.parametrize("level_id", [None, 99])
def test_a_jump_to_no_level_is_a_bug(level_id):
    with pytest.raises(ValueError, match="level"):
        anchor_of([done(ActionKind.JUMPED, 0, level_id=level_id)], LEVELS)


def test_starting_twice_changes_nothing():
    twice = [STARTED, done(ActionKind.STARTED, 5)]
    late = after(7)
    assert state_from(anchor_of(twice, LEVELS), LEVELS, late) == state_from(
        anchor_of([STARTED], LEVELS), LEVELS, late
    )


def test_pausing_before_the_start_changes_nothing():
    assert anchor_of([done(ActionKind.PAUSED, 0)], LEVELS) == Anchor(level_id=1)


def test_a_jump_before_the_start_does_not_start():
    anchor = anchor_of([done(ActionKind.JUMPED, 0, level_id=2)], LEVELS)
    assert anchor == Anchor(level_id=2)


def test_restarting_the_same_level_does_not_announce_it_again():
    anchor = anchor_of([STARTED, done(ActionKind.JUMPED, 5, level_id=1)], LEVELS)
    assert (anchor.elapsed, anchor.began_at) == (timedelta(), NOON)


@pytest.mark.parametrize("shift", [-minutes(99_999), timedelta.min / 2])
def test_a_level_grows_by_a_day_at_most(shift):
    anchor = anchor_of([STARTED, done(ActionKind.ADJUSTED, 1, shift=shift)], LEVELS)
    assert anchor.elapsed == -MOST_EXTRA


def test_a_jump_is_held_within_the_level_it_leads_to():
    anchor = anchor_of([done(ActionKind.JUMPED, 0, level_id=2, elapsed=minutes(99))], LEVELS)
    assert anchor.elapsed == minutes(20)


def test_time_given_to_a_level_of_hands_changes_nothing():
    shifted = [STARTED, done(ActionKind.ADJUSTED, 5, shift=-minutes(3))]
    assert anchor_of(shifted, HANDS).elapsed == minutes(5)


def test_a_jump_into_a_level_of_hands_takes_any_elapsed_time():
    anchor = anchor_of([done(ActionKind.JUMPED, 0, level_id=1, elapsed=minutes(99))], HANDS)
    assert anchor.elapsed == minutes(99)


@pytest.mark.parametrize(
    ("levels", "actions", "hands"),
    [
        (HANDS, [done(ActionKind.HAND_COUNTED, 0)], 0),
        (LEVELS, [STARTED, done(ActionKind.HAND_COUNTED, 1)], 0),
        ([Level(id=1)], [STARTED, done(ActionKind.HAND_COUNTED, 1)], 0),
        (HANDS, [STARTED, done(ActionKind.HAND_COUNTED, 1)], 1),
        (HANDS[:1], [STARTED, *[done(ActionKind.HAND_COUNTED, n) for n in range(9)]], 2),
    ],
    ids=["before the start", "level of time", "open level", "counted", "full and the last"],
)
def test_hands_count_in_levels_of_hands_that_have_room(levels, actions, hands):
    assert anchor_of(actions, levels).hands == hands


def test_an_action_before_the_last_one_takes_no_time_away():
    out_of_order = [STARTED, done(ActionKind.ADJUSTED, -5, shift=minutes(2))]
    assert anchor_of(out_of_order, LEVELS).running_since == NOON
    jumped = [STARTED, done(ActionKind.JUMPED, -5, level_id=2)]
    assert anchor_of(jumped, LEVELS).running_since == NOON


@pytest.mark.parametrize(
    ("wrong", "level_id", "elapsed", "is_running"),
    [
        (done(ActionKind.PAUSED, 5), 1, 8, True),
        (done(ActionKind.JUMPED, 5, level_id=3), 1, 8, True),
        (done(ActionKind.ADJUSTED, 5, shift=minutes(15)), 1, 8, True),
    ],
)
def test_undo_leads_to_where_the_clock_would_be_without(wrong, level_id, elapsed, is_running):
    actions = [STARTED, wrong]
    back = restoring(anchor_without(actions, LEVELS, 1, after(8)), after(8))
    state = state_from(anchor_of([*actions, back], LEVELS), LEVELS, after(8))
    assert (state.level.id, state.elapsed) == (level_id, minutes(elapsed))
    assert state.is_running == is_running


def test_several_actions_can_be_left_out_at_once():
    actions = [STARTED, done(ActionKind.PAUSED, 1), done(ActionKind.JUMPED, 2, level_id=3)]
    assert anchor_without(actions, LEVELS, {1, 2}, after(25)).level_id == 2


def test_a_restored_level_that_was_another_is_announced():
    actions = [STARTED, done(ActionKind.JUMPED, 5, level_id=2)]
    back = restoring(anchor_without(actions, LEVELS, 1, after(6)), after(6))
    assert anchor_of([*actions, back], LEVELS).began_at == after(6)


def test_restoring_puts_hands_back():
    actions = [STARTED, done(ActionKind.HAND_COUNTED, 1), done(ActionKind.JUMPED, 2, level_id=2)]
    back = restoring(anchor_without(actions, HANDS, 2, after(3)), after(3))
    anchor = anchor_of([*actions, back], HANDS)
    assert (anchor.level_id, anchor.hands) == (1, 1)
