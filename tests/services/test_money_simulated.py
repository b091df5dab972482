"""Evenings of bounties and deals, played with books that are kept by the rule's text."""

from random import Random

import pytest

from tests import factories as f
from tournaments.money.domain import bounties
from tournaments.practice.simulation import InvariantBroken, Plan
from tournaments.practice.simulation.beside import buy_again
from tournaments.practice.simulation.checks import Checker
from tournaments.practice.simulation.evening import Evening
from tournaments.practice.simulation.money.bounties import play_bounties
from tournaments.practice.simulation.money.deals import play_deals

pytestmark = pytest.mark.django_db


def an_evening(seed):
    event = f.make_event()
    checker = Checker(event, event.rule_set.balancing_tolerance)
    plan = Plan(entries=3, seed=seed, begins_at=f.ARRIVAL)
    return Evening(plan=plan, rng=Random(seed), event=event, checker=checker, now=f.START)


@pytest.mark.evening
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.postgres), 1, 2])
def test_bounties_of_every_kind_to_the_last_cent(seed):
    sides = play_bounties(an_evening(seed))
    assert len(sides) == 3
    assert all(side.checker.checked > 10 for side in sides)
    for side in sides:
        side.checker.chain()


@pytest.mark.postgres
def test_a_deal_and_another_on_what_was_left():
    side = play_deals(an_evening(1))
    assert side.checker.checked > 10
    side.checker.chain()


def test_a_lost_cent_is_noticed(monkeypatch):
    def careless(cents, among):
        return dict.fromkeys(among, cents // len(among))

    monkeypatch.setattr(bounties, "shared", careless)
    with pytest.raises(InvariantBroken):
        play_bounties(an_evening(1))


def test_re_buys_among_heads_that_grow():
    side = buy_again(an_evening(1))
    assert side.checker.checked > 30
    side.checker.chain()
