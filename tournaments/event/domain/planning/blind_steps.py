"""The steps of a blind schedule: payable bets, and the smoothest way up through them.

Stacks and colour-ups are decided elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import log

from clock.domain import Level

# --- The depth of stacks through an evening: the average stack in big blinds, as chart and table


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


MULTIPLES = (*range(1, 11), 12, 14, 15, 16, 18, 20, 24, 25, 30, 32, 36, 40, 50, 60, 80, 100, 120,
             150, 160, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000)  # fmt: skip
TWO_DIGITS = (*range(10, 20), *range(20, 50, 2), *range(50, 100, 5))
FEW_PIECES = 12
PLAIN = frozenset({1, 2, 3, 4, 5, 6, 8})
NEARLY_PLAIN = frozenset({12, 15, 16, 24, 25, 7, 9})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The blinds of a level, in chips; `price` is their penalty: odd, or many pieces."""

    small_blind: int
    big_blind: int
    price: float


def steps_payable(
    values: Sequence[int], least: int, most: int, *, is_fine: bool = False
) -> list[Step]:
    """Return the payable blinds with a big blind from `least` to `most`, the smallest first.

    Both blinds are multiples of the smallest chip, so that they can be posted with change.

    :param is_fine: Whether amounts that nobody would choose are among them, as 130 or 2,200.

    >>> [(step.small_blind, step.big_blind) for step in steps_payable([25, 100], 25, 200)]
    [(25, 25), (25, 50), (50, 75), (50, 100), (75, 125), (75, 150), (100, 175), (100, 200)]
    >>> [step.big_blind for step in steps_payable([100], 1800, 2400)]
    [1800, 2000, 2400]
    >>> [step.big_blind for step in steps_payable([100], 1800, 2400, is_fine=True)]
    [1800, 1900, 2000, 2200, 2400]
    """
    smallest = min(values)
    wanted = {times * value for value in values for times in MULTIPLES}
    if is_fine:
        wanted |= {times * smallest for times in TWO_DIGITS}
        wanted |= {times * 10**zeros for zeros in range(len(str(most))) for times in TWO_DIGITS}
    amounts = {one for one in wanted if least <= one <= most and one % smallest == 0}
    return [_step(amount, tuple(sorted(values))) for amount in sorted(amounts)]


@lru_cache(maxsize=20_000)
def _step(big: int, values: tuple[int, ...]) -> Step:
    """Return the step with about half the big blind as small blind, in the largest chips."""
    for value in reversed(values):
        small = (big + value) // (2 * value) * value
        if big % value == small % values[0] == 0 and big <= 3 * small <= 2 * big:
            return Step(small_blind=small, big_blind=big, price=_price(big, value))
    return Step(small_blind=big, big_blind=big, price=_price(big, big))


def _price(big: int, chip: int) -> float:
    digits = int(str(big).rstrip("0"))
    odd = 0.0 if digits in PLAIN else 0.01 if digits in NEARLY_PLAIN else 0.04
    return odd + 0.004 * max(0, big // chip - FEW_PIECES)


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to a step: its price, the index of the step, and the way before."""

    price: float
    index: int
    before: _Way | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """The steps found, by level; without a way, the highest reached.

    :param highest: The largest big blind that could be reached in time.
    :param is_stuck: Whether the steps there are lie too far apart to go on.
    """

    steps: tuple[Step, ...]
    highest: int
    is_stuck: bool


def climb(
    steps: Sequence[Step],
    percent: int,
    *,
    goal: int,
    levels: int,
    first: Callable[[Step], float | None],
    crossing: Callable[[int, int, int], float | None],
) -> Climb:
    """Return the smoothest way from the first level over `goal`, by least squares of growth.

    :param percent: The largest growth from level to level: 150 is by half.
    :param levels: How many levels of play there may be.
    :param first: What is against beginning with a step; None where it must not be.
    :param crossing: What is against passing the goal after so many levels, from a big blind to
        another; None where it must not be.
    """
    bigs = [step.big_blind for step in steps]
    smalls = [step.small_blind for step in steps]
    logs, prices = [log(big) for big in bigs], [step.price for step in steps]
    ways = {
        index: _Way(price + step.price, index, None)
        for index, step in enumerate(steps)
        if step.big_blind < goal and (price := first(step)) is not None
    }
    below, best, highest, is_stuck = bisect_left(bigs, goal), None, 0, False
    for done in range(1, levels):
        if not ways:
            break
        highest = max(highest, bigs[max(ways)])
        after: dict[int, _Way] = {}
        for index, way in ways.items():
            last = bisect_right(bigs, bigs[index] * percent // 100)
            for to in range(index + 1, last):
                if smalls[to] < smalls[index]:
                    continue
                grown = way.price + (logs[to] - logs[index]) ** 2 + prices[to]
                if to >= below:
                    passed = crossing(done, bigs[index], bigs[to])
                    if passed is not None and (best is None or grown + passed < best.price):
                        best = _Way(grown + passed, to, way)
                elif to not in after or grown < after[to].price:
                    after[to] = _Way(grown, to, way)
        is_stuck = not after
        ways = after
    found = () if best is None else tuple(steps[index] for index in _indices(best))
    return Climb(steps=found, highest=highest, is_stuck=is_stuck)


def _indices(way: _Way) -> list[int]:
    found: list[int] = []
    step: _Way | None = way
    while step is not None:
        found.append(step.index)
        step = step.before
    return found[::-1]


def climbed_on(
    steps: Sequence[Step], last: Step, *, percent: int, growth: float, until: int
) -> list[Step]:
    """Return further steps after `last`, growing by about `growth`, up to a big blind of `until`.

    >>> steps = steps_payable([25, 100], 25, 1000)
    >>> more = climbed_on(steps, steps[3], percent=160, growth=1.5, until=400)
    >>> [step.big_blind for step in more]
    [150, 200, 300, 400]
    """
    found = [last]
    while found[-1].big_blind < until:
        before, small = found[-1].big_blind, found[-1].small_blind
        nearby = [
            one
            for one in steps
            if before < one.big_blind <= before * percent // 100 and one.small_blind >= small
        ]
        if not nearby:
            break
        wanted = before * growth
        nearest = min(nearby, key=lambda one: log(one.big_blind / wanted) ** 2 + one.price)
        found.append(nearest)
    return found[1:]


# --- The end of an evening, estimated from its schedule only, without playing styles


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
