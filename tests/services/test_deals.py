"""Deals: allowed, offered, agreed by everybody, and what is left to be played for."""

import pytest

from tests import factories as f
from tests.buying import debts
from tests.calling import call_service
from tests.services.test_prizes import pay, planned, played
from tournaments.changes.access import SYSTEM
from tournaments.event.selectors.chips import stacks_counted
from tournaments.event.services.lifecycle import event_end
from tournaments.models import ActionText, Deal, DealAnswer, DealShare
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.selectors.deals import (
    deal_open,
    deal_shares,
    deals_agreed,
    prizes_after_deals,
)
from tournaments.payouts.selectors.prizes import payouts, prizes_given, prizes_left
from tournaments.payouts.services.deals import deal_allow, deal_answer, deal_offer, deal_withdraw
from tournaments.payouts.services.prizes import prizes_freeze
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.stacks import stacks_count
from tournaments.privacy.services.privacy import person_erase

pytestmark = pytest.mark.django_db

PRIZES = [500_00, 300_00, 200_00]
PLANNED = [5000, 3000, 2000]


@pytest.fixture
def table():
    """Three are left with 3,000 chips; a deal is allowed."""
    event = f.make_running_event(3, starting_stack=1000, fee_cents=1000)
    f.drive(deal_allow, event, 1)
    return event, dict(zip([one.pk for one in f.entries_of(event)], (1500, 900, 600), strict=True))


def offer(event, stacks, minute=2, **own):
    own = {"way": Way.ICM, "prizes": PRIZES, **own}
    return f.drive(deal_offer, event, minute, stacks=stacks, **own)


def say(event, share, says_yes=True, minute=3, by=SYSTEM):
    own = {"share": DealShare(pk=share.pk), "says_yes": says_yes}
    return f.drive(deal_answer, event, minute, by=by, **own)


def agree(event, minute=3):
    for share in deal_open(event).shares:
        say(event, share, minute=minute)


def withdraw(event, minute):
    return f.drive(deal_withdraw, event, minute, deal=Deal(pk=deals_agreed(event)[0].pk))


def test_s14_no_deal_without_the_directors_leave_which_is_logged():
    event = f.make_running_event(2, starting_stack=1000)
    stacks = {entry.pk: 1000 for entry in f.entries_of(event)}
    f.refuses("no_leave", offer, event, stacks)
    f.refuses("not_allowed", deal_allow, event, 1, by=f.make_arno(event))
    allowed = f.drive(deal_allow, event, 1, by=f.make_dora(event))
    f.assert_logged(event, "deal.allowed")
    f.refuses("already_allowed", deal_allow, event, 1)
    offered = offer(event, stacks)
    f.assert_logged(event, "deal.offered", way="icm", kept_cents=0)
    f.refuses("needed", f.undo, event, allowed)
    f.undo(event, offered)
    assert not Deal.objects.live().exists()
    f.undo(event, allowed)
    f.refuses("no_leave", offer, event, stacks)


def test_all_say_yes_and_it_is_agreed_whatever_place_comes(table):
    event, stacks = table
    offer(event, stacks, kept=50_00, way=Way.CHIPS)
    deal = deal_open(event)
    found = {share.entry: share.cents for share in deal.shares}
    assert sum(found.values()) == 950_00
    assert stacks_counted(event) == stacks
    for share in deal.shares[:-1]:
        say(event, share)
        assert (deals_agreed(event), deal_shares(event)) == ([], {})
    assert prizes_after_deals(event) is None
    assert say(event, deal.shares[-1]).payload["outcome"] == "agreed"
    assert deal_shares(event) == found
    assert prizes_after_deals(event) == (50_00, 0, 0)
    f.drive(entries_eliminate, event, 5, entries=[f.entries_of(event)[0]])
    assert len(deals_agreed(event)) == 1
    assert deal_shares(event) == found


def test_a_no_a_change_of_mind_and_a_deal_undone(table):
    event, stacks = table
    offer(event, stacks)
    one, two, three = deal_open(event).shares
    say(event, one)
    say(event, two, says_yes=False)
    assert f.last_action(event).payload["outcome"] == "no"
    say(event, three)
    assert deal_open(event).is_declined
    f.refuses("nothing", say, event, two, says_yes=False)
    last = say(event, two)
    assert deals_agreed(event)
    f.refuses("gone", say, event, one, says_yes=False)
    f.undo(event, last)
    assert deal_open(event).yes == 2
    assert deal_shares(event) == {}
    say(event, two, minute=95)
    withdraw(event, 96)
    f.assert_logged(event, "deal.withdrawn", outcome="agreed")
    assert deal_shares(event) == {}
    assert not DealAnswer.objects.live().exists()
    f.undo(event, at=f.after(97))
    assert deals_agreed(event)


def test_other_figures_ask_everybody_anew(table):
    event, stacks = table
    offer(event, stacks)
    first = deal_open(event).shares
    say(event, first[0])
    f.refuses("nothing", offer, event, stacks, minute=4)
    own = dict(zip(stacks, (450_00, 320_00, 230_00), strict=True))
    offer(event, stacks, minute=4, way=Way.OWN, own=own)
    assert {share.entry: share.cents for share in deal_open(event).shares} == own
    assert deal_open(event).yes == 0
    f.refuses("gone", say, event, first[1], minute=5)


def test_a_deal_that_cannot_be_is_not_offered(table):
    event, stacks = table
    for own, code in (
        ({"prizes": []}, "no_prizes"),
        ({"way": Way.OWN, "own": (449_99, 320_00, 230_00)}, "own_sum"),
        ({"stacks": (0, 900, 600)}, "bad_stack"),
        ({"stacks": (900, 600)}, "not_everybody"),
        ({"stacks": (1400, 900, 600)}, "chips_differ"),
    ):
        by_entry = {
            name: dict(zip(stacks, own[name], strict=False))
            for name in own.keys() & {"own", "stacks"}
        }
        f.refuses(code, offer, event, **{"stacks": stacks, **own, **by_entry})


