"""When an evening will be over: many ways it may go on, and where most of them end.

Nothing here knows the present time. The ways are drawn from a generator that is handed in, so that
the same evening gives the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tournaments.forecast.domain.calibrated import MODEL
from tournaments.forecast.domain.rates import Model, Numbers, loss_rates

WAYS = 400
STEP = 3.0
LONGEST = 24 * 60.0
"""Minutes. What is not over by then cannot be foreseen."""

BAND = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A row of the schedule that is still to come, or what is left of the one that is on.

    :param minutes: How long it lasts. The last one lasts until there is a winner.
    :param unit: The big blind, in stud the small bet; without meaning in a break.
    """

    minutes: float
    unit: int
    is_break: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast it goes compared with other evenings, as far as was seen.

    :param losses: Stacks lost so far, re-bought ones included.
    :param expected: How many that would have been by each kind of poker, see `losses_expected`;
        empty while nothing was played.
    :param usual: What the club's evenings come to, compared with those the model was made of.
    """

    losses: float = 0.0
    expected: tuple[float, ...] = ()
    usual: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """An evening as it stands, all that a forecast rests on. Chips are in play, in all.

    :param stretches: What is still to be played, the rest of the level that is on first.
    :param to_come: Entries still expected, each with `stack` chips.
    :param late_through: The position of the stretch with whose end nobody may enter any more; -1:
        nobody may.
    :param rebuy_share: How many of those who lose all buy again, 0 to 1.
    :param rebuy_through: The position of the stretch with whose end that ends.
    :param addon_chips: What all add-ons together are going to bring.
    :param addon_at: The position of the stretch with whose end they are in play.
    """

    left: int
    entries: int
    chips: int
    stretches: Sequence[Stretch]
    pace: Pace = Pace()
    stack: int = 0
    to_come: float = 0.0
    late_through: int = -1
    rebuy_share: float = 0.0
    rebuy_chips: int = 0
    rebuy_through: int = -1
    addon_chips: int = 0
    addon_at: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """In how many minutes it will be over: most likely, and the band of eight in ten."""

    minutes: float
    low: float
    high: float


@dataclass(slots=True)
class _Ways:
    """The ways it may go on, side by side."""

    left: Numbers
    entries: Numbers
    chips: Numbers
    pace: Numbers
    kind: Numbers
    ended: Numbers


def end_of(hall: Hall, rng: np.random.Generator, model: Model = MODEL) -> End | None:
    """Return when one is left, None when that cannot be foreseen.

    With one left, without chips or without blinds there is nothing to foresee; nor where most ways
    take longer than LONGEST.

    >>> hall = Hall(left=9, entries=9, chips=900, stretches=[Stretch(minutes=20, unit=10)])
    >>> end = end_of(hall, np.random.default_rng(1))
    >>> 0 < end.low < end.minutes < end.high
    True
    >>> end_of(Hall(left=1, entries=9, chips=900, stretches=hall.stretches),
    ...        np.random.default_rng(1))
    """
    plays = [row for row in hall.stretches if not row.is_break]
    expects = hall.left + (hall.to_come if hall.late_through >= 0 else 0)
    if expects <= 1 or hall.left < 1 or hall.chips <= 0 or not plays or plays[-1].unit <= 0:
        return None
    ended = _played(hall, rng, model)
    outside = (1 - BAND) / 2
    low, middle, high = (float(at) for at in np.quantile(ended, (outside, 0.5, 1 - outside)))
    if middle >= LONGEST:
        return None
    return End(
        minutes=middle,
        low=max(0.0, middle - (middle - low) * model.spread),
        high=min(LONGEST, middle + (high - middle) * model.spread),
    )


def _played(hall: Hall, rng: np.random.Generator, model: Model) -> Numbers:
    """Return when each way ends, in minutes from now."""
    ways = _begun(hall, rng, model)
    late = sum(row.minutes for row in hall.stretches[: hall.late_through + 1])
    comes = hall.to_come / late if late else 0.0
    at, last = 0.0, len(hall.stretches) - 1
    for position, row in enumerate(hall.stretches):
        until = LONGEST if position == last and not row.is_break else at + row.minutes
        while at < min(until, LONGEST):
            step = min(STEP, until - at)
            if position <= hall.late_through and comes:
                _let_in(ways, rng.poisson(comes * step, WAYS), hall.stack)
            if not row.is_break and row.unit > 0:
                share = hall.rebuy_share if position <= hall.rebuy_through else 0.0
                _play(ways, row.unit, step, rng, share=share, rebuy=hall.rebuy_chips, at=at)
            at += step
            if position > hall.late_through and np.all(ways.left <= 1):
                return ways.ended
        if position == hall.addon_at:
            ways.chips += hall.addon_chips
    return ways.ended


def _begun(hall: Hall, rng: np.random.Generator, model: Model) -> _Ways:
    """Return the ways as they are now: some of each kind, as many as that one is likely."""
    seen = hall.pace
    kinds = np.array(model.kinds)
    lost = model.weight * seen.losses
    expected = model.weight * np.array(seen.expected or (0.0,) * len(kinds)) * seen.usual
    # Losses by a rate that is gamma distributed: what each kind says of their number.
    likely = lost * np.log(expected + 1e-9) - (lost + model.shape) * np.log(expected + model.shape)
    weights = np.exp(likely - likely.max())
    shares = np.cumsum(weights) / np.sum(weights)
    which = np.searchsorted(shares, (np.arange(WAYS) + 0.5) / WAYS)
    return _Ways(
        left=np.full(WAYS, float(hall.left)),
        entries=np.full(WAYS, float(max(hall.entries, hall.left))),
        chips=np.full(WAYS, float(hall.chips)),
        pace=seen.usual * rng.gamma(model.shape + lost, 1.0 / (model.shape + expected[which])),
        kind=kinds[which].T,
        ended=np.full(WAYS, LONGEST),
    )


def _let_in(ways: _Ways, come: np.ndarray, stack: int) -> None:
    ways.left += come
    ways.entries += come
    ways.chips += come * stack
    ways.ended[come > 0] = LONGEST


def _play(
    ways: _Ways,
    unit: int,
    step: float,
    rng: np.random.Generator,
    *,
    share: float,
    rebuy: int,
    at: float,
) -> None:
    """Play some minutes of a level in all ways."""
    on = ways.left > 1
    rates = loss_rates(ways.kind, ways.chips / (ways.left * unit), ways.left, ways.entries)
    mean = np.where(on, rates * ways.pace * step, 0.0)
    lost = rng.poisson(mean)
    if share:
        again = rng.binomial(lost, share)
        ways.chips += again * rebuy
        lost -= again
    gone = np.minimum(lost, ways.left - 1)
    ways.left -= gone
    over = on & (ways.left <= 1)
    if np.any(over):
        ways.ended[over] = at + step * rng.random(int(np.sum(over)))
