"""Targets of moves: free seats for a player, shares for the tables that take a broken one."""

from dataclasses import dataclass

from tournaments.models import Event, Seating, Table
from tournaments.seating.domain.draws import shares
from tournaments.seating.selectors.tables import free_seats, table_counts

MOST_TABLES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table with free seats, to choose from."""

    number: int
    players: int
    seats: int
    free: tuple[int, ...]
    is_own: bool


def tables_open_to(event: Event, seating: Seating, *, number: int | None = None) -> list[OpenTable]:
    """Return tables with a free seat, emptiest first, the player's own last.

    In a large hall only the emptiest twelve; `number` selects one table.
    """
    own = seating.table.number
    ranked = sorted(
        table_counts(event), key=lambda count: (count.number == own, count.players, count.number)
    )
    wanted = [count for count in ranked if count.players < count.seats]
    if number is not None:
        wanted = [count for count in wanted if count.number == number]
    shown = wanted[:MOST_TABLES]
    free = free_seats(event, [count.number for count in shown])
    return [
        OpenTable(
            number=count.number,
            players=count.players,
            seats=count.seats,
            free=tuple(free[count.number]),
            is_own=count.number == own,
        )
        for count in shown
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The number of players another table takes from a broken one."""

    number: int
    takes: int
    players_after: int


def break_shares(event: Event, table: Table) -> list[Share]:
    """Return how many players go to which table. Players and seats are drawn later.

    :raises ValueError: If the other tables have not enough free seats.
    """
    counts = table_counts(event)
    here = next(count.players for count in counts if count.number == table.number)
    others = {count.number: count for count in counts if count.number != table.number}
    taken = shares(
        {number: count.players for number, count in others.items()},
        {number: count.seats - count.players for number, count in others.items()},
        here,
    )
    return [
        Share(number=number, takes=takes, players_after=others[number].players + takes)
        for number, takes in taken.items()
        if takes
    ]
