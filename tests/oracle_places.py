"""Places worked out from the rules' text alone. Imports nothing of the program.

TDA 2024 RP-8: hand-for-hand; who busts in the same hand at different tables shares the place, from
the announcement on (A: of 52 left three bust in the current hand, and all three share 50th).
Common practice: at one table the larger stack at the start of the hand places higher, equal ones
share. Decided by the house, where the rules are silent: an unknown stack makes all of that table's
hand share; in a round, who was beaten by more at the own table ranks lower; somebody disqualified
takes the place of the next one out, below all who still bust in the hand played hand-for-hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from random import Random


@dataclass(frozen=True)
class Bust:
    player: int
    table: int
    stack: int | None


@dataclass(frozen=True)
class Thrown:
    """Somebody disqualified."""

    player: int


# One hand at one table, or one hand at all tables at once, as it happened: busts and disqualified.
Hand = list[Bust | Thrown]


def places_by_the_rules(field: int, evening: list[Hand]) -> dict[int, int]:
    """Return the place of everybody who is out, of so many who began."""
    found: dict[int, int] = {}
    for hand in evening:
        busts = [one for one in hand if isinstance(one, Bust)]
        last = max((n for n, one in enumerate(hand) if isinstance(one, Bust)), default=-1)
        for n, one in enumerate(hand):
            if isinstance(one, Thrown) and n < last:
                found[one.player] = field - len(found)
        stay = field - len(found) - len(busts)
        found |= {one.player: stay + 1 + sum(_beats(a, one, busts) for a in busts) for one in busts}
        for n, one in enumerate(hand):
            if isinstance(one, Thrown) and n > last:
                found[one.player] = field - len(found)
    return found


def _beats(one: Bust, other: Bust, busts: list[Bust]) -> bool:
    return _more_at_the_own_table(one, busts) < _more_at_the_own_table(other, busts)


def _more_at_the_own_table(one: Bust, busts: list[Bust]) -> int:
    """Count who of the same table's hand had more; nobody while a stack of it is unknown."""
    there = [other.stack for other in busts if other.table == one.table]
    if None in there:
        return 0
    return sum(stack > one.stack for stack in there)


def random_evening(
    rng: Random, tables: Mapping[int, int]
) -> tuple[list[Hand], list[Hand], list[Hand]]:
    """Return hands before hand-for-hand, those of it and those after; `tables` is by player."""
    evening: list[Hand] = [[] for _ in range(rng.choice([3, 4, 5]))]
    for player in rng.sample(sorted(tables), rng.randrange(2, len(tables) - 1)):
        stack = rng.choice([None, 100, 200, 200, 300, 300])
        is_thrown = rng.random() < 0.15
        rng.choice(evening).append(
            Thrown(player) if is_thrown else Bust(player, tables[player], stack)
        )
    before, *rounds, after = evening
    # Outside of hand-for-hand each goes out in a hand of its own.
    return [[one] for one in before], rounds, [[one] for one in after]


def is_weak_order(places, first=1):
    """Tell whether places, from `first` on, are a weak order without gaps."""
    expected = first
    for place, tied in groupby(sorted(places.values())):
        if place != expected:
            return False
        expected += len(list(tied))
    return True
