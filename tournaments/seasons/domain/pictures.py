"""A season as bars for an SVG, with a table behind it.

Lengths are in the picture's view box, whole numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 200
MOST_BARS = 120
# Limits the width: a single event is still a bar.
LEAST_BARS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar from the bottom up; `at` is the number of its value."""

    at: int
    x: int
    y: int
    width: int
    height: int


def bars(values: Sequence[int]) -> list[Bar]:
    """Return bars from left to right, scaled to the highest; of very many only the last.

    Values that are not above zero have no height.

    >>> [(bar.x, bar.y, bar.width, bar.height) for bar in bars([50, 100])]
    [(0, 100, 72, 100), (80, 0, 72, 200)]
    """
    first = max(0, len(values) - MOST_BARS)
    shown, most = values[first:], max([1, *values])
    step = WIDTH / max(LEAST_BARS, len(shown))
    found = []
    for at, value in enumerate(shown):
        height = HEIGHT * max(0, value) // most
        x, width = round(at * step), max(1, int(step * 0.9))
        found.append(Bar(at=first + at, x=x, y=HEIGHT - height, width=width, height=height))
    return found
