"""The picture of an evening: a bar a level, as wide as it lasts and as high as its blinds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import log

from clock.domain import Level

WIDTH, HEIGHT, FOOT, TOP = 640.0, 225.0, 201.0, 44.0
EDGE, GAP, LEAST = 4.0, 2.0, 13.0
USUAL = timedelta(minutes=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A level or a break in the picture.

    :param is_named: Whether its blinds stand above it: the first, the last before a break, the end.
    """

    level: Level
    left: float
    width: float
    top: float
    is_named: bool

    @property
    def height(self) -> float:
        return FOOT - self.top

    @property
    def middle(self) -> float:
        return self.left + self.width / 2

    @property
    def above(self) -> float:
        return self.top - 5

    @property
    def right(self) -> float:
        return self.left + self.width


def bars_of(levels: Sequence[Level]) -> list[Bar]:
    """Return the bars of a schedule, over the whole width.

    >>> minutes = timedelta(minutes=20)
    >>> rows = [Level(id=0, duration=minutes, big_blind=blind) for blind in (10, 100, 1000)]
    >>> [(round(bar.left), round(bar.width), round(bar.height)) for bar in bars_of(rows)]
    [(4, 209, 13), (215, 209, 85), (425, 209, 157)]
    """
    spans = [(level.duration or USUAL) / USUAL for level in levels]
    units = [level.unit for level in levels if level.unit]
    if not units:
        return []
    scale = (WIDTH - 2 * EDGE) / sum(spans)
    lowest, steps = min(units), log(max(units) / min(units)) or 1.0
    bars, left = [], EDGE
    for index, (level, span) in enumerate(zip(levels, spans, strict=True)):
        share = log((level.unit or lowest) / lowest) / steps
        following = levels[index + 1] if index + 1 < len(levels) else None
        bars.append(
            Bar(
                level=level,
                left=left,
                width=span * scale - GAP,
                top=TOP if level.is_break else FOOT - LEAST - share * (FOOT - LEAST - TOP),
                is_named=not level.is_break
                and (index == 0 or following is None or following.is_break),
            )
        )
        left += span * scale
    return bars


def played_until(levels: Sequence[Level], end: timedelta | None) -> list[Level]:
    """Return the rows begun before the end; all of them without one.

    >>> rows = [Level(id=n, duration=timedelta(minutes=20)) for n in range(4)]
    >>> [row.id for row in played_until(rows, timedelta(minutes=41))]
    [0, 1, 2]
    """
    if end is None:
        return list(levels)
    found, begun = [], timedelta()
    for level in levels:
        if begun >= end:
            break
        found.append(level)
        begun += level.duration or timedelta()
    while found and found[-1].is_break:
        found.pop()
    return found
