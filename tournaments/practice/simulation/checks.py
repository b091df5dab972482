"""What must hold at any moment, found out by comparing the database with the simulator's books."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    players_left,
    screen_figures,
)
from tournaments.models import Event, Seating, Table
from tournaments.play.domain.ranking import is_weak_order
from tournaments.play.selectors.ranking import places_of
from tournaments.practice.simulation.books import Books, Place
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
        held = [
            (entry, (number, seat), broken)
            for entry, number, seat, broken in rows.values_list(
                "entry", "table__number", "seat", "table__voided_by"
            )
        ]
        self.once((entry for entry, _, _ in held), "a person is seated twice")
        self.once((place for _, place, _ in held), "a seat is doubly held")
        self.expect(
            all(broken is None for _, _, broken in held), "somebody sits at a broken table", held
        )
        found: dict[int, Place] = {entry: place for entry, place, _ in held}
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
        self.expect(found == own, "places", found, own)
        first = 1 if is_over else len(books.stacks) + 1
        self.expect(is_weak_order(found, first), "places with gaps", sorted(found.values()))

    def _figures(self, books: Books, now: datetime) -> None:
        figures, left = screen_figures(self.event, now), len(books.stacks)
        self.expect(figures["players_left"] == left, "players left shown", figures)
        self.expect(figures["average_stack"] == books.chips // left, "average shown", figures)
        self.expect(figures["tables"] == len(books.tables), "tables shown", figures)

    def balanced(self, books: Books, seats: dict[int, int]) -> None:
        """Expect the tables within the tolerance of the largest, full ones aside."""
        sizes = {number: len(held) for number, held in books.tables.items()}
        most = max(sizes.values(), default=0)
        short = {
            number: size
            for number, size in sizes.items()
            if size < seats[number] and most - size > self.tolerance
        }
        self.expect(not short, "tables differ by more than the tolerance", most, short)

    def chain(self) -> None:
        """Expect the log to verify."""
        fault = log_first_fault(self.event)
        self.expect(fault is None, "the log is broken", fault)
