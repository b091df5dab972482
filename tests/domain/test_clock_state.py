"""What the clock shows: from its actions, at an instant, undone, and with the time stepped."""

import json
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import playwright
import pytest

from clock.domain import (
    MOST_EXTRA,
    ActionKind,
    Anchor,
    ClockAction,
    Level,
    LevelKind,
    Past,
    anchor_as_json,
    anchor_of,
    anchor_without,
    level_as_json,
    restoring,
    state_from,
)
from tests.clock import vectors

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def minutes(n):
    return timedelta(minutes=n)


def after(n):
    return NOON + minutes(n)


def done(kind, at, **own):
    return ClockAction(kind=kind, at=after(at), **own)


def running(level_id, **own):
    return Anchor(level_id=level_id, running_since=NOON, has_started=True, began_at=NOON, **own)


def at_minute(actions, levels, minute):
    return state_from(anchor_of(actions, levels), levels, after(minute))


LEVELS = [
    Level(id=1, number=1, duration=minutes(20), big_blind=2),
    Level(id=2, number=2, duration=minutes(20), big_blind=4),
    Level(id=3, kind=LevelKind.BREAK, duration=minutes(10)),
]
HANDS = [Level(id=1, hands=2), Level(id=2, duration=minutes(20))]
STARTED = done(ActionKind.STARTED, 0)
HAND = done(ActionKind.HAND_COUNTED, 1)


# --- What actions come to


@pytest.mark.parametrize(
    ("actions", "levels", "what"),
    [
        ([], [], "no levels"),
        ([done(ActionKind.JUMPED, 0, level_id=None)], LEVELS, "level"),
        ([done(ActionKind.JUMPED, 0, level_id=99)], LEVELS, "level"),
    ],
)
def test_a_level_that_is_not_there_is_a_bug(actions, levels, what):
    with pytest.raises(ValueError, match=what):
        anchor_of(actions, levels)
    with pytest.raises(ValueError, match="no level 5"):
        state_from(running(5), [Level(id=1)], NOON)


def test_restarting_the_same_level_does_not_announce_it_again():
    anchor = anchor_of([STARTED, done(ActionKind.JUMPED, 5, level_id=1)], LEVELS)
    assert (anchor.elapsed, anchor.began_at) == (timedelta(), NOON)


@pytest.mark.parametrize(
    ("levels", "action", "elapsed"),
    [
        (LEVELS, done(ActionKind.ADJUSTED, 1, shift=-minutes(99_999)), -MOST_EXTRA),
        (LEVELS, done(ActionKind.ADJUSTED, 1, shift=timedelta.min / 2), -MOST_EXTRA),
        (LEVELS, done(ActionKind.JUMPED, 0, level_id=2, elapsed=minutes(99)), minutes(20)),
        (HANDS, done(ActionKind.ADJUSTED, 5, shift=-minutes(3)), minutes(5)),
        (HANDS, done(ActionKind.JUMPED, 0, level_id=1, elapsed=minutes(99)), minutes(99)),
    ],
)
def test_time_stays_within_a_level_of_time_and_says_nothing_in_one_of_hands(
    levels, action, elapsed
):
    assert anchor_of([STARTED, action], levels).elapsed == elapsed


@pytest.mark.parametrize(
    ("levels", "actions", "hands"),
    [
        (HANDS, [done(ActionKind.HAND_COUNTED, 0)], 0),
        (LEVELS, [STARTED, HAND], 0),
        ([Level(id=1)], [STARTED, HAND], 0),
        (HANDS, [STARTED, HAND], 1),
        (HANDS[:1], [STARTED, *[done(ActionKind.HAND_COUNTED, n) for n in range(9)]], 2),
    ],
    ids=["before the start", "level of time", "open level", "counted", "full and the last"],
)
def test_hands_count_in_levels_of_hands_that_have_room(levels, actions, hands):
    assert anchor_of(actions, levels).hands == hands


@pytest.mark.parametrize(
    "early",
    [done(ActionKind.ADJUSTED, -5, shift=minutes(2)), done(ActionKind.JUMPED, -5, level_id=2)],
)
def test_an_action_before_the_last_one_takes_no_time_away(early):
    assert anchor_of([STARTED, early], LEVELS).running_since == NOON


# --- Undo


def test_what_is_restored_is_announced_anew_with_its_hands():
    actions = [STARTED, done(ActionKind.JUMPED, 5, level_id=2)]
    back = restoring(anchor_without(actions, LEVELS, 1, after(6)), after(6))
    assert anchor_of([*actions, back], LEVELS).began_at == after(6)
    actions = [STARTED, HAND, done(ActionKind.JUMPED, 2, level_id=2)]
    back = restoring(anchor_without(actions, HANDS, 2, after(3)), after(3))
    anchor = anchor_of([*actions, back], HANDS)
    assert (anchor.level_id, anchor.hands) == (1, 1)


# --- At an instant


