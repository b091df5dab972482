"""Tickets: won in a satellite, redeemed once as payment elsewhere; money is exact at both."""

from datetime import timedelta

import pytest
from django.db.models import Sum

from tests import factories as f
from tests.bubble import count_heads
from tests.calling import call_service
from tests.costs import statements
from tests.domain.test_field_cases import case
from tests.flights import add, make_contest
from tests.prepared import prepared
from tests.pressing import shows
from tests.rooms import running_room
from tournaments.changes.access import SYSTEM
from tournaments.dashboard.selectors.due import due_items
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.selectors.event import chips_in_play, players_left
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
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.deals import deal_allow
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.people.services.members import people_merge
from tournaments.play.selectors.ranking import standings
from tournaments.play.services.bubble import hand_for_hand_begin, money_reach
from tournaments.play.services.stacks import seat_win
from tournaments.prizes.domain.payouts import prize_table
from tournaments.prizes.domain.plans import PrizePlan, Way, pool_of
from tournaments.prizes.selectors.plans import prize_pool, seats_left
from tournaments.rebuys.services.purchases import rebuy_buy
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = pytest.mark.django_db
WORTH = 25_000
DAY = f.ARRIVAL.date()


@prepared
def target(**settings):
    """Return an event of 250 for the pool and 25 for the house."""
    parts = {"fee_cents": 27_500, "fee_parts": [["house", 2_500, ""]]}
    return f.make_event(name="Main Event", **parts | settings)


@prepared
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
    given, expect = case("sat-ticket-pays")
    assert given["worth"] * 100 == WORTH
    event = target()
    _satellite, (ticket, _other) = won(event)
    row = here(event, ticket)
    first = redeem(event, row, ticket)
    refusal = f.refuses("ticket_used", redeem, event, row, ticket, 41)
    shows(refusal, row.person.name, "20.11.2026")
    f.undo(event, first, at=f.after(42))
    receipt, counter = Receipt.objects.filter(event=event).order_by("pk")
    assert (receipt.means, receipt.cents) == (Means.TICKET, WORTH)
    assert (counter.counters, counter.cents) == (receipt, -WORTH)
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


def test_the_seat_is_taken_back_only_after_its_ticket():
    event = target()
    satellite, (ticket, _other) = won(event)
    use = redeem(event, here(event, ticket), ticket)
    refusal = f.refuses("needed", f.undo, satellite, ticket.made_by, at=f.after(50))
    shows(refusal, "Main Event", ticket.name)
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
    refusal = f.refuses("ticket_expired", redeem, event, row, other, 1800)
    assert f"{last:%d.%m.%Y}" in refusal
    assert not tickets_for(here(late, other), f.after(60 * 30))
    sums = ticket_sums(event.club_id, last + timedelta(days=1))
    assert (sums.open, sums.expired) == (0, WORTH)


def test_a_ticket_is_of_one_person_and_for_one_event():
    event, elsewhere = target(), target()
    _satellite, (ticket, other) = won(event)
    row = here(event, ticket)
    f.refuses("ticket_of_another", redeem, event, row, other)
    f.refuses("ticket_elsewhere", redeem, elsewhere, here(elsewhere, ticket), ticket)
    f.refuses("gone", redeem, event, row, Ticket(pk=0))
    f.drive(fee_pay, event, 40, registration=row)
    f.refuses("already_paid", redeem, event, row, ticket, 50)
    f.undo(event, at=f.after(41))
    f.drive(registration_withdraw, event, 42, registration=row)
    f.refuses("already_paid", redeem, event, row, ticket, 50)


def test_a_ticket_for_one_flight_pays_in_the_others_of_its_day():
    contest, first, second = make_contest(), target(), target()
    final = target(late_registration_level=2)  # else only bags come to a further day
    add(contest, first, "1A")
    add(contest, second, "1B")
    add(contest, final, "Tag 2", order=2)
    _satellite, (ticket, other) = won(first)
    redeem(second, here(second, ticket), ticket)
    row = here(final, other)
    f.refuses("ticket_elsewhere", redeem, final, row, other)


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
    own = {"event": satellite, "registration": ticket.registration, "made_by": ticket.made_by}
    Ticket.objects.bulk_create(
        Ticket(worth_cents=WORTH, serves=event, **own) for _number in range(50)
    )
    with statements() as asked:
        rows = ticket_lines(event.club_id, DAY)
    assert (len(rows), len(asked)) == (52, 1)
    assert {(row["who"], row["serves"], row["worth"]) for row in rows[2:]} == {
        (ticket.registration.person.name, "Main Event", money(WORTH))
    }


# --- Satellites: seats by the pool or by guarantee, and when all who are left have one


