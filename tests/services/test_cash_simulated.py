"""Cash evenings that the simulator plays, with books that are kept stack by stack."""

import pytest

from tests.services.test_money_simulated import an_evening
from tournaments.practice.simulation import InvariantBroken
from tournaments.practice.simulation.cash import evening as cash_evening
from tournaments.practice.simulation.cash.evening import play_cash_evening
from tournaments.practice.simulation.cash.points import play_points_evening

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.mark.evening
@pytest.mark.parametrize("play", [play_cash_evening, play_points_evening])
def test_a_cash_evening_with_the_simulator_s_own_books(play):
    side = play(an_evening(1))
    assert side.checker.checked > 20
    side.checker.chain()


def test_chips_that_the_program_lost_are_noticed(monkeypatch):
    told = cash_evening.chips_on_table
    monkeypatch.setattr(cash_evening, "chips_on_table", lambda table: max(0, told(table) - 1))
    with pytest.raises(InvariantBroken, match="chips on a cash table"):
        play_cash_evening(an_evening(1))
