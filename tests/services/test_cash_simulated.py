"""Cash evenings, with books that are kept stack by stack."""

import pytest

from tests.evenings import cash
from tests.evenings.cash import play_cash_evening, play_points_evening
from tests.evenings.cash_deeds import play_corrected_evening
from tournaments.practice.simulation import InvariantBroken

PLAYED = [play_cash_evening, play_points_evening, play_corrected_evening]
pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.mark.evening
@pytest.mark.parametrize("play", PLAYED)
def test_a_cash_evening_with_the_simulator_s_own_books(play):
    side = play(1)
    assert side.checked >= (3 if play is play_corrected_evening else 20)
    side.chain()


def test_chips_that_the_program_lost_are_noticed(monkeypatch):
    told = cash.chips_on_table
    monkeypatch.setattr(cash, "chips_on_table", lambda table: max(0, told(table) - 1))
    with pytest.raises(InvariantBroken, match="chips on a cash table"):
        play_cash_evening(1)