DECIDED = "Satellit entschieden: beenden"


@prepared
def satellite(entries, to_pool, seat, *, holds_rest=False, target_stack=0, **settings):
    """Return a satellite under way in which everybody has paid."""
    event = f.make_running_event(entries, fee_cents=to_pool * 100, **settings)
    own = {"holds_rest": holds_rest, "target_stack": target_stack}
    plan = PrizePlan(way=Way.SEATS, seat_cents=seat * 100, seat_name="Main Event", **own)
    f.drive(prizes_plan, event, 1, plan=plan)
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 2, registration=entry.registration)
    return f.fresh(event)


def due(event, minute):
    event = f.fresh(event)
    advice = floor_advice(event, f.after(minute))
    return [item.title for item in due_items(event, f.after(minute), advice=advice)]


def outs_until(event, left):
    players = f.entries_of(event)
    for minute, entry in enumerate(players[left:][::-1], 10):
        assert DECIDED not in due(event, minute)
        f.out(event, entry, at=f.after(minute))


def test_sat_exact():
    given, expect = case("sat-exact")
    event = satellite(given["entries"], given["to_pool"], given["seat"])
    outs_until(event, given["left"])
    assert (expect["due"] in due(event, 30)) is expect["over"]
    f.drive(prizes_freeze, event, 31)
    assert expect["due"] in due(event, 32)
    f.drive(event_end, event, 33)
    places = [line.place for line in standings(f.fresh(event))][: given["left"]]
    assert places == expect["places"]
    paid = [row.is_seat for row in payouts(f.fresh(event))]
    assert paid == [True] * expect["seats"]


def test_sat_guaranteed():
    given, expect = case("sat-guaranteed")
    paid, ticket = given["entries"] * given["to_pool"] * 100, given["ticket"] * 100
    for guaranteed, wanted in (
        (given["guaranteed_tickets"], expect),
        (0, expect["without_guarantee"]),
    ):
        plan = PrizePlan(way=Way.SEATS, seat_cents=ticket, seats_guaranteed=guaranteed)
        pool = pool_of(plan, paid)
        table = prize_table(plan, pool_cents=pool.cents, places=99, entries=given["entries"])
        assert table.prizes.count(ticket) == wanted["tickets"]
        assert pool.overlay == wanted.get("overlay", 0) * 100
        assert sum(table.prizes) % ticket == wanted["rest"] * 100


@pytest.mark.parametrize("holds_rest", [False, True])
def test_sat_rest(holds_rest):
    given, expect = case("sat-rest")
    event = satellite(given["entries"], given["to_pool"], given["seat"], holds_rest=holds_rest)
    outs_until(event, expect["over_at"])
    assert DECIDED in due(event, 30)
    f.drive(event_end, event, 33)
    owed = sorted((row.open for row in payouts(f.fresh(event))), reverse=True)
    assert owed == [cents * 100 for cents in expect["prizes"]][: 2 if holds_rest else None]


