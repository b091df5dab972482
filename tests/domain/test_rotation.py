"""Schedules of mixed games: sound, in order, with amounts that rise as before."""

import json
from datetime import timedelta

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import Level, LevelKind, LimitKind, numbered, validate_levels
from clock.domain.wording import LIMITS, Language, level_text, number_words
from tournaments.event.domain.games import (
    KNOWN_GAMES,
    MIXES,
    Family,
    Game,
    Mix,
    deals_stud,
    game_named,
    mixed_schedule,
)

SCHEDULES = json.loads((settings.FIXTURES / "schedules.json").read_text("utf-8"))["schedules"]
LENGTH = timedelta(minutes=20)


def levels_of(name):
    rows = next(row["levels"] for row in SCHEDULES if row["name"] == name)
    return [Level(id=number, duration=LENGTH, **row) for number, row in enumerate(rows, 1)]


@pytest.mark.parametrize("name", ["T100", "T200", "T300"])
@pytest.mark.parametrize("mix", Mix)
@pytest.mark.parametrize("hands", [None, 8])
def test_s25_every_schedule_of_the_house_can_be_played_as_any_mix(name, mix, hands):
    levels = levels_of(name)
    found = mixed_schedule(levels, mix, hands=hands)
    assert validate_levels(found) == []
    assert len(found) == len(levels) * (len(MIXES[mix]) if hands else 1)
    assert {level.hands for level in found} == {hands}
    played = [(level.game, level.limit) for level in found]
    turns = len(MIXES[mix])
    assert played == [MIXES[mix][row % turns] for row in range(len(found))]


@pytest.mark.parametrize("name", ["T100", "T200", "T300"])
@pytest.mark.parametrize("language", Language)
def test_s25_every_level_of_a_mixed_evening_is_said_with_its_game_and_amounts(name, language):
    levels = numbered(mixed_schedule(levels_of(name), Mix.EIGHT_GAME))
    for before, level in zip([None, *levels], levels, strict=False):
        said = level_text(level, before, language, shows_big_bet=False)
        assert f" {level.game}." in said
        if before is not None and before.limit != level.limit:
            assert LIMITS[level.limit] in said
        is_stud = game_named(level.game).family is Family.STUD
        assert ("Bring-in" in said, "Ante: " in said) == (is_stud, is_stud)
        amounts = (level.small_bet, level.big_bet) if is_stud else (level.small_blind,)
        for amount in amounts:
            assert number_words(amount, language).lower() in said.lower()


def test_the_sentences_of_two_levels_word_for_word():
    levels = numbered(mixed_schedule(levels_of("T200"), Mix.HORSE))
    assert level_text(levels[4], levels[3], Language.GERMAN, shows_big_bet=False) == (
        "Neue Stufe fünf. Kleiner Einsatz: fünfzehn. Großer Einsatz: dreißig. Ante: drei. "
        "Bring-in: acht. Gespielt wird Stud Hi-Lo. Gültig ab der nächsten Hand."
    )
    assert level_text(levels[5], levels[4], Language.ENGLISH, shows_big_bet=False) == (
        "New blind level six: twelve, twenty-five. Big bet: fifty. The game is Texas Hold’em. "
        "In force from the next hand."
    )


@given(st.integers(1, 500), st.sampled_from([1, 5, 25]))
def test_what_stud_posts_is_paid_in_whole_chips(bet, unit):
    level = Level(id=1, small_blind=bet * unit, big_blind=2 * bet * unit)
    horse = mixed_schedule([level] * 5, Mix.HORSE, unit=unit)
    for row in horse:
        assert all(amount % unit == 0 for amount in row.amounts)
        assert row.unit == level.unit
        assert (row.ante > 0) == (row.small_bet > 0) == deals_stud(row.game)
    assert mixed_schedule(horse, Mix.HORSE, unit=unit) == horse


def test_breaks_and_chips_that_leave_stay_where_they_are():
    pause = Level(id=3, kind=LevelKind.BREAK, duration=LENGTH, colour_up=(1,))
    first = Level(id=1, duration=LENGTH, small_blind=1, big_blind=2, colour_up=(5,))
    found = mixed_schedule([first, pause], Mix.HORSE, hands=4)
    assert [row.colour_up for row in found] == [(5,), (), (), (), (), (1,)]
    assert found[-1] == pause


def test_every_game_of_a_mix_is_known_but_the_dealers_choice():
    named = {name for games in MIXES.values() for name, _limit in games}
    assert {name for name in named if game_named(name) is None} == {"Dealer’s Choice"}
    for game in KNOWN_GAMES:
        assert game_named(game.name) == game
        assert deals_stud(game.name) == (game.family is Family.STUD)
    assert [game_named(game).key for game in Game] == ["holdem", "omaha", "stud"]
    assert {limit for games in MIXES.values() for _name, limit in games} <= set(LimitKind)
