"""The simulator's own books: who sits where with how many chips, who went out in which order.

They are written from what the services answer and from the hands played, never from the tables of
the database, so that comparing the two means something.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tournaments.practice.simulation.own_clock import Tap
from tournaments.practice.simulation.standings import Hand, Rounds, tiers_of

Place = tuple[int, int]  # table number, seat number


@dataclass(slots=True)
class Books:
    """Whatever happened so far. `limbo` holds the chips of who was put out by mistake.

    `rulings` are the director's words on places: whose, and with whom it is shared. `away` are
    those who are not at their seats, `paid` the cents by registration, `taps` the last hand told
    of each table.
    """

    tables: dict[int, dict[int, int]] = field(default_factory=dict)
    where: dict[int, Place] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)
    limbo: dict[int, int] = field(default_factory=dict)
    uncounted: dict[int, int] = field(default_factory=dict)
    hands: list[Hand] = field(default_factory=list)
    rounds: Rounds = field(default_factory=Rounds)
    rulings: list[tuple[int, int]] = field(default_factory=list)
    locks: set[Place] = field(default_factory=set)
    away: set[int] = field(default_factory=set)
    disqualified: set[int] = field(default_factory=set)
    paid: dict[int, int] = field(default_factory=dict)
    taps: dict[int, Tap] = field(default_factory=dict)

    def copy(self) -> Books:
        """Return books that can be put back when what follows is undone."""
        return Books(
            tables={number: dict(seats) for number, seats in self.tables.items()},
            where=dict(self.where),
            stacks=dict(self.stacks),
            limbo=dict(self.limbo),
            uncounted=dict(self.uncounted),
            hands=list(self.hands),
            rounds=self.rounds.copy(),
            rulings=list(self.rulings),
            locks=set(self.locks),
            away=set(self.away),
            disqualified=set(self.disqualified),
            paid=dict(self.paid),
            taps=dict(self.taps),
        )

    def sit(self, entry: int, table: int, seat: int) -> None:
        """Seat an entry; one who sits elsewhere has to get up first.

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
        self.away -= hand.outs.keys()
        for entry in hand.outs:
            self.rise(entry)
        return {entry: self.stacks.pop(entry) for entry in hand.outs}

    def come_back(self, sequence: int, entry: int) -> None:
        """Take the out of an entry back that was recorded under this number."""
        self.hands = [hand for hand in self.hands if hand.sequence != sequence]
        self.rulings = [ruling for ruling in self.rulings if entry not in ruling]

    def correct(self, old: Hand, **changed: object) -> None:
        """Put a hand in the place of another that was recorded wrongly."""
        new = replace(old, **changed)  # type: ignore[arg-type]
        self.hands = [new if hand is old else hand for hand in self.hands]

    def close(self, *numbers: int) -> None:
        """Take empty tables away.

        :raises ValueError: If somebody sits there.
        """
        for number in numbers:
            if self.tables.pop(number, {}):
                raise ValueError(f"Somebody still sits at table {number}.")
            self.taps.pop(number, None)
        self.locks = {lock for lock in self.locks if lock[0] in self.tables}

    @property
    def chips(self) -> int:
        """What the ledger must show: who left with a stack nobody counted still counts there."""
        groups = (self.stacks, self.limbo, self.uncounted)
        return sum(sum(group.values()) for group in groups)

    def places(self, *, is_over: bool) -> dict[int, int]:
        """Return the places, worked out by counting down from who is still in."""
        tiers = tiers_of(self.hands)
        for entry, other in self.rulings:
            tiers = [[one for one in tier if one != entry] for tier in tiers]
            tiers = [[*tier, entry] if other in tier else tier for tier in tiers if tier]
        placed: dict[int, int] = {}
        first = len(self.stacks) + 1
        if is_over and len(self.stacks) == 1:
            placed = dict.fromkeys(self.stacks, 1)
        for tier in tiers:
            placed |= dict.fromkeys(tier, first)
            first += len(tier)
        return placed
