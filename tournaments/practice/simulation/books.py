"""The simulator's own books: who sits where with how many chips, who went out in which order.

They are written from what the services answer and from the hands played, never from the tables of
the database, so that comparing the two means something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

Place = tuple[int, int]  # table number, seat number


@dataclass(frozen=True, slots=True)
class Hand:
    """Those who went out in one hand: entry to its stack at the start, None if not recorded."""

    at: datetime
    sequence: int
    outs: Mapping[int, int | None]

    def tiers(self) -> list[list[int]]:
        """Return the entries in groups that share a place, the best first."""
        known = {entry: stack for entry, stack in self.outs.items() if stack is not None}
        if len(known) < len(self.outs):
            return [list(self.outs)]
        ranked = sorted(known, key=lambda entry: -known[entry])
        return [list(tier) for _, tier in groupby(ranked, key=lambda entry: known[entry])]


@dataclass(slots=True)
class Books:
    """Whatever happened so far. `limbo` holds the chips of who was put out by mistake."""

    tables: dict[int, dict[int, int]] = field(default_factory=dict)
    where: dict[int, Place] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)
    limbo: dict[int, int] = field(default_factory=dict)
    uncounted: dict[int, int] = field(default_factory=dict)
    hands: list[Hand] = field(default_factory=list)

    def copy(self) -> Books:
        """Return books that can be put back when what follows is undone."""
        return Books(
            tables={number: dict(seats) for number, seats in self.tables.items()},
            where=dict(self.where),
            stacks=dict(self.stacks),
            limbo=dict(self.limbo),
            uncounted=dict(self.uncounted),
            hands=list(self.hands),
        )

    def sit(self, entry: int, table: int, seat: int) -> None:
        """Seat an entry; whoever sits elsewhere has to get up first.

        :raises ValueError: If the seat is held or the entry sits already.
        """
        seats = self.tables.setdefault(table, {})
        if seat in seats or entry in self.where:
            raise ValueError(f"Entry {entry} cannot sit at {table}/{seat}: {seats}")
        seats[seat] = entry
        self.where[entry] = (table, seat)

    def rise(self, entry: int) -> Place:
        """Take an entry off its seat."""
        table, seat = self.where.pop(entry)
        del self.tables[table][seat]
        return table, seat

    def leave(self, hand: Hand) -> dict[int, int]:
        """Take those of a hand out of the game and return the chips they had."""
        self.hands.append(hand)
        for entry in hand.outs:
            self.rise(entry)
        return {entry: self.stacks.pop(entry) for entry in hand.outs}

    def close(self, *numbers: int) -> None:
        """Take empty tables away.

        :raises ValueError: If somebody sits there.
        """
        for number in numbers:
            if self.tables.pop(number, {}):
                raise ValueError(f"Somebody still sits at table {number}.")

    @property
    def chips(self) -> int:
        """What the ledger must show: who left with a stack nobody counted still counts there."""
        groups = (self.stacks, self.limbo, self.uncounted)
        return sum(sum(group.values()) for group in groups)

    def places(self, *, is_over: bool) -> dict[int, int]:
        """Return the places, worked out by counting down from who is still in."""
        placed: dict[int, int] = {}
        first = len(self.stacks) + 1
        if is_over and len(self.stacks) == 1:
            placed = dict.fromkeys(self.stacks, 1)
        for hand in sorted(self.hands, key=lambda hand: (hand.at, hand.sequence), reverse=True):
            for tier in hand.tiers():
                placed |= dict.fromkeys(tier, first)
                first += len(tier)
        return placed
