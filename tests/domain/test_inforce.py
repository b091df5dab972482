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


def test_tda_2024_23_a_hand_begun_one_second_before_stays_until_it_is_over():
    for now in (at(20), at(25), at(30) - SECOND):
        answer = asked(now, at(20) - SECOND)
        assert told(answer) == (1, 2, Ground.HAND_BEFORE)
        assert answer.is_behind
        assert answer.since == at(20) - SECOND


def test_no_hand_lasts_for_ever_the_announced_level_is_assumed():
    answer = asked(at(30), at(20) - SECOND)
    assert told(answer) == (2, 2, Ground.ASSUMED)
    assert answer.is_assumed
    assert not answer.is_behind
    assert answer.since == at(20)
    # Two hands were tapped, and then nobody did: an hour and a half later.
    assert told(asked(at(90), at(1), at(4))) == (3, 3, Ground.ASSUMED)


def test_where_the_level_is_the_same_an_old_hand_says_so_still():
    assert told(asked(at(19), at(1))) == (1, 1, Ground.HAND_SINCE)


def test_after_a_break_nobody_tapped_in_the_level_before_it_is_over():
    assert told(asked(at(49), at(35))) == (2, 2, Ground.HAND_BEFORE_BREAK)
    assert told(asked(at(51), at(35))) == (3, 3, Ground.ASSUMED)


def test_a_hand_begun_at_the_very_instant_of_the_change_plays_the_new_level():
    answer = asked(at(25), at(19), at(20))
    assert told(answer) == (2, 2, Ground.HAND_SINCE)
    assert answer.since == at(20)
    assert answer.hand == Began(number=2, at=at(20))


def test_the_next_hand_takes_the_level_over():
    assert told(asked(at(26), at(20) - SECOND, at(26))) == (2, 2, Ground.HAND_SINCE)


def test_since_is_the_first_of_the_hands_played_under_the_level():
    assert asked(at(35), at(5), at(19), at(22), at(24), at(33)).since == at(22)
    assert asked(at(15), at(5), at(9)).since == at(5)


def test_without_a_tap_it_is_announced_and_holds_from_the_next_hand():
    answer = asked(at(25))
    assert told(answer) == (2, 2, Ground.NOT_TAPPED)
    assert answer.since == at(20)
    assert answer.hand is None
    assert not answer.is_behind


def test_hands_after_the_instant_asked_about_do_not_exist_yet():
    assert told(asked(at(25), at(26))) == (2, 2, Ground.NOT_TAPPED)
    assert told(asked(at(25), at(19), at(26))) == (1, 2, Ground.HAND_BEFORE)


def test_before_the_start_nothing_is_in_force():
    assert told(asked(at(0), actions=())) == (1, 1, Ground.NOT_STARTED)
    assert asked(at(0), actions=()).since is None


def test_a_break_keeps_the_level_before_it_for_hands_not_over_yet():
    assert told(asked(at(45), at(39))) == (2, 2, Ground.HAND_BEFORE_BREAK)
    assert told(asked(at(45), at(41))) == (2, 2, Ground.HAND_IN_BREAK)
    assert told(asked(at(45))) == (2, 2, Ground.NOT_TAPPED_BREAK)


def test_after_the_break_the_level_is_in_force_from_the_next_hand():
    assert told(asked(at(51), at(42))) == (2, 3, Ground.HAND_BEFORE)
    assert told(asked(at(51), at(50) - SECOND)) == (2, 3, Ground.HAND_BEFORE)
    assert told(asked(at(51), at(50))) == (3, 3, Ground.HAND_SINCE)


def test_a_schedule_that_begins_with_a_break_plays_the_level_after_it():
    levels = numbered([pause(1), play(2)])
    assert told(asked(at(5), at(4), levels=levels)) == (1, 1, Ground.HAND_IN_BREAK)


def test_a_schedule_of_breaks_alone_has_no_answer():
    with pytest.raises(ValueError, match="no level of play"):
        asked(at(5), levels=[pause(1)])


def test_a_pause_holds_the_level_and_hands_go_on():
    actions = (STARTED, ClockAction(kind=ActionKind.PAUSED, at=at(19)))
    assert told(asked(at(60), at(59), actions=actions)) == (1, 1, Ground.HAND_SINCE)
    assert asked(at(60), actions=actions).since == NOON


def test_a_clock_set_back_holds_from_the_next_hand_too():
    back = ClockAction(kind=ActionKind.JUMPED, at=at(25), level_id=1)
    assert told(asked(at(26), at(24), actions=(STARTED, back))) == (2, 1, Ground.HAND_BEFORE)
    assert told(asked(at(27), at(24), at(27), actions=(STARTED, back)))[:2] == (1, 1)


def test_a_level_that_was_taken_back_still_holds_for_the_hand_begun_under_it():
    wrong = ClockAction(kind=ActionKind.JUMPED, at=at(5), level_id=2)
    undone = ClockAction(
        kind=ActionKind.RESTORED, at=at(6), level_id=1,
        elapsed=timedelta(minutes=6), is_running=True,
    )  # fmt: skip
    actions = (STARTED, wrong, undone)
    assert told(asked(at(7), at(4), actions=actions)) == (1, 1, Ground.HAND_SINCE)
    assert told(asked(at(7), at(5) + SECOND, actions=actions)) == (2, 1, Ground.HAND_BEFORE)
    assert told(asked(at(8), at(5) + SECOND, at(8), actions=actions))[:2] == (1, 1)


def test_an_edit_of_the_schedule_leaves_the_past_as_it_was():
    shorter = numbered([play(1), play(9), play(4)])
    edit = ClockAction(
        kind=ActionKind.EDITED, at=at(15), level_id=1,
        elapsed=timedelta(minutes=15), is_running=True, began_at=NOON,
    )  # fmt: skip
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


@given(evenings(), minutes)
def test_taking_the_last_hand_back_puts_the_table_where_it_was(evening, minute):
    actions, hands = evening
    clock, now = history(actions), at(minute)
    before = [Began(number=n, at=moment) for n, moment in enumerate(hands, 1)]
    tapped = in_force([*before, Began(number=99, at=now)], clock, now)
    assert tapped.level == tapped.announced
    if any(hand.at <= now for hand in before):
        last = _last(hands, now)
        held = last if now - last <= LONGEST else now
        assert in_force(before, clock, now).level == clock.at(held).level


def _last(hands, now):
    return max(moment for moment in hands if moment <= now)
