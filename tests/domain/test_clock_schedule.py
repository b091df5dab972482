"""Blind schedules: what one must not be, what an edit may change, and how levels are said."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import (
    AnteKind,
    Level,
    LevelKind,
    LimitKind,
    breaks_every,
    keeps_begun,
    same_content,
    schedule_changes,
    validate_levels,
    with_breaks,
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
    assert "Limit:" not in level_text(same, level, Language.GERMAN, shows_big_bet=False)


def test_where_one_level_names_its_game_all_do_and_breaks_none():
    rows = [Level(id=1), Level(id=2, kind=LevelKind.BREAK), Level(id=3, game="Razz")]
    told = spelled_out(rows, game="Omaha", limit=LimitKind.POT_LIMIT)
    assert [(level.game, level.limit) for level in told] == [("Omaha", ""), ("", ""), ("Razz", "")]
    assert spelled_out(rows[:2], game="Omaha", limit=LimitKind.POT_LIMIT) == rows[:2]


def test_breaks_come_every_few_levels_and_never_twice_nor_last():
    levels = [Level(id=number) for number in range(1, 10)]
    after = breaks_every(3, len(levels))
    planned = with_breaks(levels, dict.fromkeys(after, 15))
    assert [index for index, row in enumerate(planned) if row.is_break] == [3, 7]
    assert len(with_breaks(planned, {3: 10, 4: 10})) == len(planned) + 1


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
