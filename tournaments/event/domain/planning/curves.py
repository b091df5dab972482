"""The depth of stacks through an evening: the average stack in big blinds, as chart and table.

The number of players left is estimated by a curve; actual events are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from math import log

from clock.domain import Level
from tournaments.event.domain.planning.evening_end import end_of, level_middles

WIDTH, HEIGHT = 480, 220
MARKS = (5, 10, 20, 50, 100, 200, 500)
"""The horizontal lines of the chart, in big blinds."""
LEAST, DEEPEST = 2, 500
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """The average stack in big blinds at a time since the start."""

    at: timedelta
    big_blinds: float


def depths(
    levels: Sequence[Level], *, players: int, stack: int, lasts: timedelta | None = None
) -> list[Depth]:
    """Return the average depth in the middle of each level, until the expected end.

    Players leave exponentially, from all at the start to one at the end (or at the end of a
    schedule that is too short).

    :param lasts: When it ends, where somebody knows better than the rule of thumb.

    >>> rows = [Level(id=n, duration=HOUR, big_blind=10 * 2**n) for n in range(4)]
    >>> [(point.at / HOUR, round(point.big_blinds)) for point in depths(rows, players=8, stack=100)]
    [(0.5, 15), (1.5, 17), (2.5, 20)]
    """
    middles = level_middles(levels)
    if not middles:
        return []
    lasts = lasts or end_of(levels, players * stack).expected or middles[-1][0]
    found = []
    for at, unit in middles:
        if at > lasts:
            break
        left = players ** (1 - at / lasts)
        found.append(Depth(at=at, big_blinds=players * stack / left / unit))
    return found


def depth_at(points: Sequence[Depth], at: timedelta) -> int | None:
    """Interpolate the big blinds at a time; None outside of the points.

    >>> points = [Depth(at=HOUR * n, big_blinds=100 / (n + 1)) for n in range(3)]
    >>> depth_at(points, HOUR / 2), depth_at(points, 3 * HOUR)
    (75, None)
    """
    for one, following in pairwise(points):
        if one.at <= at <= following.at:
            share = (at - one.at) / (following.at - one.at)
            return round(one.big_blinds + (following.big_blinds - one.big_blinds) * share)
    return None


def path_of(points: Sequence[Depth], longest: timedelta) -> str:
    """Return the points as an SVG path of WIDTH by HEIGHT, on a logarithmic scale.

    >>> path_of([Depth(at=timedelta(0), big_blinds=500), Depth(at=HOUR, big_blinds=2)], 2 * HOUR)
    'M0 0 L240 220'
    """
    drawn = [f"{round(WIDTH * (one.at / longest))} {height_of(one.big_blinds)}" for one in points]
    return f"M{' L'.join(drawn)}" if drawn else ""


def height_of(big_blinds: float) -> int:
    """Return the distance from the top for so many big blinds.

    >>> height_of(500), height_of(2), height_of(1)
    (0, 220, 220)
    """
    depth = min(max(big_blinds, LEAST), DEEPEST)
    return round(HEIGHT * (1 - log(depth / LEAST) / log(DEEPEST / LEAST)))
