"""Announced and in force: a hand stays on the level it began under until the next one begins."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import (
    ActionKind,
    ClockAction,
    Level,
    LevelKind,
    Past,
    anchor_of,
    numbered,
    state_from,
)
from tournaments.play.domain.level_in_force import Began, ClockHistory, Ground, level_in_force

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
LONGEST = timedelta(minutes=10)


def at(minute):
    return NOON + timedelta(minutes=minute)


def play(pk, minutes=20):
    return Level(id=pk, duration=timedelta(minutes=minutes), big_blind=2 * pk)


def pause(pk, minutes=10):
    return Level(id=pk, kind=LevelKind.BREAK, duration=timedelta(minutes=minutes))


# 12:00 level 1, 12:20 level 2, 12:40 break, 12:50 level 3
EVENING = numbered([play(1), play(2), pause(3), play(4)])
STARTED = ClockAction(kind=ActionKind.STARTED, at=NOON)


def asked(now, *hands, actions=(STARTED,), levels=EVENING):
    began = [Began(number=number, at=moment) for number, moment in enumerate(hands, 1)]
    return in_force(began, history(actions, levels), now)


def in_force(began, clock, now):
    return level_in_force(began, clock, now, longest=LONGEST)


def history(actions, levels=EVENING):
    return ClockHistory(Past(tuple(actions), (tuple(levels),)))


def told(answer):
    return answer.level.number, answer.announced.number, answer.ground


@pytest.mark.parametrize(
    ("now", "hands", "told_of", "since"),
    [
        # TDA 2024 23: a hand begun one second before stays until it is over.
        (at(20), [at(20) - SECOND], (1, 2, Ground.HAND_BEFORE), at(20) - SECOND),
        (at(25), [at(20) - SECOND], (1, 2, Ground.HAND_BEFORE), at(20) - SECOND),
        (at(30) - SECOND, [at(20) - SECOND], (1, 2, Ground.HAND_BEFORE), at(20) - SECOND),
        # No hand lasts for ever: the announced level is assumed, also an hour and a half later.
        (at(30), [at(20) - SECOND], (2, 2, Ground.ASSUMED), at(20)),
        (at(90), [at(1), at(4)], (3, 3, Ground.ASSUMED), None),
        # Where the level is the same an old hand says so still.
        (at(19), [at(1)], (1, 1, Ground.HAND_SINCE), None),
        # A hand begun at the very instant of the change, or after it, plays the new level.
        (at(25), [at(19), at(20)], (2, 2, Ground.HAND_SINCE), at(20)),
        (at(26), [at(20) - SECOND, at(26)], (2, 2, Ground.HAND_SINCE), None),
        # Since is the first of the hands played under the level.
        (at(35), [at(5), at(19), at(22), at(24), at(33)], (2, 2, Ground.HAND_SINCE), at(22)),
        (at(15), [at(5), at(9)], (1, 1, Ground.HAND_SINCE), at(5)),
        # Without a tap it is announced and holds from the next hand; later ones do not exist yet.
        (at(25), [], (2, 2, Ground.NOT_TAPPED), at(20)),
        (at(25), [at(26)], (2, 2, Ground.NOT_TAPPED), None),
        (at(25), [at(19), at(26)], (1, 2, Ground.HAND_BEFORE), None),
        # A break keeps the level before it for hands that are not over yet.
        (at(45), [at(39)], (2, 2, Ground.HAND_BEFORE_BREAK), None),
        (at(45), [at(41)], (2, 2, Ground.HAND_IN_BREAK), None),
        (at(45), [], (2, 2, Ground.NOT_TAPPED_BREAK), None),
        (at(49), [at(35)], (2, 2, Ground.HAND_BEFORE_BREAK), None),
        # After the break the level is in force from the next hand.
        (at(51), [at(35)], (3, 3, Ground.ASSUMED), None),
        (at(51), [at(42)], (2, 3, Ground.HAND_BEFORE), None),
        (at(51), [at(50) - SECOND], (2, 3, Ground.HAND_BEFORE), None),
        (at(51), [at(50)], (3, 3, Ground.HAND_SINCE), None),
    ],
)
def test_tda_2024_23_what_is_in_force(now, hands, told_of, since):
    answer = asked(now, *hands)
    assert told(answer) == told_of
    assert since is None or answer.since == since
    assert answer.is_assumed == (answer.ground is Ground.ASSUMED)
    assert answer.is_behind == (answer.ground is Ground.HAND_BEFORE)
    past = [hand for hand in hands if hand <= now]
    assert answer.hand == (Began(number=len(past), at=past[-1]) if past else None)


def test_before_the_start_nothing_is_in_force():
    assert told(asked(at(0), actions=())) == (1, 1, Ground.NOT_STARTED)
    assert asked(at(0), actions=()).since is None


def test_a_schedule_that_begins_with_a_break_plays_the_level_after_it():
    levels = numbered([pause(1), play(2)])
    assert told(asked(at(5), at(4), levels=levels)) == (1, 1, Ground.HAND_IN_BREAK)


def test_a_schedule_of_breaks_alone_has_no_answer():
    with pytest.raises(ValueError, match="no level of play"):
        asked(at(5), levels=[pause(1)])


def test_a_level_that_was_taken_back_still_holds_for_the_hand_begun_under_it():
    wrong = ClockAction(kind=ActionKind.JUMPED, at=at(5), level_id=2)
    own = {"level_id": 1, "elapsed": timedelta(minutes=6), "is_running": True}
    undone = ClockAction(kind=ActionKind.RESTORED, at=at(6), **own)
    actions = (STARTED, wrong, undone)
    assert told(asked(at(7), at(4), actions=actions)) == (1, 1, Ground.HAND_SINCE)
    assert told(asked(at(7), at(5) + SECOND, actions=actions)) == (2, 1, Ground.HAND_BEFORE)
    assert told(asked(at(8), at(5) + SECOND, at(8), actions=actions))[:2] == (1, 1)


def test_an_edit_of_the_schedule_leaves_the_past_as_it_was():
    shorter = numbered([play(1), play(9), play(4)])
    own = {"level_id": 1, "elapsed": timedelta(minutes=15), "is_running": True, "began_at": NOON}
    edit = ClockAction(kind=ActionKind.EDITED, at=at(15), **own)
    clock = ClockHistory(Past((STARTED, edit), (tuple(EVENING), tuple(shorter))))
    hands = [Began(number=1, at=at(10)), Began(number=2, at=at(41))]
    assert in_force(hands[:1], clock, at(25)).announced.id == 9
    assert told(in_force(hands, clock, at(42))) == (3, 3, Ground.HAND_SINCE)
    assert in_force(hands, clock, at(14)).level.id == 1


def test_hands_of_one_instant_follow_their_numbers():
    assert asked(at(5), at(4), at(4)).hand.number == 2


# --- Whatever the clock does


kinds = st.sampled_from(
    [ActionKind.STARTED, ActionKind.PAUSED, ActionKind.ADJUSTED, ActionKind.JUMPED]
)
minutes = st.integers(0, 300).map(lambda n: n / 4)


@st.composite
def evenings(draw):
    actions, moment = [STARTED], 0.0
    for _ in range(draw(st.integers(0, 6))):
        moment += draw(minutes)
        actions.append(
            ClockAction(
                kind=draw(kinds),
                at=at(moment),
                shift=timedelta(minutes=draw(minutes) - draw(minutes)),
                level_id=draw(st.sampled_from(EVENING)).id,
                elapsed=timedelta(minutes=draw(st.integers(0, 20))),
            )
        )
    hands = draw(st.lists(minutes, min_size=1, max_size=8))
    return tuple(actions), sorted(at(hand) for hand in hands)


@given(evenings(), minutes)
def test_from_hand_to_hand_nothing_the_clock_does_changes_the_level(evening, later):
    actions, hands = evening
    clock = history(actions)
    began = [Began(number=n, at=moment) for n, moment in enumerate(hands, 1)]
    at_once = in_force(began, clock, hands[-1])
    much_later = in_force(began, clock, hands[-1] + timedelta(minutes=later))
    assert at_once.level == at_once.announced
    if much_later.is_assumed:
        assert timedelta(minutes=later) > LONGEST
        assert much_later.level == much_later.announced != at_once.level
    else:
        assert much_later.level == at_once.level
        assert much_later.since == at_once.since


@given(evenings(), minutes)
def test_what_holds_is_what_was_announced_when_the_last_hand_began(evening, minute):
    actions, hands = evening
    began = [Began(number=n, at=moment) for n, moment in enumerate(hands, 1)]
    answer = in_force(began, history(actions), at(minute))
    past = [moment for moment in hands if moment <= at(minute)]
    moment = past[-1] if past and at(minute) - past[-1] <= LONGEST else at(minute)
    until = [action for action in actions if action.at <= moment]
    shown = state_from(anchor_of(until, EVENING), EVENING, moment)
    if not shown.level.is_break:
        assert answer.level == shown.level
    assert answer.is_behind == (answer.ground is Ground.HAND_BEFORE)
    assert (answer.hand is None) == (not past)
