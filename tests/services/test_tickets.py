"""Tickets: won in a satellite, redeemed once as payment elsewhere; money is exact at both."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import Sum

from tests import factories as f
from tests.calling import call_service
from tests.costs import statements
from tests.flights import add, make_contest
from tournaments.changes.access import SYSTEM
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.selectors.labels import money
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Posting, Receipt, Ticket, TicketUse
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.domain.tickets import ANY_EVENT, Rest
from tournaments.money.selectors.journal import open_cents
from tournaments.money.selectors.tickets import ticket_lines, ticket_sums, tickets_for, tickets_of
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.money.services.tickets import ticket_redeem
from tournaments.papers.selectors.papers import evening_report
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.people.services.members import people_merge
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.prizes.selectors.plans import prize_pool

pytestmark = pytest.mark.django_db
CASES = Path(__file__).parents[1] / "cases" / "field"
WORTH = 25_000
DAY = f.ARRIVAL.date()


def target(**settings):
    """Return an event of 250 for the pool and 25 for the house."""
    parts = {"fee_cents": 27_500, "fee_parts": [["house", 2_500, ""]]}
    return f.make_event(name="Main Event", **parts | settings)


def won(serves, **terms):
    """Play a satellite of ten for two seats to its end; return it and the tickets given."""
    event = f.make_running_event(10, name="Satellit", fee_cents=5_000)
    plan = PrizePlan(
        way=Way.SEATS, seat_cents=WORTH, seats_for=serves.pk if serves else ANY_EVENT, **terms
    )
    f.drive(prizes_plan, event, 1, plan=plan)
    players = f.entries_of(event)
    for entry in players:
        f.drive(fee_pay, event, 2, registration=entry.registration)
    for minute, entry in enumerate(players[2:], 10):
        f.out(event, entry, at=f.after(minute))
    f.drive(prizes_freeze, event, 30)
    f.drive(event_end, event, 31)
    for entry in players[:2]:
        f.drive(payout_pay, event, 32, registration=entry.registration)
    return f.fresh(event), list(Ticket.objects.live().filter(event=event).order_by("pk"))


def here(event, ticket):
    """Register the winner of a ticket at an event."""
    return f.register(event, ticket.registration.person.name)


def redeem(event, row, ticket, minute=40):
    return f.drive(ticket_redeem, event, minute, registration=row, ticket=ticket)


def postings(action):
    rows = Posting.objects.filter(made_by=action).order_by("pk")
    return [(row.account, row.means, row.amount_cents) for row in rows]


def test_sat_ticket_pays():
    case = json.loads((CASES / "sat-ticket-pays.json").read_text("utf-8"))
    assert case["given"]["worth"] * 100 == WORTH
    expect, event = case["expect"], target()
    _satellite, (ticket, _other) = won(event)
    row = here(event, ticket)
    first = redeem(event, row, ticket)
    refusal = f.refuses("ticket_used", ticket_redeem, event, 41, registration=row, ticket=ticket)
    assert row.person.name in refusal
    assert "20.11.2026" in refusal
    f.undo(event, first, at=f.after(42))
    again = redeem(event, row, ticket, 43)
    assert open_cents(row) == expect["still_to_pay"] * 100
    paid = f.drive(fee_pay, event, 44, registration=row)
    names = {"tickets owed": ("cash", "ticket"), "prize pool of target": ("pool", ""),
             "cash": ("cash", "cash"), "house": ("house", "")}  # fmt: skip
    wanted = [(*names[name], abs(cents) * 100) for name, cents in expect["postings"]]
    found = [
        (account, means, abs(cents)) for account, means, cents in postings(again) + postings(paid)
    ]
    assert sorted(found) == sorted(wanted)


def test_money_leaves_one_evening_and_enters_the_other():
    event = target()
    satellite, tickets = won(event)
    for number, ticket in enumerate(tickets):
        redeem(event, here(event, ticket), ticket, 40 + number)
    for one in (satellite, event):
        rows = Posting.objects.live().filter(event=one)
        assert rows.aggregate(sum=Sum("amount_cents"))["sum"] == 0
    given = -sum(row.amount_cents for row in Posting.objects.live().filter(account=Account.SEATS))
    taken = Posting.objects.live().filter(event=event, means=Means.TICKET)
    assert given == sum(row.amount_cents for row in taken) == 2 * WORTH
    # The pool that paid for the seats is empty, the other is filled, and no cash moved for either.
    assert evening_report(satellite).to_pay_out == 0
    assert dict(evening_report(f.fresh(event)).by_means) == {"Ticket": 2 * WORTH}
    sums = ticket_sums(event.club_id, DAY)
    assert (sums.given, sums.redeemed, sums.open, sums.gone) == (2 * WORTH, 2 * WORTH, 0, 0)


def test_a_receipt_says_ticket_and_an_undo_counters_it():
    event = target()
    _satellite, (ticket, _other) = won(event)
    action = redeem(event, here(event, ticket), ticket)
    f.undo(event, action, at=f.after(41))
    first, counter = Receipt.objects.filter(event=event).order_by("pk")
    assert (first.means, first.cents) == (Means.TICKET, WORTH)
    assert (counter.counters, counter.cents) == (first, -WORTH)


def test_the_seat_is_taken_back_only_after_its_ticket():
    event = target()
    satellite, (ticket, _other) = won(event)
    use = redeem(event, here(event, ticket), ticket)
    with f.refused("needed", satellite) as caught:
        f.undo(satellite, ticket.made_by, at=f.after(50))
    assert "Main Event" in str(caught.value)
    assert ticket.name in str(caught.value)
    f.undo(event, use, at=f.after(51))
    gone = f.undo(satellite, ticket.made_by, at=f.after(52))
    assert not Ticket.objects.live().filter(pk=ticket.pk).exists()
    f.undo(satellite, gone, at=f.after(53))
    assert Ticket.objects.live().filter(pk=ticket.pk).exists()


def test_a_redemption_is_not_brought_back_over_another():
    event, other = target(), target()
    _satellite, (ticket, _other) = won(None)
    first = redeem(event, here(event, ticket), ticket)
    taken_back = f.undo(event, first, at=f.after(41))
    redeem(other, here(other, ticket), ticket, 42)
    f.refuses("needed", f.undo, event, taken_back, at=f.after(43))
    assert TicketUse.objects.live().count() == 1


@pytest.mark.parametrize(
    ("way", "left", "given"), [(Rest.TICKET, 15_000, 0), (Rest.LOST, 0, 0), (Rest.POOL, 0, 15_000)]
)
def test_a_ticket_above_the_price_keeps_its_rest_by_the_plan(way, left, given):
    event = target(fee_cents=10_000, fee_parts=[])
    _satellite, (ticket, _other) = won(None, tickets_rest=way)
    row = here(event, ticket)
    action = redeem(event, row, ticket)
    rests = list(Ticket.objects.live().filter(made_by=action))
    assert sum(one.worth_cents for one in rests) == left
    assert open_cents(row) == 0
    sums = ticket_sums(event.club_id, DAY)
    assert (sums.given, sums.redeemed) == (2 * WORTH, 10_000 + given)
    assert (sums.open, sums.lost) == (WORTH + left, WORTH - 10_000 - left - given)
    assert prize_pool(event).cents == 10_000 + given
    assert dict(evening_report(event).by_means)["Ticket"] == 10_000 + given
    assert sum(amount for *_side, amount in postings(action)) == 0
    if way is not Rest.TICKET:
        f.undo(event, action, at=f.after(50))
        assert prize_pool(f.fresh(event)).cents == 0
        assert len(tickets_for(row, f.after(51))) == 1
    else:
        second = target(fee_cents=10_000, fee_parts=[])
        redeem(second, here(second, ticket), rests[0], 45)
        f.refuses("needed", f.undo, event, action, at=f.after(50))


def test_an_expired_ticket_pays_no_more():
    event = target()
    last = f.after(40).date()
    _satellite, (ticket, other) = won(event, tickets_until=last.isoformat())
    redeem(event, here(event, ticket), ticket)
    late = target(starts_at=f.START + timedelta(days=2))
    row = here(event, other)
    refusal = f.refuses(
        "ticket_expired", ticket_redeem, event, 1800, registration=row, ticket=other
    )
    assert f"{last:%d.%m.%Y}" in refusal
    assert not tickets_for(here(late, other), f.after(60 * 30))
    sums = ticket_sums(event.club_id, last + timedelta(days=1))
    assert (sums.open, sums.expired) == (0, WORTH)


def test_a_ticket_is_of_one_person_and_for_one_event():
    event, elsewhere = target(), target()
    _satellite, (ticket, other) = won(event)
    row = here(event, ticket)
    f.refuses("ticket_of_another", ticket_redeem, event, 40, registration=row, ticket=other)
    row_there = here(elsewhere, ticket)
    f.refuses(
        "ticket_elsewhere", ticket_redeem, elsewhere, 40, registration=row_there, ticket=ticket
    )
    f.refuses("gone", ticket_redeem, event, 40, registration=row, ticket=Ticket(pk=0))
    f.drive(fee_pay, event, 40, registration=row)
    f.refuses("already_paid", ticket_redeem, event, 50, registration=row, ticket=ticket)
    f.undo(event, at=f.after(41))
    f.drive(registration_withdraw, event, 42, registration=row)
    f.refuses("already_paid", ticket_redeem, event, 50, registration=row, ticket=ticket)


def test_a_ticket_for_one_flight_pays_in_the_others_of_its_day():
    contest, first, second = make_contest(), target(), target()
    final = target(late_registration_level=2)  # else only bags come to a further day
    add(contest, first, "1A")
    add(contest, second, "1B")
    add(contest, final, "Tag 2", order=2)
    _satellite, (ticket, other) = won(first)
    redeem(second, here(second, ticket), ticket)
    row = here(final, other)
    f.refuses("ticket_elsewhere", ticket_redeem, final, 40, registration=row, ticket=other)


def test_money_of_a_ticket_goes_back_as_a_ticket():
    event = target()
    _satellite, (ticket, _other) = won(event)
    row = here(event, ticket)
    use = redeem(event, row, ticket)
    f.refuses("paid_by_ticket", fee_refund, event, 41, registration=row)
    f.drive(fee_pay, event, 42, registration=row)
    f.drive(fee_refund, event, 43, registration=row, amount_cents=2_500)
    f.undo(event, use, at=f.after(44))
    assert tickets_for(row, f.after(45)) == [ticket]


def test_a_ticket_follows_its_person_through_a_merge():
    event = target()
    _satellite, (ticket, _other) = won(event)
    row = f.register(event, "Petra Doppelt")
    gone = ticket.registration.person
    merge = {"gone": gone, "kept": row.person}
    call_service(people_merge, club=f.house(), by=SYSTEM, at=f.after(39), **merge)
    assert tickets_of(row.person, DAY) == [ticket]
    redeem(event, row, ticket)


def test_many_open_tickets_are_listed_in_one_statement():
    event = target()
    satellite, (ticket, _other) = won(event)
    Ticket.objects.bulk_create(
        Ticket(
            event=satellite,
            registration=ticket.registration,
            worth_cents=WORTH,
            serves=event,
            made_by=ticket.made_by,
        )
        for _number in range(50)
    )
    with statements() as asked:
        rows = ticket_lines(event.club_id, DAY)
    assert (len(rows), len(asked)) == (52, 1)
    assert {(row["who"], row["serves"], row["worth"]) for row in rows[2:]} == {
        (ticket.registration.person.name, "Main Event", money(WORTH))
    }