def test_sat_tie():
    """The larger stack takes the seat; equal ones share its value unless the director decides."""
    given, expect = case("sat-tie")
    entries = given["left_before"] + 2
    event = satellite(entries, given["seats"] * given["seat"] // entries, given["seat"])
    first, *_ = players = f.entries_of(event)
    names = dict(zip(("B", "C"), players[1:3], strict=True))
    for minute, entry in enumerate(players[3:], 10):
        f.out(event, entry, at=f.after(minute))
    stacks = {names[name].pk: stack for name, stack in given["out"]}
    f.out(event, *names.values(), at=f.after(20), start_stacks=stacks)
    f.drive(event_end, event, 33)
    owed = {row.registration: row.open for row in payouts(f.fresh(event))}
    assert owed[names["B"].registration_id] == given["seat"] * 100
    assert owed.get(names["C"].registration_id, 0) == expect["C"]
    assert owed[first.registration_id] == given["seat"] * 100


def test_sat_rest_has_two_bubbles():
    """Hand-for-hand is proposed for the rest and again for the seat."""
    given, expect = case("sat-rest")
    money, seat = expect["bubble_marks"]
    event = satellite(given["entries"], given["to_pool"], given["seat"], seats=2)
    outs_until(event, money)
    assert "Noch einer bis zum Geld" in due(event, 30)
    f.out(event, f.entries_of(event)[seat], at=f.after(31))
    count_heads(event, 32)
    f.drive(money_reach, event, 32)
    assert "Noch einer bis zum Platz" in due(event, 33)
    f.drive(hand_for_hand_begin, event, 34)
    assert "Hand für Hand beenden" not in due(event, 35)
    f.out(event, f.entries_of(event)[2], at=f.after(36))
    assert DECIDED in due(event, 37)


def test_a_rebuy_after_the_mark_brings_a_seat_only_before_late_entry_ends():
    """Until then players out may come back: seats follow the pool, and nothing is decided."""
    terms = {"rebuy_level": 2, "rebuy_cents": 5000, "late_registration_level": 2}
    event = satellite(4, 50, 100, **terms)
    first, second = f.entries_of(event)[2:]
    f.out(event, first, second, at=f.after(5))
    assert seats_left(event) == 2
    assert DECIDED not in due(event, 6)
    for entry in (first, second):
        f.drive(rebuy_buy, event, 6, entry=entry, pays=True)
    assert (seats_left(f.fresh(event)), players_left(f.fresh(event))) == (3, 4)
    f.out(event, first, at=f.after(45))
    f.refuses("is_out", rebuy_buy, event, 46, entry=first, pays=True)
    assert (seats_left(f.fresh(event)), players_left(f.fresh(event))) == (3, 3)
    assert DECIDED in due(event, 47)


def test_sat_target_stack():
    given, expect = case("sat-target-stack")
    entries, seats, target = given["entries"], given["seats"], given["target"]
    terms = {"starting_stack": given["starting_stack"], "late_registration_level": 0}
    event = running_room("Satellit", [10] * (entries // 10), seats=10, at=f.START, **terms)
    own = {"event": event, "made_by": f.last_action(event), "amount_cents": entries * 2_500}
    Posting.objects.create(account=Account.CASH, means=Means.CASH, **own)
    Posting.objects.create(account=Account.POOL, **own | {"amount_cents": entries * -2_500})
    plan = PrizePlan(way=Way.SEATS, seat_cents=entries * 2_500 // seats, target_stack=target)
    f.drive(prizes_plan, event, 1, plan=plan)
    players = f.entries_of(event)
    claim, refused = players[0], expect["refused"]
    f.refuses(refused["code"], seat_win, event, 10, entry=claim, stack=refused["claims"])
    f.out(event, players[99], at=f.after(11))
    winners = [claim, *players[1:3]]
    for number, (entry, then) in enumerate(zip(winners, given["then"], strict=True)):
        f.drive(seat_win, event, 12 + number, entry=entry, stack=then["reaches"])
        event = f.fresh(event)
        assert chips_in_play(event) == (expect["chips_in_play"][number], True)
        assert seats_left(event) == expect["seats_left"][number]
    places = {line.entry: line.place for line in standings(event)}
    assert {places[one.pk] for one in winners} == {1}
    assert places[players[99].pk] == entries
    # It is over once as many are left as seats: each has one, and so has each winner.
    between = {entry.pk for entry in players[11:98]}
    hands = [[e for e in f.at_table(event, number) if e.pk in between] for number in range(2, 11)]
    for minute, gone in enumerate([players[10:11], *hands, players[98:99]], 20):
        assert DECIDED not in due(event, minute)
        f.out(event, *gone, at=f.after(minute))
    assert players_left(f.fresh(event)) == expect["seats_left"][-1]
    assert DECIDED in due(event, 200)
    f.drive(event_end, event, 201)
    f.drive(prizes_freeze, event, 202)
    rows = payouts(f.fresh(event))
    assert [(row.place, row.is_seat) for row in rows] == [(1, True)] * seats
    places = {line.entry: line.place for line in standings(f.fresh(event))}
    assert [places[players[number].pk] for number in (98, 10, 99)] == [11, 99, 100]


def test_a_seat_won_by_a_stack_is_taken_back():
    event = satellite(10, 50, 250, target_stack=1_000)
    entry, *_others = f.entries_of(event)
    before = chips_in_play(event)
    f.drive(seat_win, event, 10, entry=entry, stack=1_200)
    assert f.seat_of(entry) is None
    f.undo(event, at=f.after(11))
    assert (chips_in_play(f.fresh(event)), seats_left(f.fresh(event))) == (before, 2)
    assert f.seat_of(entry) is not None


def test_seats_are_won_by_stack_only_where_the_plan_says_so():
    event = satellite(10, 50, 250)
    entry = f.entries_of(event)[0]
    f.refuses("no_target", seat_win, event, 10, entry=entry, stack=12_000)
    f.refuses("satellite", deal_allow, event, 10)
    last = satellite(4, 50, 100, target_stack=10)
    for minute, one in enumerate(f.entries_of(last)[:2], 10):
        f.drive(seat_win, last, minute, entry=one, stack=20)
    third = f.entries_of(last)[2]
    f.refuses("no_seats", seat_win, last, 20, entry=third, stack=20)
