"""The level of the next day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta


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
