"""The steps of a blind schedule: payable bets, and the smoothest way up through them.

Stacks and colour-ups are decided elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

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


Crossing = Callable[[int, int, int], float | None]


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
    crossing: Crossing,
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
    """Return the steps of a way in order."""
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
        found.append(min(nearby, key=lambda one: _away(one, before * growth)))
    return found[1:]


def _away(step: Step, wanted: float) -> float:
    return log(step.big_blind / wanted) ** 2 + step.price
