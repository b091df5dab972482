"""The simulator's own books: seats, order of eliminations, chips.

They are written from the answers of services, independent of the database and of the program's
code, so that a comparison is meaningful.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

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


# --- Places by the text of the rules. Common practice: of those who bust in one hand the larger
# stack at its start places higher, equal ones share. Decided by the house, where the rules are
# silent: with an unknown stack all of that hand share; a disqualified player takes the place of
# the next one out.


@dataclass(frozen=True, slots=True)
class Hand:
    """The entries out in one hand at one table: entry to its starting stack, if known."""

    at: datetime
    sequence: int
    outs: Mapping[int, int | None]


def tiers_of(hands: Iterable[Hand]) -> list[list[int]]:
    """Return all entries that are out, in groups that share a place, best first.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> tiers_of([Hand(nine, 1, {4: None}), Hand(nine, 2, {2: 30, 3: 90}),
    ...           Hand(nine, 3, {5: 10, 6: None})])
    [[5, 6], [3], [2], [4]]
    """
    played = sorted(hands, key=lambda hand: (hand.at, hand.sequence), reverse=True)
    return [tier for hand in played for tier in _tiers(hand.outs)]


def _tiers(outs: Mapping[int, int | None]) -> list[list[int]]:
    known = {entry: stack for entry, stack in outs.items() if stack is not None}
    if len(known) < len(outs):
        return [sorted(outs)]
    return [
        sorted(entry for entry, stack in known.items() if stack == size)
        for size in sorted(set(known.values()), reverse=True)
    ]


def level_reached(lengths: list[float | None], seconds: float) -> int:
    """Return the position of the level shown by a clock some seconds after its start.

    >>> [level_reached([1200, 600, None], at) for at in (0, 1199, 1200, 1800, 9999)]
    [0, 0, 1, 2, 2]
    """
    for position, length in enumerate(lengths):
        if length is None or seconds < length or position + 1 == len(lengths):
            return position
        seconds -= length
    raise ValueError("There are no levels.")
