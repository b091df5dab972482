"""A finished event as pictures, players left by time and knockouts; a season as bars.

Lengths are in the pictures' view boxes, whole numbers; a width of 320 fits a small phone, so that
text in a picture is readable there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

# --- Counted stacks of an event as a picture of the leaders by time


MOST_LINES = 5
FOR_NUMBERS = 16
"""Room at the right for the numbers at the ends of the lines."""
A_NUMBER = 14
Counts = Sequence[tuple[float, Mapping[int, int]]]
Spots = Callable[[float, int], tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLine:
    """One player's stack by time; the number is at the line's end."""

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

    :param end: The event's duration in minutes, as the counts.
    :param first_mark: The first minute at a full hour; marks follow hourly.

    >>> picture = stack_lines([(0, {1: 20, 2: 20}), (60, {1: 40})], end=60, first_mark=0)
    >>> [(line.path, line.number_x, line.number_y) for line in picture.lines]
    [('M34 86 L298 14', 308, 14), ('M34 86', 44, 86)]
    >>> stack_lines([(0, {1: 20})], end=60, first_mark=0)
    """
    top = max((max(stacks.values(), default=0) for _at, stacks in counts), default=0)
    if len(counts) < 2 or end <= 0 or top <= 0:
        return None
    spot = _spots(end, top, WIDTH - LEFT - RIGHT - FOR_NUMBERS)
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
    return StackLines(lines=tuple(found), **_axes(spot, end, top, first_mark))


def _spots(end: float, most: int, wide: int) -> Spots:
    """Return where a number at a minute stands in a picture of this height."""
    high = HEIGHT - TOP - BOTTOM
    return lambda minute, number: (
        LEFT + round(minute / end * wide), TOP + high - round(number / most * high)
    )  # fmt: skip


