"""Spread players over tables: number of tables, moves, table to break."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from tournaments.seating.domain.button import TableView, next_big_blind, ring


@dataclass(frozen=True, slots=True)
class TableCount:
    """A table in play: its players and its usable seats.

    :raises ValueError: If more sit there than there are seats.
    """

    number: int
    players: int
    seats: int

    def __post_init__(self) -> None:
        if not 0 <= self.players <= self.seats:
            raise ValueError(f"{self.players} players on {self.seats} seats.")

    @property
    def is_full(self) -> bool:
        return self.players == self.seats


@dataclass(frozen=True, slots=True)
class Transfer:
    """A move of one player between two tables: their players before, and whether others tied."""

    from_table: int
    to_table: int
    from_players: int = field(default=0, compare=False)
    to_players: int = field(default=0, compare=False)
    from_is_tied: bool = field(default=False, compare=False)
    to_is_tied: bool = field(default=False, compare=False)


def tables_needed(players: int, seats: int) -> int:
    """Return how many tables of `seats` seats hold the players.

    >>> [tables_needed(players, 9) for players in (0, 9, 10, 10112)]
    [0, 1, 2, 1124]
    """
    return -(-players // seats)


def tables_wanted(
    *, here: int, registered: int, announced: int, seats: int, capacity: int, at_first: int = 0
) -> int:
    """Return how many tables to have open before the start, for walk-ins (TDA 2024 7).

    `here` includes the arrival to be seated, `announced` had registered before the first arrival.
    All registered players are expected, for the first tables also `at_first`. Once more came than
    announced, half a table more is expected: a table opens before the rest are full (ours).

    >>> said = {"registered": 19, "announced": 18, "seats": 9, "capacity": 40}
    >>> [tables_wanted(here=here, **said) for here in (18, 19, 23, 24)]
    [3, 3, 3, 4]
    >>> tables_wanted(here=1, registered=1, announced=1, seats=9, capacity=20, at_first=27)
    3
    """
    expected = max(here, registered, min(at_first, capacity))
    if here > announced:
        expected = max(expected, min(here + seats // 2, capacity))
    return tables_needed(expected, seats)


def attendance_expected(*, announced: int, last_time: int, seats: int) -> int:
    """Return the attendance to open the first tables for (ours).

    The number registered. If only the first arrival is registered: the attendance of the last
    event, or three full tables if unknown.

    >>> known = ((5, 30), (1, 30), (1, 0))
    >>> [attendance_expected(announced=now, last_time=then, seats=9) for now, then in known]
    [5, 30, 27]
    """
    return announced if announced > 1 else last_time or 3 * seats


def balancing_moves(counts: Sequence[TableCount], tolerance: int = 1) -> tuple[Transfer, ...]:
    """Return the fewest moves that balance the tables.

    Each goes from the largest table to the smallest with a free seat, ties to the lowest table
    number (TDA 2024 11-C requires a published procedure: this one). Cost: n log n for n tables.

    >>> [move] = balancing_moves([TableCount(1, 8, 9), TableCount(2, 9, 9), TableCount(3, 6, 9)])
    >>> (move.from_table, move.from_players, move.to_table, move.to_players)
    (2, 9, 3, 6)

    :raises ValueError: If the tolerance is below 1.
    """
    if tolerance < 1:
        raise ValueError("Tables can always be brought within 1 of each other, not closer.")
    largest = [(-count.players, count.number) for count in counts]
    smallest = [(count.players, count.number, count.seats) for count in counts if not count.is_full]
    heapify(largest)
    heapify(smallest)
    moves = []
    # A giving table stays within one of the largest, a taking one within one of the smallest; no
    # table does both, so each heap only tracks its own changes.
    while smallest and -largest[0][0] - smallest[0][0] > tolerance:
        less, source = heappop(largest)
        players, target, seats = heappop(smallest)
        moves.append(
            Transfer(
                source,
                target,
                from_players=-less,
                to_players=players,
                from_is_tied=bool(largest) and largest[0][0] == less,
                to_is_tied=bool(smallest) and smallest[0][0] == players,
            )
        )
        heappush(largest, (less + 1, source))
        if players + 1 < seats:
            heappush(smallest, (players + 1, target, seats))
    return tuple(moves)


def table_to_break(
    counts: Sequence[TableCount],
    seats_per_table: int,
    order: Sequence[int] = (),
    *,
    awaited: int = 0,
) -> int | None:
    """Return the table to break now if the other tables can hold all players, or None.

    It is the first table in play of the published order. Tables missing from the order follow it,
    highest number first. No table is filled beyond `seats_per_table`. `awaited` players may still
    come and must fit too.

    >>> counts = [TableCount(1, 6, 9), TableCount(2, 6, 9), TableCount(3, 6, 9)]
    >>> table_to_break(counts, 9), table_to_break(counts, 9, [2, 3, 1]), table_to_break(counts, 8)
    (3, 2, None)
    >>> table_to_break(counts, 9, awaited=1)
    """
    if len(counts) < 2:
        return None
    first = next_to_break([count.number for count in counts], order)
    room = sum(min(count.seats, seats_per_table) for count in counts if count.number != first)
    return first if sum(count.players for count in counts) + awaited <= room else None


def next_to_break(numbers: Collection[int], order: Sequence[int] = ()) -> int:
    """Return the next table in the breaking order, whether due now or later.

    >>> next_to_break([1, 2, 5]), next_to_break([1, 2, 5], [4, 2, 1])
    (5, 2)
    """
    return next((number for number in order if number in numbers), max(numbers))


def tables_kept(seats: Mapping[int, int], players: int, order: Sequence[int] = ()) -> list[int]:
    """Return the fewest tables that hold the field, for a redraw (ours): the last to break.

    `seats` are the usable seats by table number.

    >>> tables_kept({1: 9, 2: 9, 3: 9}, 16), tables_kept({1: 9, 2: 9, 3: 9}, 9, order=[1, 3, 2])
    ([1, 2], [2])
    """
    left = dict(seats)
    while len(left) > 1:
        first = next_to_break(left, order)
        if sum(left.values()) - left[first] < players:
            break
        del left[first]
    return sorted(left)


def redraw_due(entries: int, left: int, at: Collection[int], last: int | None = None) -> int | None:
    """Return the number of players at which a redraw is due now, or None.

    It is the smallest number of `at` the field has reached, unless a redraw was made at that number
    or below; `last` is the size of the field at the latest redraw (ours).

    >>> redraw_due(60, 27, [36, 27, 18]), redraw_due(60, 26, [36, 27, 18], last=27)
    (27, None)
    """
    reached = [number for number in at if left <= number < entries]
    if not reached or (last is not None and last <= min(reached)):
        return None
    return min(reached)


# --- Tables to halt because they are far short (TDA 2024 11-D)


def far_short(counts: Sequence[TableCount], short_by: int) -> dict[int, int]:
    """Return the tables at least `short_by` players below the fullest, with their shortage.

    A full or empty table is never short (TDA 2024 11-D).

    >>> far_short([TableCount(1, 9, 9), TableCount(2, 6, 9), TableCount(3, 7, 9)], 3)
    {2: 3}
    """
    most = max((count.players for count in counts), default=0)
    return {
        count.number: most - count.players
        for count in counts
        if count.players and not count.is_full and most - count.players >= short_by
    }


def blinds_affected(view: TableView, emptied: Collection[int]) -> bool | None:
    """Return whether the next big blind would fall on a seat emptied by an elimination.

    `emptied` are those seats; with none, the result is False. None while the button is unknown:
    then staff has to look (TDA 2024 11-D with its addendum). Where only the button is known, every
    seat from it up to the big blind counts.

    >>> view = TableView(4, 9, {1: 11, 2: 12, 5: 15, 6: 16}, button=1)
    >>> blinds_affected(view, [3]), blinds_affected(view, [8])
    (True, False)
    >>> posted = TableView(1, 9, {1: 11, 3: 13, 4: 14}, button=1, small_blind=2, big_blind=3)
    >>> blinds_affected(posted, [2])
    False
    """
    if not any(seat not in view.players for seat in emptied):
        return False
    if view.button is None or not view.playing:
        return None
    begins = view.button if view.big_blind is None else view.big_blind
    way = ring(view.seats, range(1, view.seats + 1), begins)
    passed = way[: way.index(next_big_blind(view))]
    return any(seat in emptied and seat not in view.players for seat in passed)
