"""Deals: allowed, offered, agreed by everybody, and what is left to be played for."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.event.selectors.chips import stacks_counted
from tournaments.event.services.lifecycle import event_end
from tournaments.models import ActionText, Deal, DealAnswer, DealShare, StackCount
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.selectors.deals import (
    deal_open,
    deal_shares,
    deals_agreed,
    prizes_after_deals,
)
from tournaments.payouts.services.deals import (
    deal_allow,
    deal_answer,
    deal_offer,
    deal_withdraw,
)
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.stacks import stacks_count
from tournaments.privacy.services.privacy import person_erase

pytestmark = pytest.mark.django_db

PRIZES = [500_00, 300_00, 200_00]


@pytest.fixture
def table():
    """Three are left with 3,000 chips; a deal is allowed."""
    event = f.make_running_event(3, starting_stack=1000, fee_cents=1000)
    f.drive(deal_allow, event, 1)
    one, two, three = f.entries_of(event)
    return event, {one.pk: 1500, two.pk: 900, three.pk: 600}


def offer(event, stacks, minute=2, **own):
    own = {"way": Way.ICM, "prizes": PRIZES, **own}
    return f.drive(deal_offer, event, minute, stacks=stacks, **own)


def say(event, share, says_yes=True, minute=3, by=SYSTEM):
    return f.drive(
        deal_answer, event, minute, by=by, share=DealShare(pk=share.pk), says_yes=says_yes
    )


def agree(event, minute=3):
    for share in deal_open(event).shares:
        say(event, share, minute=minute)


def test_s14_no_deal_without_the_directors_leave_which_is_logged():
    event = f.make_running_event(2, starting_stack=1000)
    stacks = {entry.pk: 1000 for entry in f.entries_of(event)}
    with f.refused("no_leave", event):
        offer(event, stacks)
    with f.refused("not_allowed", event):
        f.drive(deal_allow, event, 1, by=f.make_arno(event))
    f.drive(deal_allow, event, 1, by=f.make_dora(event))
    f.assert_logged(event, "deal.allowed")
    with f.refused("already_allowed", event):
        f.drive(deal_allow, event, 1)
    offer(event, stacks)
    f.assert_logged(event, "deal.offered", way="icm", kept_cents=0)


def test_a_leave_on_which_an_offer_rests_is_not_taken_back(table):
    event, stacks = table
    allowed = f.last_action(event)
    offered = offer(event, stacks)
    with f.refused("needed", event):
        f.undo(event, allowed)
    f.undo(event, offered)
    assert not Deal.objects.live().exists()
    f.undo(event, allowed)
    with f.refused("no_leave", event):
        offer(event, stacks)


def test_all_say_yes_and_it_is_agreed_whatever_place_comes(table):
    event, stacks = table
    offer(event, stacks, kept=50_00, way=Way.CHIPS)
    deal = deal_open(event)
    assert sum(share.cents for share in deal.shares) == 950_00
    assert stacks_counted(event) == stacks
    for share in deal.shares[:-1]:
        say(event, share)
        assert not deals_agreed(event)
        assert deal_shares(event) == {}
    assert prizes_after_deals(event) is None
    last = say(event, deal.shares[-1])
    assert last.payload["outcome"] == "agreed"
    assert deal_shares(event) == {share.entry: share.cents for share in deal.shares}
    assert prizes_after_deals(event) == (50_00, 0, 0)
    f.drive(entries_eliminate, event, 5, entries=[f.entries_of(event)[0]])
    assert len(deals_agreed(event)) == 1
    assert deal_shares(event) == {share.entry: share.cents for share in deal.shares}


def test_a_no_a_change_of_mind_and_a_deal_undone(table):
    event, stacks = table
    offer(event, stacks)
    one, two, three = deal_open(event).shares
    say(event, one)
    say(event, two, says_yes=False)
    assert f.last_action(event).payload["outcome"] == "no"
    say(event, three)
    assert deal_open(event).is_declined
    with f.refused("nothing", event):
        say(event, two, says_yes=False)
    last = say(event, two)
    assert deals_agreed(event)
    with f.refused("gone", event):
        say(event, one, says_yes=False)
    f.undo(event, last)
    assert deal_open(event).yes == 2
    assert deal_shares(event) == {}
    say(event, two, minute=95)
    f.drive(deal_withdraw, event, 96, deal=Deal(pk=deals_agreed(event)[0].pk))
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
    with f.refused("nothing", event):
        offer(event, stacks, minute=4)
    offer(event, stacks, minute=4, way=Way.EVEN)
    assert deal_open(event).yes == 0
    with f.refused("gone", event):
        say(event, first[1], minute=5)


def test_amounts_of_their_own(table):
    event, stacks = table
    one, two, three = stacks
    own = {one: 450_00, two: 320_00, three: 230_00}
    with f.refused("own_sum", event):
        offer(event, stacks, way=Way.OWN, own=own | {one: 449_99})
    offer(event, stacks, way=Way.OWN, own=own)
    assert {share.entry: share.cents for share in deal_open(event).shares} == own


def test_stacks_that_do_not_sum_name_the_difference(table):
    event, stacks = table
    one = next(iter(stacks))
    with f.refused("chips_differ", event) as caught:
        offer(event, stacks | {one: 1400})
    assert "2.900" in str(caught.value)
    assert "3.000" in str(caught.value)
    assert not StackCount.objects.live().exists()
    with f.refused("bad_stack", event):
        offer(event, stacks | {one: 0})
    with f.refused("not_everybody", event):
        offer(event, {entry: chips for entry, chips in stacks.items() if entry != one})
    for bad, code in (([], "no_prizes"), ([1, 2], "rising")):
        with f.refused(code, event):
            offer(event, stacks, prizes=bad)
    with f.refused("kept", event):
        offer(event, stacks, kept=1000_00)


def test_a_player_out_after_the_deal_was_offered_makes_it_void(table):
    event, stacks = table
    offer(event, stacks)
    shares = deal_open(event).shares
    f.drive(entries_eliminate, event, 4, entries=[f.entries_of(event)[2]])
    with f.refused("stale", event) as caught:
        say(event, shares[0], minute=5)
    assert "Spieler 003" in str(caught.value)
    assert deal_shares(event) == {}
    two = {entry.pk: 1500 for entry in f.entries_of(event)[:2]}
    offer(event, two, minute=6, prizes=PRIZES[:2])
    agree(event, minute=7)
    assert sum(deal_shares(event).values()) == 800_00


def test_a_count_after_the_offer_asks_to_reckon_anew(table):
    event, stacks = table
    offer(event, stacks)
    one, two, _three = stacks
    f.drive(stacks_count, event, 3, stacks={one: 1400, two: 1000})
    with f.refused("stale", event):
        say(event, deal_open(event).shares[0], minute=4)
    offer(event, stacks, minute=5)
    agree(event, minute=6)
    assert sum(deal_shares(event).values()) == 1000_00


def test_it_goes_on_and_what_is_left_is_shared_by_a_second_deal(table):
    event, stacks = table
    offer(event, stacks, kept=100_00)
    agree(event)
    first = deal_shares(event)
    f.drive(entries_eliminate, event, 5, entries=[f.entries_of(event)[2]])
    two = {entry.pk: 1500 for entry in f.entries_of(event)[:2]}
    with f.refused("other_prizes", event):
        offer(event, two, minute=6)
    offer(event, two, minute=6, prizes=[100_00], way=Way.EVEN)
    agree(event, minute=7)
    both = deal_shares(event)
    assert sum(both.values()) == sum(PRIZES)
    assert {entry: both[entry] - first[entry] for entry in two} == dict.fromkeys(two, 50_00)
    with f.refused("nothing_left", event):
        offer(event, two, minute=8, prizes=[10_00])
    with f.refused("gone", event):
        f.drive(deal_withdraw, event, 8, deal=Deal(pk=deals_agreed(event)[0].pk))


def test_players_answer_for_themselves_alone_and_arbiters_for_all(table):
    event, stacks = table
    offer(event, stacks)
    one, two, three = deal_open(event).shares
    rows = {entry.pk: entry.registration for entry in f.entries_of(event)}
    with f.refused("not_own", event):
        say(event, two, by=f.petra_of(rows[one.entry]))
    say(event, one, by=f.petra_of(rows[one.entry]))
    say(event, two, by=f.make_arno(event))
    with f.refused("not_allowed", event):
        say(event, three, by=f.make_desk(event))
    with f.refused("not_allowed", event):
        say(event, three, by=f.ZENO)


def test_counted_stacks_rank_nobody_until_they_are_counted_at_the_end(table):
    event, stacks = table
    f.drive(stacks_count, event, 2, by=f.make_arno(event), stacks=stacks)
    f.assert_logged(event, "stacks.counted", stacks=[[k, v] for k, v in sorted(stacks.items())])
    with f.refused("nothing", event):
        f.drive(stacks_count, event, 3, stacks=stacks)
    with f.refused("chips_differ", event):
        f.drive(stacks_count, event, 3, stacks={next(iter(stacks)): 5})
    for bad, code in (
        ({}, "nobody"),
        ({-1: 5}, "not_alive"),
        ({next(iter(stacks)): 0}, "bad_stack"),
    ):
        with f.refused(code, event):
            f.drive(stacks_count, event, 3, stacks=bad)
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
    f.drive(deal_withdraw, event, 5, deal=Deal(pk=deals_agreed(event)[0].pk))
    person = f.entries_of(event)[0].registration.person
    name = person.name
    told = ActionText.objects.filter(action__event=event, action__kind__startswith="deal.")
    assert any(name in str(row.data) for row in told)
    f.drive(event_end, event, 6)
    call_service(person_erase, club=event.club, by=SYSTEM, at=f.after(60 * 24 * 90), person=person)
    assert not any(name in str(row.data) for row in told.all())
