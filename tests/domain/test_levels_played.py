"""What is posted and bet at a level: stud, big-blind ante, a limit of its own."""

from datetime import timedelta

import pytest

from clock.domain import AnteKind, Level, LevelKind, LimitKind, breaks_every, validate_levels
from clock.domain.schedule import spelled_out, with_breaks
from clock.domain.wording import Language, level_text

MINUTES = timedelta(minutes=20)
STUD = {"small_bet": 40, "big_bet": 80, "ante": 5, "bring_in": 10, "duration": MINUTES}
BLINDS = {"small_blind": 100, "big_blind": 200, "duration": MINUTES}
ONE_ANTE = {**BLINDS, "ante": 200, "ante_kind": AnteKind.BIG_BLIND}


def codes(*levels, chips=()):
    rows = [Level(id=number, **level) for number, level in enumerate(levels, 1)]
    return [(item.code, item.index) for item in validate_levels(rows, chips)]


def test_stud_and_a_big_blind_ante_are_sound():
    assert codes(STUD, ONE_ANTE | {"game": "Hold’em"}) == []


@pytest.mark.parametrize(
    ("level", "code"),
    [
        (STUD | {"big_bet": 20}, "big_bet_below_small_bet"),
        (STUD | {"bring_in": 41}, "bring_in_above_small_bet"),
        (STUD | {"bring_in": -1}, "amount_negative"),
        (STUD | {"ante_kind": AnteKind.BIG_BLIND}, "ante_without_big_blind"),
        (BLINDS | {"big_bet": 150}, "big_bet_below_big"),
    ],
)
def test_what_a_level_must_not_be(level, code):
    assert codes(level) == [(code, 0)]


def test_a_big_bet_that_the_level_does_not_play_is_no_fault():
    assert codes(BLINDS | {"big_bet": 150, "limit": LimitKind.POT_LIMIT}) == []


def test_the_bets_of_stud_do_not_fall_either():
    assert codes(STUD, STUD | {"small_bet": 20, "bring_in": 5}) == [("blinds_fall", 1)]


def test_small_bets_and_big_blind_antes_are_paid_in_chips():
    assert codes(STUD, chips=[5]) == []
    assert codes(STUD | {"small_bet": 42}, chips=[5]) == [("unpayable", 0)]
    assert codes(ONE_ANTE | {"ante": 190}, chips=[100]) == [("unpayable", 0)]


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
