"""The end of an evening, estimated from its schedule only, without playing styles.

The rule of thumb for making schedules: the last two play for all chips, and finish once these are
about 20 big blinds. It shows where a schedule leads; the forecast (`forecast/domain/plan.py`) finds
the big blinds for an end on time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from math import log

from clock.domain import Level

END_BIG_BLINDS = 20
"""All chips in play at the end of an evening, in big blinds. Heads-up with ten big blinds each is
all in or fold, and takes at most one more level."""

SPREAD = 2
"""Factor of big blinds in play at an early end, divisor at a late end. With a growth of half per
level this is less than two levels either way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The end of an evening since its start; None beyond the schedule."""

    expected: timedelta | None
    early: timedelta | None
    late: timedelta | None


def end_of(levels: Sequence[Level], chips: int, big_blinds: int | Fraction = END_BIG_BLINDS) -> End:
    """Return the end of an evening with so many chips in play.

    >>> hour = timedelta(hours=1)
    >>> rows = [Level(id=n, duration=hour, big_blind=10 * 2**n) for n in range(4)]
    >>> end_of(rows, 800).expected, end_of(rows, 800).late, end_of(rows, 8000).late
    (datetime.timedelta(seconds=9000), datetime.timedelta(seconds=12600), None)
    """
    return End(
        expected=unit_reached(levels, Fraction(chips, big_blinds)),
        early=unit_reached(levels, Fraction(chips, big_blinds * SPREAD)),
        late=unit_reached(levels, Fraction(chips * SPREAD, big_blinds)),
    )


def unit_reached(levels: Sequence[Level], unit: Fraction) -> timedelta | None:
    """Return when the big blind (in stud the small bet) reaches `unit`; None if never.

    It grows exponentially from the middle of one level of play to the middle of the next.
    """
    middles = level_middles(levels)
    if not middles or unit > middles[-1][1]:
        return None
    before: tuple[timedelta, int] | None = None
    for at, reached in middles:
        if reached >= unit:
            return at if before is None else between(before, (at, reached), unit)
        before = (at, reached)
    return None


def between(
    first: tuple[timedelta, int], second: tuple[timedelta, int], unit: Fraction
) -> timedelta:
    """Return when a blind growing from `first` to `second`, each a time and an amount, is `unit`.

    >>> between((timedelta(0), 10), (timedelta(minutes=40), 40), Fraction(20))
    datetime.timedelta(seconds=1200)
    """
    share = log(unit / first[1]) / log(Fraction(second[1], first[1]))
    return first[0] + (second[0] - first[0]) * share


def level_middles(levels: Sequence[Level]) -> list[tuple[timedelta, int]]:
    """Return the middle of each level of play since the start, with its unit.

    A row of hands has no length: the list ends there.

    >>> rows = [Level(id=1, duration=timedelta(minutes=20), big_blind=2), Level(id=2, hands=9)]
    >>> level_middles(rows)
    [(datetime.timedelta(seconds=600), 2)]
    """
    found: list[tuple[timedelta, int]] = []
    at = timedelta()
    for level in levels:
        if level.duration is None:
            break
        if not level.is_break and level.unit > (found[-1][1] if found else 0):
            found.append((at + level.duration * 0.5, level.unit))
        at += level.duration
    return found
