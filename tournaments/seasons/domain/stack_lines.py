"""Counted stacks of an event as a picture of the leaders by time. Pure.

Lengths are in the picture's view box, as for the curve beside it (`review`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from tournaments.seasons.domain.review import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MOST_MARKS,
    RIGHT,
    TOP,
    WIDTH,
)

MOST_LINES = 5
FOR_NUMBERS = 16
"""Room at the right for the numbers at the ends of the lines."""
A_NUMBER = 14
Counts = Sequence[tuple[float, Mapping[int, int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLine:
    """One player's stack by time; the number is at the line's end.

    :param key: The player.
    :param points: The counts.
    :param number_y: Height of the number: near the end, without overlap.
    """

    key: int
    number: int
    path: str
    points: tuple[tuple[int, int], ...]
    number_x: int
    number_y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLines:
    """The lines of the leaders, with heights and hours like `review.Curve`."""

    lines: tuple[StackLine, ...]
    levels: tuple[tuple[int, int], ...]
    marks: tuple[tuple[int, int], ...]


def leaders_of(counts: Counts) -> list[int]:
    """Return the players with the largest stacks of any count, by their latest stack.

    >>> leaders_of([(60, {1: 30, 2: 20, 3: 10}), (120, {1: 10, 2: 50})])
    [2, 1, 3]
    >>> leaders_of([(60, {key: key for key in range(1, 10)})])
    [9, 8, 7, 6, 5]
    """
    most: dict[int, int] = {}
    for _at, stacks in counts:
        for key, stack in stacks.items():
            most[key] = max(most.get(key, 0), stack)
    best = sorted(most, key=lambda key: (-most[key], key))[:MOST_LINES]
    last = counts[-1][1] if counts else {}
    return sorted(best, key=lambda key: (-last.get(key, 0), -most[key], key))


def stack_lines(counts: Counts, end: float, first_mark: int) -> StackLines | None:
    """Return the picture of the leaders; None with fewer than two counts.

    :param counts: The counts, by minute and player, in order.
    :param end: The event's duration in minutes.
    :param first_mark: The first minute at a full hour; marks follow hourly.

    >>> picture = stack_lines([(0, {1: 20, 2: 20}), (60, {1: 40})], end=60, first_mark=0)
    >>> [(line.path, line.number_x, line.number_y) for line in picture.lines]
    [('M34 86 L298 14', 308, 14), ('M34 86', 44, 86)]
    >>> stack_lines([(0, {1: 20})], end=60, first_mark=0)
    """
    top = max((max(stacks.values(), default=0) for _at, stacks in counts), default=0)
    if len(counts) < 2 or end <= 0 or top <= 0:
        return None
    wide, high = WIDTH - LEFT - RIGHT - FOR_NUMBERS, HEIGHT - TOP - BOTTOM

    def spot(minute: float, stack: int) -> tuple[int, int]:
        return LEFT + round(minute / end * wide), TOP + high - round(stack / top * high)

    found: list[StackLine] = []
    for number, key in enumerate(leaders_of(counts), start=1):
        points = tuple(spot(at, stacks[key]) for at, stacks in counts if key in stacks)
        x, y = points[-1]
        taken = [(line.number_x, line.number_y) for line in found]
        found.append(
            StackLine(
                key=key,
                number=number,
                path="M" + " L".join(f"{x} {y}" for x, y in points),
                points=points,
                number_x=x + 10,
                number_y=_free(x + 10, y, taken),
            )
        )
    apart = 60 * max(1, ceil(end / 60 / MOST_MARKS))
    return StackLines(
        lines=tuple(found),
        levels=tuple((spot(0, stack)[1], stack) for stack in sorted({top, top // 2} - {0})),
        marks=tuple((spot(at, 0)[0], at) for at in range(first_mark, ceil(end), apart)),
    )


def _free(x: int, y: int, taken: Sequence[tuple[int, int]]) -> int:
    """Return a height near y without another number.

    >>> _free(44, 86, [(44, 86)]), _free(44, 86, [(90, 86)])
    (100, 86)
    """
    near = [other for at, other in taken if abs(at - x) < A_NUMBER]
    while any(abs(other - y) < A_NUMBER for other in near):
        y += 1
    return y
