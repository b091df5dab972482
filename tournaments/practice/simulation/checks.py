"""What must hold at any moment, found out by comparing the database with the simulator's books."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from clock.selectors import clock_state
from tournaments.cash.domain.accounts import Account
from tournaments.cash.selectors.journal import paid_cents
from tournaments.cash.selectors.prizes import paid_places
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    players_left,
    screen_figures,
)
from tournaments.log.selectors.facts import facts_checked
from tournaments.models import Absence, Event, Posting, Registration, Seating, Table
from tournaments.play.selectors.level_in_force import table_in_force
from tournaments.play.selectors.ranking import places_of
from tournaments.practice.simulation.money.books import Books, Place
from tournaments.practice.simulation.own_clock import OwnClock, Tap
from tournaments.seating.selectors.tables import table_counts


class InvariantBroken(Exception):
    """Something that must always hold does not: a bug, with what was found."""


@dataclass(slots=True)
class Checker:
    """Compares, counts how often it did, and raises at the first difference."""

    event: Event
    tolerance: int
    checked: int = 0

    def expect(self, holds: object, what: str, *found: object) -> None:
        """Raise unless it holds.

        :raises InvariantBroken: Saying what, and what was found instead.
        """
        self.checked += 1
        if not holds:
            raise InvariantBroken(f"{what}: {', '.join(map(repr, found))}")

    def quick(self, books: Books) -> None:
        """Compare people, chips and table sizes: a few queries, whatever the field."""
        left, alive = players_left(self.event), len(books.stacks)
        self.expect(left == alive, "players left", left, alive)
        self.chips(books)
        counts = {count.number: count.players for count in table_counts(self.event)}
        own = {number: len(seats) for number, seats in books.tables.items()}
        self.expect(counts == own, "players by table", counts, own)

    def chips(self, books: Books) -> None:
        """Compare the ledger with the stacks played with, and with those that left."""
        chips, is_exact = chips_in_play(self.event)
        self.expect(chips == books.chips, "chips in play", chips, books.chips)
        self.expect(is_exact is not bool(books.uncounted), "exact", is_exact, books.uncounted)

    def full(self, books: Books, now: datetime) -> None:
        """Compare every seat, person, chip and place."""
        self.quick(books)
        self._seats(books)
        alive = event_alive_entry_ids(self.event)
        self.expect(set(alive) == set(books.stacks), "who is left", alive)
        self._places(books)
        self._figures(books, now)

    def _seats(self, books: Books) -> None:
        rows = Seating.objects.filter(event=self.event, voided_by=None)
        seats_held = [
            (entry, (number, seat), broken)
            for entry, number, seat, broken in rows.values_list(
                "entry", "table__number", "seat", "table__voided_by"
            )
        ]
        self.once((entry for entry, _, _ in seats_held), "a person is seated twice")
        self.once((place for _, place, _ in seats_held), "a seat is doubly held")
        self.expect(
            all(broken is None for _, _, broken in seats_held),
            "somebody sits at a broken table",
            seats_held,
        )
        found: dict[int, Place] = {entry: place for entry, place, _ in seats_held}
        self.expect(found == books.where, "seats", found, books.where)
        numbers = Table.objects.filter(event=self.event, voided_by=None).values_list("number")
        self.once((number for (number,) in numbers), "a table number is used twice")

    def once(self, values: Iterable[object], what: str) -> None:
        listed = list(values)
        self.expect(len(listed) == len(set(listed)), what, listed)

    def _places(self, books: Books) -> None:
        found = places_of(self.event)
        is_over = len(books.stacks) == 1 and bool(books.hands)
        own = books.places(is_over=is_over)
        differing = {
            entry: (found.get(entry), own.get(entry)) for entry in found.keys() ^ own.keys()
        }
        differing |= {
            e: (found[e], own[e]) for e in found.keys() & own.keys() if found[e] != own[e]
        }
        self.expect(not differing, "places, found and own", differing)
        paid = paid_places(self.event)
        prizes = sorted(entry for entry, place in found.items() if place <= paid)
        expected = sorted(entry for entry, place in own.items() if place <= paid)
        self.expect(prizes == expected, "who has a paid place", prizes, expected)

    def _figures(self, books: Books, now: datetime) -> None:
        figures, left = screen_figures(self.event, now), len(books.stacks)
        self.expect(figures["players_left"] == left, "players left shown", figures)
        self.expect(figures["average_stack"] == books.chips // left, "average shown", figures)
        self.expect(figures["tables"] == len(books.tables), "tables shown", figures)

    def balanced(self, books: Books, seats: dict[int, int]) -> None:
        """Expect the tables within the tolerance of the largest, full ones aside."""
        sizes = {number: len(seats_held) for number, seats_held in books.tables.items()}
        most = max(sizes.values(), default=0)
        short = {
            number: size
            for number, size in sizes.items()
            if size < seats[number] - sum(lock[0] == number for lock in books.locks)
            and most - size > self.tolerance
        }
        self.expect(not short, "tables differ by more than the tolerance", most, short)

    def levels(
        self, clock: OwnClock, now: datetime, taps: Mapping[Table, Tap] | None = None
    ) -> None:
        """Compare what the hall is shown, and which level each table plays."""
        found, own = clock_state(self.event.clock, now).level.id, clock.shown(now)
        self.expect(found == own, "the level shown", found, own)
        longest = self.event.rule_set.tap_holds
        for table, tap in (taps or {}).items():
            level = table_in_force(self.event, table, now).level.id
            own = clock.in_force(tap, now, longest=longest)
            self.expect(level == own, "the level in force", table.number, level, own)

    def away(self, books: Books) -> None:
        """Compare who is recorded as not at the seat."""
        rows = Absence.objects.live().filter(event=self.event)
        found = set(rows.values_list("entry", flat=True)) & books.where.keys()
        self.expect(found == books.away, "who is away", found, books.away)

    def money(self, books: Books, registration: Registration) -> None:
        """Compare what somebody paid, and what all did."""
        found, own = paid_cents(registration), books.paid[registration.pk]
        self.expect(found == own, "what somebody paid", found, own)
        self.cash(books)

    def cash(self, books: Books) -> None:
        """Compare what all have paid."""
        rows = Posting.objects.live().filter(event=self.event, account=Account.CASH)
        found = rows.aggregate(cents=Sum("amount_cents"))["cents"] or 0
        self.expect(found == sum(books.paid.values()), "what was paid", found, books.paid)

    def chain(self) -> None:
        """Expect the log to verify, and to tell what the tables hold."""
        fault = log_first_fault(self.event)
        self.expect(fault is None, "the log is broken", fault)
        found = facts_checked(self.event)
        self.expect(not found.differences, "the log tells other facts", found.differences)
        self.expect(
            found.by_log == found.by_tables,
            "the log tells other places",
            found.by_log,
            found.by_tables,
        )
