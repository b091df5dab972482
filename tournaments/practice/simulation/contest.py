"""Simulate a contest: a satellite feeds the flights, and day 2 is played to its end.

The engine plays each event. The books of the contest hold bags, cash and tickets by what was done,
never by the tables.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any

from django.db.models import Sum

from tournaments.changes.commands import ClubCommand
from tournaments.contests.domain.carrying import Forward, Further, Terms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import pool_of_contest, stages_of
from tournaments.contests.services.contests import contest_save, stage_save
from tournaments.contests.services.days import day_draw
from tournaments.door.services.registration import registrations_import
from tournaments.models import (
    ChipMovement,
    Club,
    Contest,
    Entry,
    Event,
    Posting,
    Receipt,
    Registration,
    Seating,
    Ticket,
)
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.domain.tickets import ANY_EVENT
from tournaments.money.selectors.tickets import tickets_for
from tournaments.money.services.fees import fee_pay
from tournaments.money.services.tickets import ticket_redeem
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.practice.simulation.books import Books
from tournaments.practice.simulation.evening import DIRECTOR, Evening, Plan
from tournaments.practice.simulation.play import Play, figures_of, make_evening, play_on
from tournaments.prizes.domain.plans import PrizePlan, Way

FEWEST_FLIGHTS, MOST_FLIGHTS, FEWEST_EACH = 2, 50, 20
POOL, HOUSE, SATELLITE_FEE = 8_000, 2_000, 3_500
SEAT, BONUS, TRAVEL, MIN_CASH = POOL + HOUSE, 3_000, 1_000, 9_000
ADVANCE, PAID = 15, 20  # percent of a flight with a bag, and with a bag or a prize
PEOPLE = 3  # for five seats of flights there are so many people
TAKEN_BACK = 0.3
SHARES = (6000, 4000)


@dataclass(slots=True)
class ContestBooks:
    """Cash and tickets by event, prizes and bags by name."""

    cash: Counter[int] = field(default_factory=Counter)
    by_ticket: Counter[int] = field(default_factory=Counter)
    tickets: Counter[str] = field(default_factory=Counter)
    given: int = 0
    bags: dict[str, list[int]] = field(default_factory=dict)
    in_flight: int = 0
    played: list[float] = field(default_factory=list)

    def stacks(self, forward: Forward) -> dict[str, int]:
        """Return by name the stack of day 2."""
        is_sum = forward is Forward.SUM
        return {name: sum(own) if is_sum else max(own) for name, own in self.bags.items()}


@dataclass(slots=True)
class Contested:
    """A contest in play."""

    plan: Plan
    club: Club
    rng: Random
    contest: Contest
    forward: Forward
    books: ContestBooks = field(default_factory=ContestBooks)
    plays: list[Play] = field(default_factory=list)

    def evening(self, name: str, size: int, **settings: Any) -> Evening:
        """Make an event on the morning after the one before."""
        days = timedelta(days=len(self.plays))
        plan = replace(self.plan, entries=size, begins_at=self.plan.begins_at + days)
        return make_evening(plan, self.club, self.rng, name=name, **settings)


def simulate_contest(plan: Plan, *, flights: int, club: Club) -> dict[str, Any]:
    """Play a contest of so many flights with all entries; return its figures.

    :raises InvariantBroken: When the database and the books differ.
    """
    began, rng = perf_counter(), Random(plan.seed)  # noqa: S311
    forward = rng.choice([Forward.BEST, Forward.SUM])
    terms = Terms(forward=forward, further=Further.BONUS, further_cents=BONUS, travel_cents=TRAVEL)
    command = ClubCommand(club=club, by=DIRECTOR, at=plan.begins_at)
    made = contest_save(command, name=f"Simulation {plan.entries}/{plan.seed}", terms=terms)
    contest = Contest.objects.get(pk=made.payload["contest"])
    run = Contested(plan, club, rng, contest, forward)
    size, larger = divmod(plan.entries, flights)
    sizes = [size + (number < larger) for number in range(flights)]
    names = [f"Spieler {number:05}" for number in range(max(*sizes, plan.entries * PEOPLE // 5))]
    _satellite(run, rng.sample(names, size))
    for number, own in enumerate(sizes, start=1):
        _flight(run, f"1-{number}", rng.sample(names, own))
    _last_day(run)
    for play in run.plays:
        _close(run, play.evening)
    return _figures(run, round(perf_counter() - began, 3))


def _satellite(run: Contested, names: list[str]) -> None:
    """Play a satellite: its pool is seats in the flights, and a rest."""
    evening = run.evening("Satellit", len(names), fee_cents=SATELLITE_FEE)
    evening.do(prizes_plan, plan=PrizePlan(way=Way.SEATS, seat_cents=SEAT, seats_for=ANY_EVENT))
    _come(run, evening, names)
    play = _played(run, evening)
    seats, rest = divmod(len(names) * SATELLITE_FEE, SEAT)
    evening.expect(0 < len(play.books.here) <= seats, "left at the end", play.books.here, seats)
    evening.do(prizes_freeze)
    paid = _take(run, evening)
    run.books.given = sum(run.books.tickets.values())
    evening.expect((run.books.given, paid) == (seats, rest), "seats and rest", seats, rest, paid)
    figures_of(play, 0)


def _flight(run: Contested, label: str, names: list[str]) -> None:
    """Play a flight to its bags; it pays the places between the money and the bag."""
    parts = [["house", HOUSE, ""]]
    evening = run.evening(f"Flight {label}", len(names), fee_cents=SEAT, fee_parts=parts)
    _add(run, evening, label, 1, StopRule(percent=100 * ADVANCE))
    plan = PrizePlan(way=Way.FLIGHT, places_percent=PAID, each_cents=MIN_CASH)
    evening.do(prizes_plan, plan=plan)
    _come(run, evening, names)
    play = _played(run, evening)
    named = _names(evening.event)
    for entry, amount in play.books.bags.items():
        run.books.bags.setdefault(named[entry], []).append(amount)
    advance, paid = (len(names) * ADVANCE + 50) // 100, -(-len(names) * PAID // 100)
    evening.expect(len(play.books.bags) <= advance, "bags", play.books.bags, advance)
    evening.do(prizes_freeze)
    cost = (paid - advance) * MIN_CASH
    taken = _take(run, evening)
    evening.expect(taken == cost, "paid in the flight", taken, cost)
    run.books.in_flight += cost
    event = evening.event
    assert event.started_by is not None
    assert event.ended_by is not None
    run.books.played.append((event.ended_by.at - event.started_by.at).total_seconds())
    figures_of(play, 0)


def _last_day(run: Contested) -> None:
    """Draw day 2 from the bags, pay the due amounts, and play it to the last place."""
    stacks, bags = run.books.stacks(run.forward), run.books.bags
    evening = run.evening("Tag 2", len(stacks))
    _add(run, evening, "Tag 2", 2, StopRule())
    evening.do(prizes_plan, plan=PrizePlan(way=Way.SHARES, shares=SHARES))
    _draw(evening, stacks)
    evening.played_before = min(run.books.played)
    seated = Seating.objects.live().filter(event=evening.event)
    books = Books(here=set(_names(evening.event)), chips=sum(stacks.values()))
    books.sit(seated.values_list("entry", "table__number", "seat"))
    further = sum(len(own) - 1 for own in bags.values()) * BONUS
    pool = run.plan.entries * POOL
    found = pool_of_contest(stages_of(run.contest))
    told = found and (found.pool, found.bonuses, found.in_flight)
    evening.expect(told == (pool, further, run.books.in_flight), "the pool", found, pool, further)
    taken = _take(run, evening)
    evening.expect(taken == TRAVEL * len(stacks) + further, "paid at once", taken, further)
    play = _played(run, evening, books)
    evening.do(prizes_freeze)
    rest = pool - run.books.in_flight - further - TRAVEL * len(SHARES)
    taken = _take(run, evening)
    evening.expect(taken == rest, "paid by place", taken, rest)
    figures_of(play, 0)


def _draw(evening: Evening, stacks: dict[str, int]) -> None:
    """Draw the day, take it back, and draw it again: each has the stack of the bags."""
    evening.undo(evening.do(day_draw))
    drawn = evening.do(day_draw)
    rows = ChipMovement.objects.live().filter(made_by=drawn)
    named = dict(rows.values_list("entry__registration__person__name", "amount"))
    evening.expect(named == stacks, "stacks of day 2", named, stacks)
    evening.reload()


def _come(run: Contested, evening: Evening, names: list[str]) -> None:
    evening.do(registrations_import, people=[{"name": name} for name in names])
    evening.reload()
    rows = Registration.objects.live().filter(event=evening.event)
    for row in rows.select_related("person", "event").order_by("pk"):
        _pay(run, evening, row)


def _pay(run: Contested, evening: Evening, row: Registration) -> None:
    books, name, event = run.books, row.person.name, evening.event.pk
    held = tickets_for(row, evening.now)
    evening.expect(len(held) == books.tickets[name], "tickets held", name, held)
    if not held:
        evening.do(fee_pay, registration=row)
        books.cash[event] += evening.event.fee_cents
        return
    action = evening.do(ticket_redeem, registration=row, ticket=held[0])
    if run.rng.random() < TAKEN_BACK:
        evening.undo(action)
        evening.do(ticket_redeem, registration=row, ticket=held[0])
    evening.refused("ticket_used", ticket_redeem, registration=row, ticket=held[0])
    books.tickets[name] -= 1
    books.by_ticket[event] += SEAT


def _played(run: Contested, evening: Evening, books: Books | None = None) -> Play:
    play = Play(evening, books or Books())
    run.plays.append(play)
    while not play.is_over:
        play_on(play)
    return play


def _take(run: Contested, evening: Evening) -> int:
    evening.reload()
    total = 0
    for row in payees(evening.event):
        if not row.is_due:
            continue
        registration = evening.event.registrations.get(pk=row.registration)
        evening.do(payout_pay, registration=registration)
        run.books.tickets[row.name] += row.is_seat
        total += row.amount
    run.books.cash[evening.event.pk] -= total
    return total


def _add(run: Contested, evening: Evening, label: str, order: int, stop: StopRule) -> None:
    evening.do_in_club(
        stage_save, contest=run.contest, event=evening.event, label=label, order=order, stop=stop
    )
    evening.reload()


def _names(event: Event) -> dict[int, str]:
    rows = Entry.objects.live().filter(event=event)
    return dict(rows.values_list("pk", "registration__person__name"))


def _close(run: Contested, evening: Evening) -> None:
    """Compare a journal and its receipts with the books, to the cent."""
    event, books = evening.event.pk, run.books
    rows = Posting.objects.live().filter(event=event)
    evening.expect(_sum(rows) == 0, "the journal balances", event)
    cash = rows.filter(account=Account.CASH)
    coins, paper = cash.exclude(means=Means.TICKET), cash.filter(means=Means.TICKET)
    evening.expect(_sum(coins) == books.cash[event], "cash", event, books.cash)
    evening.expect(_sum(paper) == books.by_ticket[event], "tickets taken", event, books.by_ticket)
    receipts = Receipt.objects.filter(event=event).aggregate(sum=Sum("cents"))["sum"] or 0
    moved = books.cash[event] + books.by_ticket[event]
    evening.expect(receipts == moved, "receipts", receipts, moved)
    won = Ticket.objects.live().filter(event=event)
    unused = won.exclude(uses__in=won.filter(uses__voided_by=None).values("uses")).count()
    left = sum(books.tickets.values()) if won.exists() else 0
    evening.expect(unused == left, "open tickets", unused, left)
    evening.chain()


def _sum(rows: Any) -> int:
    return rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0


def _figures(run: Contested, seconds: float) -> dict[str, Any]:
    evenings, books = [play.evening for play in run.plays], run.books
    kinds = sum((evening.kinds for evening in evenings), Counter[str]())
    bags = sum(map(len, books.bags.values()))
    return {
        "flights": len(books.played),
        "entries": run.plan.entries,
        "tickets": books.given,
        "bags": bags,
        "through": len(books.bags),
        "forward": run.forward.value,
        "chips_of_day_two": sum(books.stacks(run.forward).values()),
        "in_flight_cents": books.in_flight,
        "bonus_cents": (bags - len(books.bags)) * BONUS,
        "undos": kinds["action.undone"],
        "invariants_checked": sum(evening.checked for evening in evenings),
        "differences": 0,
        "seconds": seconds,
        "kinds_played": dict(sorted(kinds.items())),
    }
