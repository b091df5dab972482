from dataclasses import replace
from datetime import timedelta

import pytest

from clock.domain import (
    Level,
    LevelKind,
    keeps_begun,
    next_level_id,
    numbered,
    previous_level_id,
    same_content,
    schedule_changes,
    validate_levels,
    with_breaks,
)

LENGTH = timedelta(minutes=20)


def play(**own):
    return Level(**{"id": 1, "duration": LENGTH, "small_blind": 1, "big_blind": 2} | own)


def pause(**own):
    return Level(**{"id": 2, "kind": LevelKind.BREAK, "duration": LENGTH} | own)


def codes(*levels):
    return [(problem.code, problem.index) for problem in validate_levels(levels)]


def test_a_sound_schedule_has_no_problems():
    hands = play(big_blind=4, hands=5, duration=None)
    assert codes(play(), pause(), play(big_blind=4, big_bet=8), hands) == []
    assert codes(play(), pause(), play(ante=1, bring_in=1)) == []


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
    ],
)
def test_each_problem_is_named(levels, expected):
    assert codes(*levels) == expected


def test_a_last_break_is_a_warning_and_falling_blinds_are_not():
    problems = validate_levels([play(big_blind=4), play(), pause()])
    assert [problem.is_warning for problem in problems] == [False, True]


def test_blinds_of_another_game_may_be_lower():
    stud = play(small_blind=0, big_blind=0, ante=1, bring_in=1, game="Stud")
    assert codes(play(big_blind=4), stud, play(big_blind=4)) == []
    assert codes(play(big_blind=4), stud, play()) == [("blinds_fall", 2)]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([play(), play(small_blind=2, big_blind=5)], []),
        ([play(colour_up=(1,))], [("unpayable", 0)]),
        ([play(), pause(colour_up=(1,)), play(small_blind=5, big_blind=10, ante=1)],
         [("unpayable", 2)]),
        ([play(), pause(colour_up=(1,)), play(small_blind=5, big_blind=10)], []),
        ([play(), pause(colour_up=(1, 5, 25)), play()], [("unpayable", 2)]),
        ([play(), pause(colour_up=(2,)), play()], [("no_such_chip", 1)]),
    ],
)  # fmt: skip
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


def test_neighbours():
    levels = [Level(id=4), Level(id=2), Level(id=9)]
    assert [next_level_id(levels, n) for n in (4, 2, 9)] == [2, 9, None]
    assert [previous_level_id(levels, n) for n in (4, 2, 9)] == [None, 4, 2]


def test_breaks_follow_the_levels_they_are_planned_after():
    levels = with_breaks([play() for _ in range(5)], {2: 10, 4: 15, 77: 5})
    assert [level.number for level in levels] == [1, 2, None, 3, 4, None, 5]
    assert [level.duration for level in levels if level.is_break] == [
        timedelta(minutes=10),
        timedelta(minutes=15),
    ]


def test_numbers_leave_breaks_out():
    assert [level.number for level in numbered([pause(), play(), pause(), play()])] == [
        None,
        1,
        None,
        2,
    ]
