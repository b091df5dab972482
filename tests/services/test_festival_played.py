"""A satellite feeds the flights of a contest, and day 2 is played to its end: books of its own.

The books are kept from what was done, never from the tables.
"""

from collections import Counter
from random import Random

import pytest

from tests import factories as f
from tests.flights import add, bag_all, make_contest
from tests.services.test_contest_played import shared_by_chance
from tournaments.changes.selectors.log import log_first_fault
from tournaments.contests.domain.carrying import Further
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import nearing_of, stage_of, stages_of
from tournaments.contests.selectors.pool import pool_of_contest
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.days import day_draw
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Posting, Receipt, Ticket
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.domain.tickets import ANY_EVENT
from tournaments.money.selectors.tickets import ticket_sums, tickets_for
from tournaments.money.services.fees import fee_pay
from tournaments.money.services.tickets import ticket_redeem
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.prizes.domain.plans import PrizePlan, Way

pytestmark = [pytest.mark.django_db, pytest.mark.evening]
POOL, HOUSE, SEAT, BONUS, TRAVEL, MIN_CASH = 8_000, 2_000, 10_000, 3_000, 1_000, 9_000
SATELLITE_FEE = 3_500
SIZES = {"small": (2, 12), "large": (12, 60)}


class Festival:
    """What was done, as books: cash by event, tickets, and what each person took."""

    def __init__(self, rng, flights, field):
        self.rng, self.flights, self.field = rng, flights, field
        self.names = [f"Spieler {number:03}" for number in range(field * 3 // 2)]
        self.cash, self.by_ticket, self.taken = Counter(), Counter(), Counter()
        self.tickets = Counter()
        self.minute = 0

    def at(self):
        self.minute += 1
        return self.minute

    def drive(self, service, event, **own):
        return f.drive(service, event, self.at(), **own)

    def begin(self, name, people, **settings):
        """Check everybody in who has paid, by ticket or in cash, and start the clock."""
        event = f.make_event(name=name, seats=6, capacity=len(people) + 5, **settings)
        for person in people:
            row = f.register(event, person)
            f.check_in(event, row)
            self.pay(event, row)
        self.drive(clock_start, event)
        return f.fresh(event)

    def pay(self, event, row):
        held, name = tickets_for(row, f.after(self.minute)), row.person.name
        assert len(held) == self.tickets[name]
        if not held:
            self.drive(fee_pay, event, registration=row)
            self.cash[event.pk] += event.fee_cents
            return
        action = self.drive(ticket_redeem, event, registration=row, ticket=held[0])
        if self.rng.random() < 0.3:
            f.undo(event, action, at=f.after(self.at()))
            self.drive(ticket_redeem, event, registration=row, ticket=held[0])
        self.tickets[name] -= 1
        self.by_ticket[event.pk] += SEAT

    def play_down(self, event, goal):
        """Let players go out by chance until so many are left; return the last out."""
        out = None
        while players_left(f.fresh(event)) > goal:
            out = self.rng.choice([row for row in f.entries_of(event) if f.seat_of(row)])
            f.out(event, out, at=f.after(self.at()))
        return out

    def take(self, event, *, seat=False):
        """Pay everybody what is due; return the sum paid in cash."""
        total = 0
        for row in payees(f.fresh(event)):
            if not row.is_due:
                continue
            registration = event.registrations.get(pk=row.registration)
            self.drive(payout_pay, event, registration=registration)
            if row.is_seat:
                assert seat
                self.tickets[row.name] += 1
            self.taken[row.name] += row.amount
            self.cash[event.pk] -= row.amount
            total += row.amount
        return total


def satellite(fest):
    """Play a satellite for seats in the flights; return it with the number of seats."""
    people = fest.rng.sample(fest.names, fest.field)
    event = fest.begin("Satellit", people, fee_cents=SATELLITE_FEE)
    fest.drive(
        prizes_plan, event, plan=PrizePlan(way=Way.SEATS, seat_cents=SEAT, seats_for=ANY_EVENT)
    )
    seats, rest = divmod(fest.field * SATELLITE_FEE, SEAT)
    fest.play_down(event, seats)
    fest.drive(event_end, event)
    fest.drive(prizes_freeze, event)
    assert fest.take(event, seat=True) == rest
    assert sum(fest.tickets.values()) == seats == Ticket.objects.live().count()
    return event


def flight(fest, contest, label):
    """Play a flight that pays one place behind its bags; return event, bags, and what it paid."""
    names = fest.rng.sample(fest.names, fest.field)
    parts = [["house", HOUSE, ""]]
    event = fest.begin(f"Flight {label}", names, fee_cents=POOL + HOUSE, fee_parts=parts)
    goal = fest.field // 4
    add(contest, event, label, stop=StopRule(players=goal))
    share = 10_000 * (goal + 1) // fest.field
    plan = PrizePlan(way=Way.FLIGHT, places_percent=share // 100, places_hundredths=share % 100,
                     each_cents=MIN_CASH)  # fmt: skip
    fest.drive(prizes_plan, event, plan=plan)
    last = fest.play_down(event, goal).registration.person.name
    event = f.fresh(event)
    assert nearing_of(stage_of(event), event, f.after(fest.minute)).by == "players"
    left = [row.registration.person.name for row in f.entries_of(event) if f.seat_of(row)]
    bags = shared_by_chance(fest.rng, left, chips_in_play(event)[0])
    fest.minute = max(fest.minute, 31)
    bag_all(event, **bags)
    fest.drive(day_end, event)
    fest.drive(prizes_freeze, event)
    before = fest.taken[last]
    assert fest.take(event) == MIN_CASH == fest.taken[last] - before
    return event, bags


@pytest.mark.parametrize(
    "size", ["small", pytest.param("large", marks=[pytest.mark.long, pytest.mark.timeout(1200)])]
)
def test_a_satellite_feeds_flights_and_day_two_pays_one_pool(size):
    flights, field = SIZES[size]
    fest = Festival(Random(f"festival {size}"), flights, field)
    contest = make_contest(further=Further.BONUS, further_cents=BONUS, travel_cents=TRAVEL)
    feeder = satellite(fest)
    played = [flight(fest, contest, f"1{chr(65 + number)}") for number in range(flights)]
    held = Counter(name for _event, bags in played for name in bags)
    day = f.make_event(name="Tag 2", seats=6)
    add(contest, day, "Tag 2", order=2, stop=StopRule())
    fest.drive(prizes_plan, day, plan=PrizePlan(way=Way.SHARES, shares=(6000, 4000)))
    fest.drive(day_draw, day)
    pool = flights * (field * POOL - MIN_CASH)
    bonuses = BONUS * (held.total() - len(held))
    found = pool_of_contest(stages_of(contest))
    assert (found.pool, found.bonuses) == (pool + flights * MIN_CASH, bonuses)
    assert (found.in_flight, found.for_places) == (flights * MIN_CASH, pool - bonuses)
    # At once: travel money for each, and a bonus for each further bag.
    assert fest.take(day) == TRAVEL * len(held) + bonuses
    fest.drive(clock_start, day)
    fest.play_down(day, 1)
    fest.drive(event_end, day)
    fest.drive(prizes_freeze, day)
    # Only two places are paid: the travel money of all others is the house's to bear.
    assert fest.take(day) == pool - bonuses - 2 * TRAVEL
    close_books(fest, [feeder, *(event for event, _bags in played), day])


def close_books(fest, events):
    """Compare every journal with the books, to the cent."""
    for event in events:
        rows = Posting.objects.live().filter(event=event)
        assert sum(rows.values_list("amount_cents", flat=True)) == 0
        cash = rows.filter(account=Account.CASH)
        assert (
            sum(cash.exclude(means=Means.TICKET).values_list("amount_cents", flat=True))
            == (fest.cash[event.pk])
        )
        assert (
            sum(cash.filter(means=Means.TICKET).values_list("amount_cents", flat=True))
            == (fest.by_ticket[event.pk])
        )
        receipts = Receipt.objects.filter(event=event).values_list("cents", flat=True)
        assert sum(receipts) == fest.cash[event.pk] + fest.by_ticket[event.pk]
        assert log_first_fault(f.fresh(event)) is None
        assert facts_checked(f.fresh(event)).differences == []
    sums = ticket_sums(events[0].club_id, f.ARRIVAL.date())
    assert sums.redeemed == fest.by_ticket.total()
    assert sums.open == SEAT * fest.tickets.total() == sums.given - sums.redeemed
    used = Ticket.objects.live().exclude(uses=None).first()
    if used is not None:
        with f.refused("needed", events[0]):
            f.undo(events[0], used.made_by, at=f.after(fest.minute + 1))
