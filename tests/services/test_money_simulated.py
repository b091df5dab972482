"""Evenings of bounties and deals, played with books that are kept by the rule's text."""

import pytest

from tests.evenings.bounties import play_bounties
from tests.evenings.deals import play_deals
from tournaments.payouts.domain import bounties
from tournaments.practice.simulation import InvariantBroken

pytestmark = pytest.mark.django_db


@pytest.mark.evening
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.postgres), 1])
def test_bounties_of_every_kind_to_the_last_cent(seed):
    sides = play_bounties(seed)
    assert len(sides) == 3
    assert all(side.checked > 10 for side in sides)
    for side in sides:
        side.chain()


@pytest.mark.postgres
def test_a_deal_and_another_on_what_was_left():
    side = play_deals(1)
    assert side.checked > 10
    side.chain()


def test_a_lost_cent_is_noticed(monkeypatch):
    def careless(cents, among):
        return dict.fromkeys(among, cents // len(among))

    monkeypatch.setattr(bounties, "shared", careless)
    with pytest.raises(InvariantBroken):
        play_bounties(1)
