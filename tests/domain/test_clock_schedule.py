"""Blind schedules: what one must not be, what an edit may change, and how levels are said."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import (
    MOST_EXTRA,
    ActionKind,
    AnteKind,
    ClockAction,
    Level,
    LevelKind,
    LimitKind,
    anchor_of,
    anchor_settled,
    anchor_without,
    edited,
    keeps_begun,
    levels_begun,
    restoring,
    same_content,
    schedule_changes,
    state_from,
    validate_levels,
)
from clock.domain.numerals import LARGEST, english, german
from clock.domain.schedule import spelled_out
from clock.domain.wording import Language, level_text

LENGTH = timedelta(minutes=20)


def play(**own):
    return Level(**{"id": 1, "duration": LENGTH, "small_blind": 1, "big_blind": 2} | own)


def pause(**own):
    return Level(**{"id": 2, "kind": LevelKind.BREAK, "duration": LENGTH} | own)


COLOUR_UP = pause(colour_up=(1,))
TENS = {"small_blind": 5, "big_blind": 10}


def codes(*levels):
    return [(problem.code, problem.index) for problem in validate_levels(levels)]


STUD = {"small_bet": 40, "big_bet": 80, "ante": 5, "bring_in": 10, "duration": LENGTH}
BLINDS = {"small_blind": 100, "big_blind": 200, "duration": LENGTH}
ONE_ANTE = {**BLINDS, "ante": 200, "ante_kind": AnteKind.BIG_BLIND}
STUD_OF_ONE = {"small_blind": 0, "big_blind": 0, "ante": 1, "bring_in": 1, "game": "Stud"}


def level(number=1, /, **own):
    return Level(id=number, number=number, **own)


@pytest.mark.parametrize(
    "levels",
    [
        [play(), pause(), play(big_blind=4, big_bet=8), play(big_blind=4, hands=5, duration=None)],
        [play(), pause(), play(ante=1, bring_in=1)],
        [level(**STUD), level(**ONE_ANTE, game="Hold’em")],
        [level(**BLINDS, big_bet=150, limit=LimitKind.POT_LIMIT)],
        [play(big_blind=4), play(**STUD_OF_ONE), play(big_blind=4)],
    ],
    ids=["hold'em", "an ante", "stud", "a big bet that is not played", "another game is lower"],
)
def test_a_sound_schedule_has_no_problems(levels):
    assert codes(*levels) == []


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([], [("no_levels", None)]),
        ([pause()], [("no_play", None), ("ends_with_break", 0)]),
        ([play(duration=None)], [("no_length", 0)]),
        ([play(hands=3)], [("two_lengths", 0)]),
        ([play(duration=timedelta())], [("length_not_positive", 0)]),
        ([play(duration=-LENGTH)], [("length_not_positive", 0)]),
        ([play(duration=None, hands=0)], [("length_not_positive", 0)]),
        ([play(), pause(duration=None, hands=3), play()], [("break_in_hands", 1)]),
        ([play(ante=-1)], [("amount_negative", 0)]),
        ([play(small_blind=0, big_blind=0)], [("no_blinds", 0)]),
        ([play(small_blind=3)], [("small_above_big", 0)]),
        ([play(big_bet=1)], [("big_bet_below_big", 0)]),
        ([play(big_blind=4), play()], [("blinds_fall", 1)]),
        ([play(), pause()], [("ends_with_break", 1)]),
        ([play(big_blind=4), play(**STUD_OF_ONE), play()], [("blinds_fall", 2)]),
        ([level(**STUD | {"big_bet": 20})], [("big_bet_below_small_bet", 0)]),
        ([level(**STUD | {"bring_in": 41})], [("bring_in_above_small_bet", 0)]),
        ([level(**STUD | {"bring_in": -1})], [("amount_negative", 0)]),
        ([level(**STUD, ante_kind=AnteKind.BIG_BLIND)], [("ante_without_big_blind", 0)]),
        ([level(**BLINDS, big_bet=150)], [("big_bet_below_big", 0)]),
        ([level(**STUD), level(**STUD | {"small_bet": 20, "bring_in": 5})], [("blinds_fall", 1)]),
    ],
)
def test_each_problem_is_named_and_only_a_last_break_is_a_warning(levels, expected):
    assert codes(*levels) == expected
    for problem in validate_levels(levels):
        assert problem.is_warning == (problem.code == "ends_with_break")


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([play(), play(small_blind=2, big_blind=5)], []),
        ([play(colour_up=(1,))], [("unpayable", 0)]),
        ([play(), COLOUR_UP, play(**TENS, ante=1)], [("unpayable", 2)]),
        ([play(), COLOUR_UP, play(**TENS)], []),
        ([play(), pause(colour_up=(1, 5, 25)), play()], [("unpayable", 2)]),
        ([play(), pause(colour_up=(2,)), play()], [("no_such_chip", 1)]),
        ([play(), COLOUR_UP, level(**STUD)], []),
        ([play(), COLOUR_UP, level(**STUD | {"small_bet": 42})], [("unpayable", 2)]),
        ([play(), COLOUR_UP, level(**ONE_ANTE | {"ante": 192})], [("unpayable", 2)]),
    ],
)
def test_chips_that_cannot_pay_are_warned_about(levels, expected):
    problems = validate_levels(levels, chips=[1, 5, 25])
    assert [(problem.code, problem.index) for problem in problems] == expected
    assert all(problem.is_warning for problem in problems)


@pytest.mark.parametrize(
    ("wanted", "index", "begun", "kept"),
    [
        ([1, 2, 3], 0, {1}, True),
        ([1, 3, 2], 0, {1}, True),
        ([1, 3], 1, {1, 2}, False),
        ([3, 1, 2], None, set(), True),
        ([1, 3, 2], 0, {1, 2, 3}, False),
        ([1, 2], 0, {1, 3}, False),
        ([1, 3], 0, {1, 3}, True),
        ([], 0, {1}, False),
    ],
)
def test_what_has_begun_keeps_its_place(wanted, index, begun, kept):
    levels = {number: Level(id=number) for number in (1, 2, 3)}
    after = [levels[number] for number in wanted]
    assert keeps_begun(list(levels.values()), after, begun=begun, index=index) is kept


def test_changes_are_named_row_by_row():
    before = [play(id=1), play(id=2), play(id=3), pause(id=4)]
    after = [before[1], replace(before[0], ante=1, big_blind=4), pause(id=0), before[2]]
    found = [(item.what, item.index, item.names) for item in schedule_changes(before, after)]
    assert found == [
        ("removed", 3, ()),
        ("changed", 1, ("big_blind", "ante")),
        ("moved", 1, ()),
        ("added", 2, ()),
    ]
    assert same_content(before[0], replace(before[0], id=9)) is True


# --- How levels are said


def test_tda_2024_rp11_the_big_blind_is_said_before_the_ante():
    level = Level(id=1, number=3, **ONE_ANTE)
    assert level_text(level, None, Language.GERMAN, shows_big_bet=False) == (
        "Neue Blindstufe drei: einhundert, zweihundert. Big-Blind-Ante: zweihundert. "
        "Gültig ab der nächsten Hand."
    )
    english = level_text(level, None, Language.ENGLISH, shows_big_bet=False)
    assert "one hundred, two hundred. Big blind ante: two hundred." in english


def test_stud_is_said_with_both_bets_and_its_limit():
    before = Level(id=1, number=1, game="Hold’em", limit=LimitKind.NO_LIMIT, **BLINDS)
    level = Level(id=2, number=2, game="Razz", limit=LimitKind.SPLIT_LIMIT, **STUD)
    assert level_text(level, before, Language.GERMAN, shows_big_bet=False) == (
        "Neue Stufe zwei. Kleiner Einsatz: vierzig. Großer Einsatz: achtzig. Ante: fünf. "
        "Bring-in: zehn. Gespielt wird Razz. Limit: Split Limit. Gültig ab der nächsten Hand."
    )
    same = Level(id=3, number=3, game="Razz", limit=LimitKind.SPLIT_LIMIT, **STUD)
    again = level_text(same, level, Language.GERMAN, shows_big_bet=False)
    assert ("Limit:" in again, "Gespielt" in again) == (False, False)


def test_where_one_level_names_its_game_all_do_and_breaks_none():
    rows = [Level(id=1), Level(id=2, kind=LevelKind.BREAK), Level(id=3, game="Razz")]
    told = spelled_out(rows, game="Omaha", limit=LimitKind.POT_LIMIT)
    assert [(level.game, level.limit) for level in told] == [("Omaha", ""), ("", ""), ("Razz", "")]
    assert spelled_out(rows[:2], game="Omaha", limit=LimitKind.POT_LIMIT) == rows[:2]


CASES = [
    (0, "null", "zero"),
    (16, "sechzehn", "sixteen"),
    (17, "siebzehn", "seventeen"),
    (30, "dreißig", "thirty"),
    (100, "einhundert", "one hundred"),
    (650, "sechshundertfünfzig", "six hundred and fifty"),
    (1001, "eintausendeins", "one thousand and one"),
    (101_000, "einhunderteintausend", "one hundred and one thousand"),
    (201_001, "zweihunderteintausendeins", "two hundred and one thousand and one"),
    (1_000_001, "eine Million eins", "one million and one"),
    (2_500_000, "zwei Millionen fünfhunderttausend", "two million five hundred thousand"),
]


@pytest.mark.parametrize(("number", "in_german", "in_english"), CASES)
def test_numbers_as_they_are_said(number, in_german, in_english):
    assert german(number) == in_german
    assert english(number) == in_english


@given(st.integers(0, LARGEST), st.integers(0, LARGEST))
def test_different_numbers_are_said_differently(one, other):
    for say in (german, english):
        assert (say(one) == say(other)) == (one == other)


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
@pytest.mark.parametrize("say", [german, english])
def test_numbers_without_words_are_refused(say, number):
    with pytest.raises(ValueError, match="is not between"):
        say(number)


# --- What holds for every schedule, every history and every instant


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
# What these may say follows from what came before: an edit states where the clock is, a correction
# how far the time stepped.
KINDS = [kind for kind in ActionKind if kind not in {ActionKind.EDITED, ActionKind.CORRECTED}]
SHOWN = ("level", "elapsed", "remaining", "is_running", "hands", "last_hands", "is_waiting")
spans = st.integers(0, 90 * 60_000).map(lambda n: timedelta(milliseconds=n))


@st.composite
def schedules(draw):
    count = draw(st.integers(1, 6))
    levels = []
    for number in range(count):
        duration = draw(st.none() | spans)
        hands = draw(st.integers(0, 3)) if duration is None else None
        added = draw(st.none() | spans.map(lambda span: NOON + span))
        kind = draw(st.sampled_from(LevelKind))
        levels.append(Level(id=number, kind=kind, duration=duration, hands=hands, added_at=added))
    return levels


@st.composite
def histories(draw):
    levels = draw(schedules())
    actions, at = [], NOON
    for _ in range(draw(st.integers(0, 8))):
        at += draw(spans)
        kind, is_running = draw(st.sampled_from(KINDS)), draw(st.booleans())
        # During last hands the clock stands; no other state can be restored.
        runs = kind is ActionKind.RESTORED and is_running
        actions.append(
            ClockAction(
                kind=kind,
                at=at,
                shift=draw(spans) - draw(spans),
                level_id=draw(st.sampled_from(levels)).id,
                elapsed=draw(spans),
                is_running=is_running,
                last_hands=None if runs else draw(st.none() | st.integers(0, 3)),
                stops_after_break=draw(st.booleans()),
            )
        )
    return levels, actions, at


@given(histories(), spans, spans)
def test_asking_on_the_way_and_an_edit_that_changes_nothing_change_nothing(history, first, second):
    """An action without effect moves the anchor, never the display."""
    levels, actions, at = history
    now = at + first + second
    shown = state_from(anchor_of(actions, levels), levels, now)
    idle = ClockAction(kind=ActionKind.ADJUSTED, at=at + first)
    assert state_from(anchor_of([*actions, idle], levels), levels, now) == shown
    anchor = anchor_settled(anchor_of(actions, levels), levels, at + first)
    edit = edited(anchor, at + first, anchor.level_id)
    assert state_from(anchor_of([*actions, edit], levels), levels, now) == shown


@given(histories(), spans)
def test_time_stays_within_its_level_and_the_next_change_happens_when_it_is_said_to(history, later):
    levels, actions, at = history
    anchor = anchor_of(actions, levels)
    state = state_from(anchor, levels, at + later)
    assert state.elapsed >= -MOST_EXTRA
    if state.level.duration is not None:
        assert state.elapsed <= state.level.duration
        assert state.remaining == state.level.duration - state.elapsed
    change = state.next_change_at
    if change is not None:
        before = state_from(anchor, levels, change - timedelta(microseconds=1))
        assert before.index == state.index
        after = state_from(anchor, levels, change)
        assert after.index > state.index
        assert after.level_began_at == change


@given(histories(), spans)
def test_undo_shows_from_now_on_what_would_be_without(history, later):
    levels, actions, at = history
    if not actions:
        return
    now = at + later
    without = anchor_of(actions[:-1], levels)
    back = restoring(anchor_without(actions, levels, len(actions) - 1, now), now)
    undone = anchor_of([*actions, back], levels)
    for instant in (now, now + timedelta(minutes=45)):
        one, other = state_from(undone, levels, instant), state_from(without, levels, instant)
        assert (one.index, one.elapsed, one.hands) == (other.index, other.elapsed, other.hands)
        assert (one.is_running, one.has_started) == (other.is_running, other.has_started)


@given(histories(), spans, st.integers(0, 8), spans, spans)
def test_a_step_of_the_time_changes_nothing_but_the_time(history, step, cut, wait, later):
    """A computer's clock set forward leaves the display unchanged."""
    levels, actions, at = history
    levels = [replace(level, added_at=None) for level in levels]
    before, after = actions[:cut], actions[cut:]
    stepped_at = min([before[-1].at + wait if before else NOON, *(one.at for one in after[:1])])
    correction = ClockAction(kind=ActionKind.CORRECTED, at=stepped_at + step, shift=step)
    moved = [replace(one, at=one.at + step) for one in after]
    expected = state_from(anchor_of(actions, levels), levels, max(at, stepped_at) + later)
    now = max(at, stepped_at) + step + later
    shown = state_from(anchor_of([*before, correction, *moved], levels), levels, now)
    for name in SHOWN:
        assert getattr(shown, name) == getattr(expected, name), name
    assert levels_begun([*before, correction, *moved], levels, now) == levels_begun(
        actions, levels, max(at, stepped_at) + later
    )
