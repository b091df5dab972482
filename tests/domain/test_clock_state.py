from datetime import UTC, datetime, timedelta

import pytest

from clock.domain import (
    ActionKind,
    Anchor,
    ClockAction,
    Level,
    LevelKind,
    Past,
    anchor_as_json,
    level_as_json,
    state_from,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def minutes(n):
    return timedelta(minutes=n)


def running(level_id, **own):
    return Anchor(level_id=level_id, running_since=NOON, has_started=True, began_at=NOON, **own)


def test_a_level_the_schedule_does_not_hold_is_a_bug():
    with pytest.raises(ValueError, match="no level 5"):
        state_from(running(5), [Level(id=1)], NOON)


def test_an_open_level_lasts_until_somebody_jumps_on():
    levels = [Level(id=1, kind=LevelKind.BREAK), Level(id=2, duration=minutes(20))]
    state = state_from(running(1), levels, NOON + minutes(600))
    assert (state.level.id, state.remaining, state.next_change_at) == (1, None, None)
    assert not state.is_last


def test_levels_of_no_length_are_passed_at_once():
    levels = [Level(id=n, duration=minutes(0)) for n in (1, 2)]
    assert state_from(running(1), levels, NOON).level.id == 2


def test_the_way_to_a_break_leads_through_levels_of_time_only():
    rest = Level(id=3, kind=LevelKind.BREAK, duration=minutes(10))
    timed = [Level(id=1, duration=minutes(20)), Level(id=2, duration=minutes(15)), rest]
    assert state_from(running(1), timed, NOON + minutes(5)).time_to_break == minutes(30)
    counted = [Level(id=1, duration=minutes(20)), Level(id=2, hands=3), rest]
    state = state_from(running(1), counted, NOON)
    assert (state.next_break, state.time_to_break) == (rest, None)


def test_a_full_level_of_hands_waits_for_a_level_to_be_added():
    added_at = NOON + minutes(30)
    levels = [Level(id=1, hands=2), Level(id=2, duration=minutes(20), added_at=added_at)]
    full = running(1, hands=2)
    before = state_from(full, levels, NOON + minutes(29))
    assert (before.level.id, before.is_last) == (1, True)
    assert state_from(full, levels, added_at).level_began_at == added_at


def test_a_standing_clock_at_its_end_gives_way_when_a_level_is_added():
    added_at = NOON + minutes(30)
    levels = [
        Level(id=1, duration=minutes(20)),
        Level(id=2, duration=minutes(20), added_at=added_at),
    ]
    stood = Anchor(level_id=1, elapsed=minutes(20), has_started=True)
    assert state_from(stood, levels, NOON).level.id == 1
    state = state_from(stood, levels, added_at)
    assert (state.level.id, state.elapsed, state.is_running) == (2, timedelta(), False)


def test_sixty_levels_are_walked_without_adding_up_lateness():
    levels = [Level(id=n, duration=timedelta(milliseconds=999)) for n in range(60)]
    state = state_from(running(0), levels, NOON + timedelta(milliseconds=999 * 59))
    assert (state.index, state.elapsed) == (59, timedelta())


def test_what_goes_to_a_browser_is_plain_numbers():
    began = 1_767_268_800_000
    anchor = running(7, elapsed=minutes(-1), hands=2)
    assert anchor_as_json(anchor) == {
        "level": 7,
        "elapsed": -60_000,
        "since": began,
        "hands": 2,
        "started": True,
        "began": began,
        "last_hands": None,
        "stops": False,
        "starts": None,
    }
    level = level_as_json(Level(id=7, kind=LevelKind.BREAK, added_at=NOON, colour_up=(1, 5)))
    assert level["colour_up"] == [1, 5]
    assert (level["kind"], level["duration"], level["added"]) == ("break", None, began)


def test_played_are_neither_breaks_nor_a_clock_that_stands():
    levels = (
        Level(id=1, duration=minutes(20)),
        Level(id=2, kind=LevelKind.BREAK, duration=minutes(15)),
        Level(id=3, duration=minutes(20)),
    )
    done = (
        ClockAction(kind=ActionKind.STARTED, at=NOON),
        ClockAction(kind=ActionKind.PAUSED, at=NOON + minutes(5)),
        ClockAction(kind=ActionKind.STARTED, at=NOON + minutes(9)),
    )
    past = Past(done, (levels,))

    def played(since, until):
        return past.played(NOON + minutes(since), NOON + minutes(until)) / minutes(1)

    assert (played(-5, 0), played(0, 5), played(4, 10), played(9, 9)) == (0, 5, 2, 0)
    assert (played(20, 40), played(24, 39), played(0, 41)) == (5, 0, 22)
    # The last level holds at its end, and play goes on in it.
    assert played(59, 90) == 31
