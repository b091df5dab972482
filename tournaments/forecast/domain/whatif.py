"""Alternatives to an evening: skip a break, change levels, take every add-on. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from math import exp, log

from tournaments.forecast.domain.end import Hall

SHRINKS_BY = 4.0
"""The number of average evenings mixed into a club's own average."""


def has_next_break(hall: Hall) -> bool:
    """Tell whether a break is still to come; the present one does not count."""
    return any(row.is_break for row in hall.stretches[1:])


def without_next_break(hall: Hall) -> Hall:
    """Return the evening without its next break; limits at its end move to the level before.

    >>> from tournaments.forecast.domain.end import Stretch
    >>> level, rest = Stretch(minutes=20, unit=10), Stretch(minutes=15, unit=0, is_break=True)
    >>> hall = Hall(left=9, entries=9, chips=900, stretches=[level, rest, level], late_through=1)
    >>> dropped = without_next_break(hall)
    >>> len(dropped.stretches), dropped.late_through
    (2, 0)
    """
    rows = list(hall.stretches)
    at = next((n for n, row in enumerate(rows) if n and row.is_break), None)
    if at is None:
        return hall
    del rows[at]
    moved = {
        name: position - (position >= at)
        for name in ("late_through", "rebuy_through", "addon_at")
        if (position := getattr(hall, name)) >= 0
    }
    return replace(hall, stretches=rows, **moved)


def usual_minutes(hall: Hall) -> int | None:
    """Return the usual length of the play levels to come, or None."""
    lengths = Counter(round(row.minutes) for row in hall.stretches[1:] if not row.is_break)
    return lengths.most_common(1)[0][0] if lengths else None


def with_minutes(hall: Hall, minutes: int) -> Hall:
    """Return the evening with this length for every play level to come; breaks stay.

    >>> from tournaments.forecast.domain.end import Stretch
    >>> level = Stretch(minutes=20, unit=10)
    >>> hall = Hall(left=9, entries=9, chips=900, stretches=[level, level])
    >>> [row.minutes for row in with_minutes(hall, 15).stretches]
    [20, 15]
    """
    first, *rest = hall.stretches
    changed = [row if row.is_break else replace(row, minutes=minutes) for row in rest]
    return replace(hall, stretches=[first, *changed])


def usual_pace(evenings: Iterable[tuple[float, float]]) -> float:
    """Return the club's relative pace, drawn towards 1 while its evenings are few.

    :param evenings: For each the lost stacks, and those expected for an average evening.

    >>> usual_pace([])
    1.0
    >>> 1 < usual_pace([(40, 20)]) < usual_pace([(40, 20)] * 9) < 2
    True
    """
    ratios = [log((lost + 1) / (expected + 1)) for lost, expected in evenings]
    return exp(sum(ratios) / (len(ratios) + SHRINKS_BY))
