"""Who is not to be put at one table by a draw, while there is another way.

A wish never changes what is drawn, only who gets which of the seats that were drawn; so a draw with
wishes is recomputed from the same hashes as any other. The rule stands at `given_kept_apart`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

Place = tuple[int, int]  # table number, seat number
MOST_TRIED = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApart:
    """The wishes that bear on one draw, its items named as in `draws`.

    `pairs` are to be kept apart from each other; who is in `barred` is not to sit at those tables,
    because somebody sits there who is not drawn anew.
    """

    pairs: frozenset[frozenset[str]] = frozenset()
    barred: Mapping[str, Collection[int]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_empty(self) -> bool:
        """Tell whether there is no wish at all."""
        return not self.pairs and not self.barred

    def partners(self, item: str) -> frozenset[str]:
        """Return whom an item is to be kept apart from.

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
    """Give the seats in drawn order to the players in drawn order, wishes kept (ours).

    1. Each player in turn gets the first seat left that is not at a table where somebody already
       sits from whom to keep apart; the first one left when there is no other.
    2. One who still sits with such a person, again in drawn order, exchanges the seat with the
       first player drawn with whom that breaks no wish of either; if there is none, keeps it.
    3. If a wish is still broken, those whom wishes name are seated first: in drawn order each at
       the table of the first seat left that breaks none, going back to the one before whenever
       there is no such table; the others follow in drawn order. After `MOST_TRIED` seats tried, or
       when all ways were, it stays as it was after step 2.

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
            # Seats of one table are all alike here, so the first of each is tried.
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
    """Return who sits at one table with somebody all the same, in the order of `given`.

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
