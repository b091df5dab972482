"""The next day: its level, its tables, stacks of absent players."""

from collections.abc import Iterable
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
