"""Draws that anyone can recompute.

Specification. Before the first draw of an event the *commitment* is published: the SHA-256, in
lower-case hexadecimal, of the secret's text. The secret is a text of hexadecimal digits; its
characters are hashed, not the bytes they stand for. Before a draw a hall number may be called out;
it is used as typed, and is the empty text if there is none. Draws are numbered within the event. To
put items in drawn order:

1. For each item take the bytes, in UTF-8, of   secret|hall number|draw number|item
   that is four parts joined by the vertical bar (U+007C), the draw number in decimal digits
   without leading zeros.
2. Take the SHA-256 of those bytes.
3. Sort the items by that hash, ascending, as 32 unsigned bytes (or, which is the same, as 64
   lower-case hexadecimal digits). Equal hashes, should they ever occur, sort by item.

After the last draw of the event the secret is published: its SHA-256 must be the commitment.
Choosing an outcome would take both the secret and control of the hall number.

Item names in step 1: an entry is `entry:17`, a seat `seat:4:9` (table 4, seat 9), a card `card:Ks`,
an envelope of a mystery bounty `envelope:7`, a seat drawn for one entry alone `entry:17@seat:4:9`.
Each kind of draw below states how it uses the order.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tournaments.event.domain.cards import Card, deck

SEPARATOR = "|"
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


def entry_item(entry: int) -> str:
    """Return the name of an entry in a draw.

    >>> entry_item(17)
    'entry:17'
    """
    return f"entry:{entry}"


def seat_item(table: int, seat: int) -> str:
    """Return the name of a seat in a draw.

    >>> seat_item(4, 9)
    'seat:4:9'
    """
    return f"seat:{table}:{seat}"


def envelope_item(number: int) -> str:
    """Return the name of a mystery bounty envelope in a draw.

    >>> envelope_item(7)
    'envelope:7'
    """
    return f"envelope:{number}"


def draw_order(
    items: Iterable[str], *, secret: str, hall_number: str, draw_number: int
) -> tuple[str, ...]:
    """Return the items in drawn order, by the specification above.

    >>> draw_order(["entry:1", "entry:2", "entry:3"], secret="00ff", hall_number="", draw_number=2)
    ('entry:2', 'entry:3', 'entry:1')

    :raises ValueError: If an item comes twice, the secret is empty, or the secret or the hall
    number holds a bar.
    """
    listed = tuple(items)
    if len(set(listed)) < len(listed):
        raise ValueError("An item comes twice.")
    if not secret or SEPARATOR in secret or SEPARATOR in hall_number:
        raise ValueError("The secret is empty, or the secret or the hall number holds a bar.")
    prefix = f"{secret}{SEPARATOR}{hall_number}{SEPARATOR}{draw_number}{SEPARATOR}"

    def drawn(item: str) -> tuple[bytes, str]:
        return hashlib.sha256(f"{prefix}{item}".encode()).digest(), item

    return tuple(sorted(listed, key=drawn))


def shares(counts: Mapping[int, int], room: Mapping[int, int], people: int) -> dict[int, int]:
    """Return how many of `people` go to each table, as evenly as the free seats allow.

    Each person goes to the smallest table with a free seat, on a tie to the lowest number. So lower
    table numbers get the extra player.

    >>> shares({1: 0, 2: 0, 3: 0}, {1: 9, 2: 9, 3: 9}, 11)
    {1: 4, 2: 4, 3: 3}
    >>> shares({1: 8, 2: 6}, {1: 1, 2: 3}, 3)
    {1: 1, 2: 2}

    :raises ValueError: If there is not room for all.
    """
    if people > sum(room.values()):
        raise ValueError("There is not room for all.")
    given = dict.fromkeys(sorted(room), 0)
    # Level by level instead of person by person: the cost is tables times seats.
    level = min((counts.get(table, 0) for table in room), default=0)
    while people:
        for table in given:
            is_low = counts.get(table, 0) + given[table] <= level
            if people and is_low and given[table] < room[table]:
                given[table] += 1
                people -= 1
        level += 1
    return given


def seats_drawn(
    entries: Sequence[str],
    free: Mapping[int, Collection[int]],
    counts: Mapping[int, int],
    *,
    secret: str,
    hall_number: str,
    draw_number: int,
    apart: KeptApart = NOBODY,
) -> dict[str, Place]:
    """Seat entries in two steps, an order of players and an order of seats (TDA 2024 7 and 10).

    `shares` gives the number for each table from its players (`counts`; none for the whole field);
    each uses its first drawn free seats. The n-th drawn entry gets the n-th drawn of all these
    seats; wishes to keep apart follow `given_kept_apart`.

    >>> seats_drawn(["entry:1"], {3: [2]}, {3: 8}, secret="00ff", hall_number="", draw_number=1)
    {'entry:1': (3, 2)}

    :raises ValueError: If there are fewer free seats than entries, or an entry or seat comes twice.
    """
    given = shares(counts, {table: len(seats) for table, seats in free.items()}, len(entries))
    places = {seat_item(table, seat): (table, seat) for table in free for seat in free[table]}
    if len(places) < sum(map(len, free.values())):
        raise ValueError("A seat comes twice.")
    used: list[Place] = []
    for item in draw_order(places, secret=secret, hall_number=hall_number, draw_number=draw_number):
        table, seat = places[item]
        if given[table]:
            given[table] -= 1
            used.append((table, seat))
    players = draw_order(entries, secret=secret, hall_number=hall_number, draw_number=draw_number)
    return given_kept_apart(players, used, apart)


def seat_pool(
    room: Mapping[int, int], counts: Mapping[int, int], barred: Collection[int] = ()
) -> list[int]:
    """Return the tables for the draw of a single entry; see `seat_draw`.

    >>> seat_pool({1: 2, 2: 1, 3: 0}, {1: 7, 2: 7, 3: 5})
    [1, 2]
    >>> seat_pool({1: 2, 2: 1}, {1: 6, 2: 7}, barred=[1])
    [2]
    """
    able = [table for table, free in room.items() if free]
    able = [table for table in able if table not in barred] or able
    fewest = min((counts.get(table, 0) for table in able), default=None)
    return [table for table in able if counts.get(table, 0) == fewest]


def seat_draw(
    entry: str,
    free: Mapping[int, Collection[int]],
    counts: Mapping[int, int],
    *,
    secret: str,
    hall_number: str,
    draw_number: int,
    barred: Collection[int] = (),
) -> Place:
    """Draw the seat of one entry; early and late entries use the same pool (TDA 2024 8).

    The pool is the free seats of the smallest tables with a free seat, which keeps tables within
    one of each other. `barred` tables hold a person to keep apart from; they are left out while
    another table has a free seat. The first drawn seat is taken. The entry is part of the hash, so
    that two entries drawn with one number get independent results.

    >>> seat_draw("entry:9", {1: [4], 2: [1, 2]}, {1: 8, 2: 7},
    ...           secret="00ff", hall_number="", draw_number=1)
    (2, 1)

    :raises ValueError: If no seat is free.
    """
    pool = {
        f"{entry}@{seat_item(table, seat)}": (table, seat)
        for table in seat_pool({table: len(free[table]) for table in free}, counts, barred)
        for seat in free[table]
    }
    if not pool:
        raise ValueError("No seat is free.")
    order = draw_order(pool, secret=secret, hall_number=hall_number, draw_number=draw_number)
    return pool[order[0]]


def dealer_draw(
    seats: Sequence[int], *, secret: str, hall_number: str, draw_number: int
) -> dict[int, Card]:
    """Deal one card to each seat from a deck in drawn order, the lowest seat first (KRRU 3.0).

    Each table's draw needs its own number, or two tables get the same cards.

    >>> cards = dealer_draw([1, 2, 5], secret="00ff", hall_number="", draw_number=2)
    >>> [(seat, card.code) for seat, card in cards.items()]
    [(1, 'Kc'), (2, '3d'), (5, '8h')]

    :raises ValueError: If a seat comes twice or there are more seats than cards.
    """
    if len(set(seats)) < len(seats):
        raise ValueError("A seat comes twice.")
    cards = {f"card:{card.code}": card for card in deck()}
    if len(seats) > len(cards):
        raise ValueError("There are more seats than cards.")
    order = draw_order(cards, secret=secret, hall_number=hall_number, draw_number=draw_number)
    return {seat: cards[item] for seat, item in zip(sorted(seats), order, strict=False)}


# --- Keep people apart in a draw: the drawn seats stay, only who gets which changes


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
