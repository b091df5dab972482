"""A schedule whose end is that of the forecast: near the wish, or a reason."""

from dataclasses import replace

import pytest

from tournaments.event.domain.planning.planner import CannotBeHad, Wish
from tournaments.forecast.domain.end import end_foreseen, evening_foreseen, plain_length

CASE = {25: 400, 100: 400, 500: 200, 1000: 200, 5000: 100}
WISH = Wish(players=20, stack=5000, minutes=270, break_every=4)


@pytest.mark.parametrize(("players", "minutes"), [(8, 210), (20, 270), (60, 300)])
def test_the_forecast_of_the_plan_says_the_wished_end(players, minutes):
    wish = replace(WISH, players=players, minutes=minutes)
    found = evening_foreseen(wish, CASE)
    assert found.end == end_foreseen(found.evening.levels, wish)
    assert abs(found.end.minutes - minutes) <= 10
    assert found.end.low < found.end.minutes < found.end.high


def test_a_club_that_plays_slowly_gets_a_quicker_schedule():
    usual, slow = (evening_foreseen(WISH, CASE, pace).evening.levels for pace in (1.0, 0.8))
    assert slow[11].big_blind > usual[11].big_blind


def test_amounts_that_are_not_plain_are_taken_only_where_the_others_do_not_do():
    wish = replace(WISH, players=8, level_minutes=15, percent=140)
    odd = evening_foreseen(wish, CASE)
    assert not odd.evening.is_plain
    assert abs(odd.end.minutes - wish.minutes) <= 10
    minutes = plain_length(wish, CASE)
    assert evening_foreseen(replace(wish, level_minutes=minutes), CASE).evening.is_plain


@pytest.mark.parametrize(
    ("own", "code", "minutes"),
    [
        ({"minutes": 150, "players": 20}, "too_steep", 12),
        ({"minutes": 330, "players": 8, "percent": 140}, "too_slow", None),
        ({"players": 1}, "no_play", None),
        ({"stack": 10_010}, "no_stack", None),
    ],
)
def test_what_cannot_be_had_says_why_and_with_which_levels_it_could(own, code, minutes):
    wish = replace(WISH, **own)
    with pytest.raises(CannotBeHad, match=code):
        evening_foreseen(wish, CASE)
    assert plain_length(wish, CASE) == minutes
