"""The simulator's own books: seats, order of eliminations, chips.

They are written from the answers of services, independent of the database, so that a comparison is
meaningful.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tournaments.practice.simulation.standings import Hand, tiers_of

Place = tuple[int, int]  # table number, seat number


@dataclass(slots=True)
class Books:
    """The state so far. `uncounted` are entries whose stack left play unknown."""

    where: dict[int, Place] = field(default_factory=dict)
    here: set[int] = field(default_factory=set)
    hands: list[Hand] = field(default_factory=list)
    chips: int = 0
    uncounted: set[int] = field(default_factory=set)
    bags: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Books:
        """Return a copy to restore after an undo."""
        return replace(
            self,
            where=dict(self.where),
            here=set(self.here),
            hands=list(self.hands),
            uncounted=set(self.uncounted),
            bags=dict(self.bags),
        )

    def sit(self, places: Iterable[Sequence[int]]) -> None:
        """Seat entries, and free the seats they had.

        :raises ValueError: If a seat is held.
        """
        moves = [(entry, (table, seat)) for entry, table, seat in places]
        for entry, _place in moves:
            self.where.pop(entry, None)
        for entry, place in moves:
            if place in self.where.values():
                raise ValueError(f"Entry {entry} cannot sit at {place}.")
            self.where[entry] = place

    def leave(self, hand: Hand) -> None:
        """Remove the entries of a hand from play."""
        self.hands.append(hand)
        for entry in hand.outs:
            self.here.remove(entry)
            del self.where[entry]

    def sizes(self) -> dict[int, int]:
        """Return the number of players at each table."""
        return dict(Counter(table for table, _seat in self.where.values()))

    def places(self, *, is_over: bool) -> dict[int, int]:
        """Return the places, counted from the number of entries still in.

        Several left rank by their bags; without bags they share the first place.
        """
        first = len(self.here) + 1
        stacks = [self.bags.get(entry, 0) for entry in self.here] if is_over else []
        placed = {
            entry: 1 + sum(stack > self.bags.get(entry, 0) for stack in stacks)
            for entry in (self.here if is_over else ())
        }
        for tier in tiers_of(self.hands):
            placed |= dict.fromkeys(tier, first)
            first += len(tier)
        return placed
