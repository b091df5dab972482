"""Raise the levels that a corrected one has overtaken, in amounts that chips can pay."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import gcd

from clock.domain import Level
from tournaments.event.domain.planning.blind_steps import Step, climbed_on, steps_payable

LEAST_GROWTH, MOST_GROWTH, PERCENT = 1.2, 1.7, 200


def raised(
    levels: Sequence[Level], index: int, chips: Sequence[int], begun: Collection[int] = ()
) -> list[Level]:
    """Return the schedule with later levels of the same game raised above the one at `index`.

    They grow half as fast as the schedule, until it is reached again. Begun ones stay.

    >>> rows = [Level(id=n, small_blind=n * 25, big_blind=n * 50) for n in (8, 4, 6, 40)]
    >>> [(row.small_blind, row.big_blind) for row in raised(rows, 0, [25, 100])]
    [(200, 400), (400, 700), (600, 1200), (1000, 2000)]
    """
    level, rows = levels[index], list(levels)
    chip = gcd(min(chips, default=0), *level.amounts)
    following = [
        (at, row)
        for at, row in enumerate(rows)
        if at > index and not row.is_break and row.game == level.game and row.id not in begun
    ]
    highest = level.unit
    steps = _steps_above(level, [row.unit for _at, row in following], {chip, *chips})
    for (at, row), step in zip(following, steps, strict=False):
        if row.unit > highest:
            break
        rows[at] = _at_step(row, step, chip)
        highest = step.big_blind
    return rows


def overtaken_by(levels: Sequence[Level], index: int) -> int | None:
    """Return the row before of the same game that is higher than the one at `index`, or None.

    >>> rows = [Level(id=n, small_blind=n, big_blind=2 * n) for n in (2, 9, 4, 6)]
    >>> [overtaken_by(rows, index) for index in range(4)]
    [None, None, 1, None]
    """
    level = levels[index]
    earlier = [
        at for at, row in enumerate(levels[:index]) if not row.is_break and row.game == level.game
    ]
    if level.is_break or not earlier or levels[earlier[-1]].unit <= level.unit:
        return None
    return earlier[-1]


def _steps_above(level: Level, units: list[int], chips: Collection[int]) -> list[Step]:
    """Return as many steps as levels follow, growing half as fast as these."""
    growth = LEAST_GROWTH
    if len(units) > 1:
        halved = (units[-1] / units[0]) ** (1 / (2 * len(units) - 2))
        growth = min(max(halved, LEAST_GROWTH), MOST_GROWTH)
    chip, most = min(chips), int(level.unit * MOST_GROWTH ** len(units))
    values = {chip * 10**zeros for zeros in range(len(str(most // chip)))}
    steps = steps_payable(sorted(values.union(chips)), chip, most)
    first = Step(small_blind=level.small_blind, big_blind=level.unit, price=0)
    return climbed_on(steps, first, percent=PERCENT, growth=growth, until=most)


def _at_step(row: Level, step: Step, chip: int) -> Level:
    """Return a level with the step's blinds, or bets, and its other amounts in proportion."""

    def scaled(amount: int) -> int:
        return max(round(amount * step.big_blind / row.unit / chip), 1) * chip if amount else 0

    if not row.big_blind:
        bet, ante, bring_in = step.big_blind, scaled(row.ante), scaled(row.bring_in)
        return replace(row, small_bet=bet, big_bet=2 * bet, ante=ante, bring_in=bring_in)
    return replace(
        row,
        small_blind=step.small_blind,
        big_blind=step.big_blind,
        big_bet=2 * step.big_blind if row.big_bet else 0,
        ante=scaled(row.ante),
    )
