"""Keep people apart in a draw, as far as possible.

A wish does not change the drawn seats, only their assignment. So a draw with wishes uses the same
hashes as any other. The rule is in `given_kept_apart`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

Place = tuple[int, int]  # table number, seat number
MOST_TRIED = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApart:
    """The wishes relevant to one draw, with items named as in `draws`.

    Items of `pairs` are to be kept apart; an item in `barred` must avoid those tables, where a
    person not in this draw sits.
    """

    pairs: frozenset[frozenset[str]] = frozenset()
    barred: Mapping[str, Collection[int]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_empty(self) -> bool:
        """Tell whether there are no wishes."""
        return not self.pairs and not self.barred

    def partners(self, item: str) -> frozenset[str]:
        """Return the items to keep an item apart from.

        >>> pair = frozenset({"entry:1", "entry:2"})
        >>> sorted(KeptApart(pairs=frozenset({pair})).partners("entry:1"))
        ['entry:2']
        """
        found = (pair for pair in self.pairs if item in pair)
        return frozenset().union(*found) - {item}


NOBODY = KeptApart()


def given_kept_apart(
    order: Sequence[str], seats: Sequence[Place], apart: KeptApart
) -> dict[str, Place]:
    """Assign seats in drawn order to players in drawn order, keeping wishes (ours).

    1. Each player in turn gets the first remaining seat at a table without a person to keep apart
    from; without such a seat, the first remaining one.
    2. A player still at a table with such a person, in drawn order, swaps with the first drawn
    player with whom the swap breaks no wish of either; otherwise no swap.
    3. If a wish is still broken, players with wishes are seated first: in drawn order, each at the
    table of the first remaining seat that breaks no wish, with backtracking. The other players
    follow in drawn order. After `MOST_TRIED` seats, or if no way exists, the result of step 2
    stands.

    Without wishes this is: first player, first seat.

    >>> wish = KeptApart(pairs=frozenset({frozenset({"entry:1", "entry:2"})}))
    >>> given_kept_apart(["entry:1", "entry:2", "entry:3"], [(1, 4), (1, 2), (2, 7)], wish)
    {'entry:1': (1, 4), 'entry:2': (2, 7), 'entry:3': (1, 2)}

    :raises ValueError: If there are not as many seats as players.
    """
    if len(order) != len(seats):
        raise ValueError(f"{len(order)} players for {len(seats)} seats.")
    if apart.is_empty:
        return dict(zip(order, seats, strict=True))
    given: dict[str, Place] = {}
    left = list(seats)
    for player in order:
        fits = (seat for seat in left if not _is_barred(player, seat[0], given, apart))
        place = next(fits, left[0])
        left.remove(place)
        given[player] = place
    for player in broken_wishes(given, apart):
        if _is_barred(player, given[player][0], given, apart):
            _exchange(player, given, apart)
    if not broken_wishes(given, apart):
        return given
    return _by_trying(order, seats, apart) or given


def _by_trying(
    order: Sequence[str], seats: Sequence[Place], apart: KeptApart
) -> dict[str, Place] | None:
    """Return seats that keep every wish, or None: step 3 of `given_kept_apart`."""
    wishers = [one for one in order if one in apart.barred or apart.partners(one)]
    given: dict[str, Place] = {}
    left, tried = list(seats), 0

    def seat(position: int) -> bool:
        nonlocal tried
        if position == len(wishers):
            return True
        player, tables = wishers[position], set()
        for place in list(left):
            # Seats of one table are equivalent here: only the first of each is tried.
            if place[0] in tables or _is_barred(player, place[0], given, apart):
                continue
            tables.add(place[0])
            tried += 1
            given[player] = place
            left.remove(place)
            if seat(position + 1):
                return True
            del given[player]
            left[:] = [free for free in seats if free not in given.values()]
            if tried >= MOST_TRIED:
                return False
        return False

    if not seat(0):
        return None
    given |= zip((one for one in order if one not in given), left, strict=True)
    return {one: given[one] for one in order}


def broken_wishes(given: Mapping[str, Place], apart: KeptApart) -> list[str]:
    """Return the items whose wish is broken, in the order of `given`.

    >>> wish = KeptApart(barred={"entry:1": {3}})
    >>> broken_wishes({"entry:1": (3, 1), "entry:2": (3, 2)}, wish)
    ['entry:1']
    """
    return [
        player
        for player, (table, _seat) in given.items()
        if _is_barred(player, table, given, apart)
    ]


def _is_barred(player: str, table: int, given: Mapping[str, Place], apart: KeptApart) -> bool:
    if table in apart.barred.get(player, ()):
        return True
    return any(other in given and given[other][0] == table for other in apart.partners(player))


def _exchange(player: str, given: dict[str, Place], apart: KeptApart) -> None:
    mine = given[player]
    for other, theirs in list(given.items()):
        if theirs[0] == mine[0]:
            continue
        given[player], given[other] = theirs, mine
        if not any(_is_barred(one, given[one][0], given, apart) for one in (player, other)):
            return
        given[player], given[other] = mine, theirs