def _axes(
    spot: Spots, end: float, most: int, first_mark: int
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return the levels of the most and its half, and a limited number of full hours."""
    apart = 60 * max(1, ceil(end / 60 / MOST_MARKS))
    return {
        "levels": tuple((spot(0, number)[1], number) for number in sorted({most, most // 2} - {0})),
        "marks": tuple((spot(at, 0)[0], at) for at in range(first_mark, ceil(end), apart)),
    }


def _free(x: int, y: int, taken: Sequence[tuple[int, int]]) -> int:
    """Return a height near y without another number.

    >>> _free(44, 86, [(44, 86)]), _free(44, 86, [(90, 86)])
    (100, 86)
    """
    near = [other for at, other in taken if abs(at - x) < A_NUMBER]
    while any(abs(other - y) < A_NUMBER for other in near):
        y += 1
    return y


WIDTH, HEIGHT = 320, 180
LEFT, RIGHT, TOP, BOTTOM = 34, 6, 14, 22
MOST_MARKS = 5
MOST_ROWS = 25
MOST_HUNTERS = 12
LONGEST_NAME = 26
A_ROW, STEP, RADIUS = 9, 34, 15
NAME_HIGH, GAP = 26, 12
NOON, DAY = 12, 24
HALF_HOUR = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The number of players left by time.

    :param levels: Heights of the marks at the left, with the number left.
    :param marks: Positions of the marks below, each with its minute.
    """

    line: str
    area: str
    levels: tuple[tuple[int, int], ...]
    marks: tuple[tuple[int, int], ...]


def steps_of(ins: Iterable[float], outs: Iterable[float], end: float) -> list[tuple[float, int]]:
    """Return the number left from each minute on; changes before the start count at it.

    >>> steps_of([-20, -5, 30], [30, 60, 90], end=90)
    [(0.0, 2), (30.0, 2), (60.0, 1), (90.0, 0)]
    """
    changes: dict[float, int] = {0.0: 0}
    for sign, minutes in ((1, ins), (-1, outs)):
        for minute in minutes:
            at = float(min(max(minute, 0), end))
            changes[at] = changes.get(at, 0) + sign
    left, found = 0, []
    for at in sorted(changes):
        left += changes[at]
        found.append((at, left))
    return found


def left_at(steps: Sequence[tuple[float, int]], minute: float) -> int:
    """Return the number left at a minute.

    >>> left_at([(0, 9), (30, 8), (60, 1)], 59)
    8
    """
    return next((left for at, left in reversed(steps) if at <= minute), 0)


def rows_of(end: float) -> list[int]:
    """Return the minutes for an event's table, with both ends, a limited number.

    >>> rows_of(75), rows_of(60)
    ([0, 30, 60, 75], [0, 30, 60])
    """
    apart = HALF_HOUR * max(1, ceil(end / (HALF_HOUR * (MOST_ROWS - 2))))
    last = max(0, round(end))
    return [*range(0, last, apart), last]


def curve_of(steps: Sequence[tuple[float, int]], end: float, first_mark: int) -> Curve | None:
    """Return the picture of the steps; None without changes or duration.

    >>> curve_of([(0, 4), (60, 2), (120, 1)], end=120, first_mark=30).line
    'M34 14 H174 V86 H314 V122'
    >>> curve_of([(0, 4)], end=120, first_mark=0)
    """
    most = max((left for _at, left in steps), default=0)
    if len(steps) < 2 or end <= 0 or most <= 0:
        return None
    spot = _spots(end, most, WIDTH - LEFT - RIGHT)
    (_x, first), *spots = [spot(at, left) for at, left in steps]
    line = f"M{LEFT} {first}" + "".join(f" H{x} V{y}" for x, y in spots)
    right, ground = spot(end, 0)
    area = f"{line} H{right} V{ground} H{LEFT} Z"
    return Curve(line=line, area=area, **_axes(spot, end, most, first_mark))


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A knocked-out player as a disc with initials; `is_shared`: several takers."""

    x: int
    y: int
    text: str
    is_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HunterRow:
    """A hunter: name, position, and a disc for each knockout."""

    name: str
    y: int
    discs: tuple[Disc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunt:
    """Knockouts as rows of discs, by hunter."""

    rows: tuple[HunterRow, ...]
    height: int


def hunt_of(hunters: Sequence[tuple[str, Sequence[tuple[str, bool]]]]) -> Hunt | None:
    """Return the picture of the first hunters, None without any.

    :param hunters: Each name with the victims: initials, and whether the knockout was shared.

    >>> hunt = hunt_of([("Anna", [("BB", False)] * 10), ("Bert", [("CC", True)])])
    >>> [(row.name, row.y, len(row.discs)) for row in hunt.rows], hunt.height
    ([('Anna', 16, 10), ('Bert', 122, 1)], 166)
    >>> hunt_of([])
    """
    if not hunters:
        return None
    top, rows = 0, []
    for name, heads in hunters[:MOST_HUNTERS]:
        first = top + NAME_HIGH + RADIUS + 1
        discs = tuple(
            Disc(
                x=RADIUS + 1 + at % A_ROW * STEP,
                y=first + at // A_ROW * STEP,
                text=text,
                is_shared=is_shared,
            )
            for at, (text, is_shared) in enumerate(heads)
        )
        rows.append(HunterRow(name=shortened(name), y=top + 16, discs=discs))
        top += NAME_HIGH + ceil(len(heads) / A_ROW) * STEP + GAP
    return Hunt(rows=tuple(rows), height=top - GAP)


def shortened(name: str) -> str:
    """Return a name shortened to fit a line of the picture.

    >>> shortened("Anna"), len(shortened("x" * 200))
    ('Anna', 26)
    """
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def evening_hours(hours: Iterable[int]) -> list[int]:
    """Return all hours of the day from the first of these to the last.

    A day begins at noon, so that midnight is in its middle.

    >>> evening_hours([1, 19, 22]), evening_hours([])
    ([19, 20, 21, 22, 23, 0, 1], [])
    """
    since_noon = [(hour - NOON) % DAY for hour in hours]
    if not since_noon:
        return []
    return [(hour + NOON) % DAY for hour in range(min(since_noon), max(since_noon) + 1)]


# --- A season as bars, with a table behind it


BARS_WIDTH, BARS_HEIGHT = 640, 200
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
    step = BARS_WIDTH / max(LEAST_BARS, len(shown))
    found = []
    for at, value in enumerate(shown):
        height = BARS_HEIGHT * max(0, value) // most
        x, width = round(at * step), max(1, int(step * 0.9))
        found.append(Bar(at=first + at, x=x, y=BARS_HEIGHT - height, width=width, height=height))
    return found
