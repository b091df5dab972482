"""The next day: its level, its tables, stacks of absent players, hand-for-hand over rooms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import count

from tournaments.seating.domain.seating import tables_needed


@dataclass(frozen=True, slots=True, order=True)
class Reached:
    """The level a flight stopped at, and the time left of it."""

    level: int
    left: timedelta


def level_of_next_day(flights: Iterable[Reached]) -> Reached:
    """Return the level of the flight that came least far: the smallest, with most time left.

    >>> minutes = lambda number: timedelta(minutes=number)
    >>> level_of_next_day([Reached(18, minutes(7)), Reached(17, minutes(12))]).level
    17

    :raises ValueError: There is no flight.
    """
    return min(flights, key=lambda reached: (reached.level, -reached.left))


def table_sizes(players: int, seats: int) -> dict[int, int]:
    """Return the number of tables by their size; sizes differ by one at most (TDA 2024 11).

    >>> table_sizes(451, 9), table_sizes(9, 9)
    ({9: 43, 8: 8}, {9: 1})
    """
    tables = tables_needed(players, seats)
    if not tables:
        return {}
    size, larger = divmod(players, tables)
    found = {size + 1: larger, size: tables - larger}
    return {size: number for size, number in found.items() if number}


@dataclass(frozen=True, slots=True, kw_only=True)
class Posts:
    """What a level takes from a stack: blinds, and the ante of the big blind or of everybody."""

    small_blind: int
    big_blind: int
    big_blind_ante: int = 0
    ante: int = 0


def blinded_out_in(stack: int, posts: Posts, players: int) -> int:
    """Return the hand in which an absent player's stack is gone; the first is the big blind.

    TDA 2024 30: absent stacks pay blinds and antes.

    >>> blinded_out_in(88000, Posts(small_blind=6000, big_blind=12000, big_blind_ante=12000), 9)
    20

    :raises ValueError: Nothing is posted.
    """
    if players < 2 or posts.small_blind + posts.big_blind + posts.ante <= 0:
        raise ValueError("Nothing is posted.")
    left = stack
    for hand in count(1):
        position = (hand - 1) % players
        left -= posts.ante
        if position == 0:
            left -= posts.big_blind + posts.big_blind_ante
        elif position == 1:
            left -= posts.small_blind
        if left <= 0:
            return hand
    raise AssertionError


# --- One round of hand-for-hand over the rooms of several events


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """An event in a common round: players left before it, tables, reports, and outs of it."""

    left: int
    tables: int
    reported: int = 0
    outs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonRound:
    """A round of hand-for-hand that all rooms play at once (TDA 2024 RP-8)."""

    rooms: Mapping[str, Room]

    @property
    def reports_needed(self) -> int:
        return sum(room.tables for room in self.rooms.values())

    @property
    def is_released(self) -> bool:
        """Tell whether the next hand may begin: every table of every room has reported."""
        return sum(room.reported for room in self.rooms.values()) >= self.reports_needed

    @property
    def left(self) -> int:
        return sum(room.left - room.outs for room in self.rooms.values())

    @property
    def place(self) -> int | None:
        """Return the place shared by all out in it at different tables; None without outs.

        >>> rooms = {"A": Room(left=600, tables=67, outs=3), "B": Room(left=404, tables=45, outs=2)}
        >>> CommonRound(rooms=rooms).place
        1000
        """
        return self.left + 1 if any(room.outs for room in self.rooms.values()) else None
