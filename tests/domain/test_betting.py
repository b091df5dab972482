import pytest

from tournaments.event.domain.games import Game, LimitKind, seat_limit, shows_big_bet


@pytest.mark.parametrize(
    ("limit", "shown"),
    [("no_limit", False), ("pot_limit", False), ("split_limit", True), ("spread_limit", False)],
)
def test_steffen_the_big_bet_belongs_to_split_limit(limit, shown):
    assert shows_big_bet(LimitKind(limit)) is shown


@pytest.mark.parametrize(("game", "most"), [("holdem", 10), ("omaha", 10), ("stud", 8)])
def test_krru_3_0_and_stud_seats_at_a_table(game, most):
    assert seat_limit(Game(game)) == most
