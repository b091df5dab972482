"""Games and limits for schedules, screens and tables.

Legal bets and raises are not computed here.
"""

from enum import StrEnum

from clock.domain import LimitKind

__all__ = ["Game", "LimitKind", "final_table_size", "seat_limit", "shows_big_bet"]

MOST_SEATS = 10  # KRRU 3.0: two to ten players at a table
FEWEST_SEATS = 2
MOST_STUD_SEATS = 8  # seven cards each from a deck of 52


class Game(StrEnum):
    """A game of a level (KRRU 3.0, WIESBADEN, STUD)."""

    HOLDEM = "holdem"
    OMAHA = "omaha"
    STUD = "stud"


def shows_big_bet(limit: LimitKind) -> bool:
    """Return whether to show and speak the big bet of a level.

    Only split limit has two fixed bets, the big one for the later betting rounds (STEFFEN, STUD).
    Spread limit allows any bet between two amounts; a schedule's big bet is neither of them (our
    reading).

    >>> [limit.value for limit in LimitKind if shows_big_bet(limit)]
    ['split_limit']
    """
    return limit is LimitKind.SPLIT_LIMIT


def seat_limit(game: Game) -> int:
    """Return the most seats at a table: 8 in stud, else 10 (KRRU 3.0, TDA 2024).

    >>> seat_limit(Game.STUD), seat_limit(Game.OMAHA)
    (8, 10)
    """
    return MOST_STUD_SEATS if game is Game.STUD else MOST_SEATS


def final_table_size(seats_per_table: int) -> int:
    """Return the size of the final table (TDA 2024 RP-9; other sizes keep their own, ours).

    >>> {seats: final_table_size(seats) for seats in (10, 9, 8, 7, 6, 5)}
    {10: 10, 9: 9, 8: 9, 7: 7, 6: 7, 5: 5}
    """
    return {8: 9, 6: 7}.get(seats_per_table, seats_per_table)