def test_an_open_level_lasts_and_those_of_no_length_are_passed_at_once():
    levels = [Level(id=1, kind=LevelKind.BREAK), Level(id=2, duration=minutes(20))]
    state = state_from(running(1), levels, after(600))
    assert (state.level.id, state.remaining, state.next_change_at) == (1, None, None)
    assert not state.is_last
    empty = [Level(id=n, duration=minutes(0)) for n in (1, 2)]
    assert state_from(running(1), empty, NOON).level.id == 2


def test_the_way_to_a_break_leads_through_levels_of_time_only():
    timed, rest = LEVELS[:2], LEVELS[2]
    assert state_from(running(1), LEVELS, after(5)).time_to_break == minutes(35)
    counted = [timed[0], Level(id=2, hands=3), rest]
    state = state_from(running(1), counted, NOON)
    assert (state.next_break, state.time_to_break) == (rest, None)


def test_a_clock_at_its_end_waits_for_a_level_to_be_added():
    added = Level(id=2, duration=minutes(20), added_at=after(30))
    levels = [Level(id=1, hands=2), added]
    before = state_from(running(1, hands=2), levels, after(29))
    assert (before.level.id, before.is_last) == (1, True)
    assert state_from(running(1, hands=2), levels, after(30)).level_began_at == after(30)
    stood = Anchor(level_id=1, elapsed=minutes(20), has_started=True)
    levels = [LEVELS[0], added]
    assert state_from(stood, levels, NOON).level.id == 1
    state = state_from(stood, levels, after(30))
    assert (state.level.id, state.elapsed, state.is_running) == (2, timedelta(), False)


def test_what_goes_to_a_browser_is_plain_numbers():
    began = 1_767_268_800_000
    assert anchor_as_json(running(7, elapsed=minutes(-1), hands=2)) == {
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


@pytest.mark.parametrize(
    ("since", "until", "played"),
    [
        (-5, 0, 0),
        (0, 5, 5),
        (4, 10, 2),
        (9, 9, 0),
        (20, 40, 5),
        (24, 39, 0),
        (0, 41, 22),
        (59, 90, 31),  # the last level holds at its end, and play goes on in it
    ],
)
def test_played_are_neither_breaks_nor_a_clock_that_stands(since, until, played):
    levels = (
        Level(id=1, duration=minutes(20)),
        Level(id=2, kind=LevelKind.BREAK, duration=minutes(15)),
        Level(id=3, duration=minutes(20)),
    )
    actions = (STARTED, done(ActionKind.PAUSED, 5), done(ActionKind.STARTED, 9))
    past = Past(actions, (levels,))
    assert past.played(after(since), after(until)) == minutes(played)


# --- The computer's clock is set while the evening runs


STEPPED = [
    LEVELS[0],
    Level(id=2, kind=LevelKind.BREAK, duration=minutes(10)),
    Level(id=3, number=2, duration=minutes(20)),
]


def corrected(at, step):
    return ClockAction(kind=ActionKind.CORRECTED, at=after(at) + step, shift=step)


@pytest.mark.parametrize("step", [HOUR, -HOUR, timedelta(seconds=-5)])
def test_the_time_left_stays_what_it_is(step):
    before = at_minute([STARTED], STEPPED, 7)
    anchor = anchor_of([STARTED, corrected(7, step)], STEPPED)
    stepped = state_from(anchor, STEPPED, after(7) + step)
    assert (stepped.remaining, stepped.level) == (before.remaining, before.level)
    assert stepped.level_began_at == NOON + step
    assert stepped.next_change_at == before.next_change_at + step


def test_a_correction_taken_back_leaves_the_step_in_the_clock():
    actions = [STARTED, corrected(5, minutes(10))]
    assert anchor_without(actions, LEVELS, 1, after(16)).elapsed == minutes(16)


# --- The cases of fixtures/cases/clock*.json, in Python and in the screen's JavaScript


RUNNER = Path(__file__).parents[1] / "clock" / "run_vectors.js"


def node():
    """Return a JavaScript interpreter: the system's, or the one Playwright brings along."""
    driver = Path(playwright.__file__).parent / "driver" / "node"
    return shutil.which("node") or str(driver)


def test_python_answers_every_case():
    names = [name for name, _, _ in vectors.cases()]
    assert len(names) == len(set(names)) >= 300
    for name, levels, case in vectors.cases():
        anchor = vectors.anchor_of_case(case["anchor"])
        state = state_from(anchor, levels, vectors.instant(case["now"]))
        assert vectors.answer_of(state) == vectors.in_utc(case["expect"]), name
        if "actions" in case:
            actions = [vectors.action_of(row) for row in case["actions"]]
            assert anchor_of(actions, levels) == anchor, name


def test_the_screens_javascript_answers_every_case():
    run = subprocess.run(
        [node(), RUNNER, *vectors.FILES], capture_output=True, text=True, check=True
    )
    result = json.loads(run.stdout)
    assert result == {"count": len(list(vectors.cases())), "wrong": []}
