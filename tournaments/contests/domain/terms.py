"""The terms of a contest: the stack that goes on, further qualifications, the start of day 2."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from enum import StrEnum
from typing import Any

from tournaments.contests.domain.carrying import Forward, Further

MOST_CENTS = 100_000_000


class Begins(StrEnum):
    """The level at which the next day begins.

    At that of the flight that came least far, for its rest or whole, or by the day's own schedule.
    """

    REST = "rest"
    WHOLE = "whole"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a contest.

    :param further_cents: Paid from the pool for each further qualification.
    :param travel_cents: Paid to each qualified player at once, as a part of the prize.
    """

    forward: Forward = Forward.BEST
    further: Further = Further.NOTHING
    further_cents: int = 0
    travel_cents: int = 0
    begins: Begins = Begins.REST

    @property
    def bonus_cents(self) -> int:
        """Return what each further qualification takes from the pool."""
        return 0 if self.further is Further.NOTHING else self.further_cents

    def as_data(self) -> dict[str, Any]:
        """Return the stored form.

        >>> Terms(forward=Forward.SUM).as_data()["forward"]
        'sum'
        """
        return {
            name: value if isinstance(value, int) else str(value)
            for name, value in asdict(self).items()
        }


def terms_from(data: Mapping[str, Any]) -> Terms:
    """Return terms from their stored form.

    >>> terms_from({"forward": "first", "of a newer program": 1}).forward
    <Forward.FIRST: 'first'>
    """
    known = {one.name for one in fields(Terms)}
    values = {name: value for name, value in data.items() if name in known}
    for name, words in (("forward", Forward), ("further", Further), ("begins", Begins)):
        if name in values:
            values[name] = words(values[name])
    return Terms(**values)


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