def test_who_went_out_or_was_counted_after_the_offer_makes_it_void(table):
    event, stacks = table
    offer(event, stacks)
    one, two, _three = stacks
    f.drive(stacks_count, event, 3, stacks={one: 1400, two: 1000})
    f.refuses("stale", say, event, deal_open(event).shares[0], minute=4)
    offer(event, stacks, minute=5)
    shares = deal_open(event).shares
    f.drive(entries_eliminate, event, 6, entries=[f.entries_of(event)[2]])
    assert "Spieler 003" in f.refuses("stale", say, event, shares[0], minute=7)
    assert deal_shares(event) == {}
    offer(event, {one: 1500, two: 1500}, minute=8, prizes=PRIZES[:2], kept=100_00)
    agree(event, minute=9)
    assert sum(deal_shares(event).values()) == 700_00
    # What is left is shared by a second deal; the first cannot be called off then.
    offer(event, {one: 1500, two: 1500}, minute=10, prizes=[100_00], way=Way.EVEN)
    agree(event, minute=11)
    assert sum(deal_shares(event).values()) == 800_00
    f.refuses("gone", withdraw, event, 12)


def test_counted_stacks_rank_nobody_until_they_are_counted_at_the_end(table):
    event, stacks = table
    f.drive(stacks_count, event, 2, by=f.make_arno(event), stacks=stacks)
    f.assert_logged(event, "stacks.counted", stacks=[[k, v] for k, v in sorted(stacks.items())])
    f.refuses("nothing", stacks_count, event, 3, stacks=stacks)
    f.refuses("chips_differ", stacks_count, event, 3, stacks={next(iter(stacks)): 5})
    for bad, code in (
        ({}, "nobody"),
        ({-1: 5}, "not_alive"),
        ({next(iter(stacks)): 0}, "bad_stack"),
    ):
        f.refuses(code, stacks_count, event, 3, stacks=bad)
    f.drive(event_end, event, 4)
    assert set(places_of(f.fresh(event)).values()) == {1}
    f.undo(event, at=f.after(5))
    other = dict(zip(stacks, (600, 900, 1500), strict=True))
    f.drive(event_end, event, 6, stacks=other)
    assert places_of(f.fresh(event)) == dict(zip(stacks, (3, 2, 1), strict=True))
    f.undo(event, at=f.after(7))
    assert stacks_counted(event) == stacks


def test_whoever_is_erased_stands_in_no_text_of_a_deal(table):
    event, stacks = table
    offer(event, stacks)
    agree(event)
    withdraw(event, 5)
    person = f.entries_of(event)[0].registration.person
    name = person.name
    told = ActionText.objects.filter(action__event=event, action__kind__startswith="deal.")
    assert any(name in str(row.data) for row in told)
    f.drive(event_end, event, 6)
    call_service(person_erase, club=event.club, by=SYSTEM, at=f.after(60 * 24 * 90), person=person)
    assert not any(name in str(row.data) for row in told.all())


# A deal of planned prizes: shared is what is left of them, and each is paid what follows


@pytest.fixture
def three():
    """Three of ten are left; 50, 30 and 20 euros are planned; a deal is allowed."""
    event, by_place = played(planned(10, starting_stack=300), last=3)
    f.drive(deal_allow, event, 40)
    left = sorted(by_place[:3], key=lambda entry: entry.pk)
    return f.fresh(event), left, {left[0].pk: 1500, left[1].pk: 900, left[2].pk: 600}


def due(event):
    return {row.registration: row.prize for row in payouts(f.fresh(event))}


def test_what_was_agreed_is_what_is_paid_and_the_pool_is_used_up(three):
    event, left, stacks = three
    f.refuses("not_frozen", offer, event, stacks, minute=41, prizes=PLANNED)
    f.drive(prizes_freeze, event, 42)
    f.refuses("other_prizes", offer, event, stacks, minute=43, prizes=[6000, 3000, 1000])
    assert prizes_left(f.fresh(event)) == PLANNED
    offer(event, stacks, minute=43, prizes=PLANNED, kept=1000, way=Way.EVEN)
    agree(f.fresh(event), minute=44)
    assert prizes_left(f.fresh(event)) == [1000]
    assert sorted(due(event).values()) == [3000, 3000, 3000]
    f.out(event, left[0], at=f.after(50))
    f.out(event, left[1], at=f.after(51))
    assert prizes_given(f.fresh(event)).prizes[left[2].pk] == 4000
    assert sum(due(event).values()) == 10_000
    f.drive(event_end, event, 60)
    for entry in left:
        pay(event, entry, due(event)[entry.registration_id], minute=70)
    assert account_cents(event, Account.POOL, Account.FEES, Account.PRIZES) == 0


def test_a_deal_called_off_after_a_prize_was_paid_leaves_a_debt(three):
    event, left, stacks = three
    f.drive(prizes_freeze, event, 42)
    offer(event, stacks, minute=43, prizes=PLANNED, way=Way.EVEN)
    agree(f.fresh(event), minute=44)
    f.out(event, left[2], at=f.after(50))
    share = due(event)[left[2].registration_id]
    assert share > 2000
    pay(event, left[2], share, minute=51)
    withdraw(event, 52)
    rows = [(row.registration, row.owed_back) for row in debts(f.fresh(event))]
    assert rows == [(left[2].registration_id, share - 2000)]
