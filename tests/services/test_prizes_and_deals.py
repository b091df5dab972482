"""A deal of planned prizes: shared is what is left of them, and each is paid what follows."""

import pytest

from tests import factories as f
from tests.services.test_deals import agree, offer
from tests.services.test_prizes import pay, planned, played
from tournaments.changes.access import SYSTEM
from tournaments.event.services.lifecycle import event_end
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.selectors.prizes import debts, payouts, prizes_given, prizes_left
from tournaments.payouts.services.deals import deal_allow, deal_withdraw
from tournaments.payouts.services.prizes import prizes_freeze

pytestmark = pytest.mark.django_db


@pytest.fixture
def three():
    """Three of ten are left; 50, 30 and 20 euros are fixed; a deal is allowed."""
    event, by_place = played(planned(10, starting_stack=300), last=3)
    f.drive(deal_allow, event, 40)
    left = sorted(by_place[:3], key=lambda entry: entry.pk)
    return f.fresh(event), {left[0].pk: 1500, left[1].pk: 900, left[2].pk: 600}


def due(event):
    event = f.fresh(event)
    return {row.registration: row.prize for row in payouts(event)}


def test_prizes_are_fixed_before_they_are_shared(three):
    event, stacks = three
    with f.refused("not_frozen", event):
        offer(event, stacks, minute=41, prizes=[5000, 3000, 2000])
    f.drive(prizes_freeze, event, 42)
    with f.refused("other_prizes", event):
        offer(event, stacks, minute=43, prizes=[6000, 3000, 1000])
    assert prizes_left(f.fresh(event)) == [5000, 3000, 2000]


def test_what_was_agreed_is_what_is_paid_and_the_pool_is_used_up(three):
    event, stacks = three
    f.drive(prizes_freeze, event, 42)
    offer(event, stacks, minute=43, prizes=[5000, 3000, 2000], kept=1000, way=Way.EVEN)
    agree(f.fresh(event), minute=44)
    event = f.fresh(event)
    assert prizes_left(event) == [1000]
    assert sorted(due(event).values()) == [3000, 3000, 3000]
    order = [entry for entry in f.entries_of(event) if entry.pk in stacks]
    f.out(event, order[0], at=f.after(50))
    f.out(event, order[1], at=f.after(51))
    event = f.fresh(event)
    assert prizes_given(event).prizes[order[2].pk] == 4000
    assert sum(due(event).values()) == 10_000
    f.drive(event_end, event, 60)
    for entry in order:
        pay(event, entry, due(event)[entry.registration_id], minute=70)
    assert account_cents(event, Account.POOL, Account.FEES, Account.PRIZES) == 0


def test_a_deal_called_off_after_a_prize_was_paid_leaves_a_debt(three):
    event, stacks = three
    f.drive(prizes_freeze, event, 42)
    offer(event, stacks, minute=43, prizes=[5000, 3000, 2000], way=Way.EVEN)
    agree(f.fresh(event), minute=44)
    event = f.fresh(event)
    order = [entry for entry in f.entries_of(event) if entry.pk in stacks]
    f.out(event, order[2], at=f.after(50))
    share = due(event)[order[2].registration_id]
    assert share > 2000
    pay(event, order[2], share, minute=51)
    deal = f.fresh(event).deals.live().get()
    f.drive(deal_withdraw, event, 52, by=SYSTEM, deal=deal)
    event = f.fresh(event)
    assert [(row.registration, row.owed_back) for row in debts(event)] == [
        (order[2].registration_id, share - 2000)
    ]
