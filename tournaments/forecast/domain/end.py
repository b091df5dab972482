"""Forecast of an evening's end: simulate many continuations, and take the middle of their ends.

The present time is not used. The generator of random numbers is a parameter, so that the same state
gives the same answer.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, log, sqrt

import numpy as np

from clock.domain import Level
from tournaments.event.domain.planning.planner import (
    MINUTE,
    TOLERANCE,
    CannotBeHad,
    Evening,
    Wish,
    evening_planned,
)
from tournaments.forecast.domain.rates import MODEL, Numbers, loss_rates

WAYS = 400
STEP = 3.0
LONGEST = 24 * 60.0
"""Minutes. A later end is not forecast."""

BAND = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A schedule row still to come, or the rest of the present one.

    :param minutes: Its length. The last one lasts until there is a winner.
    :param unit: The big blind, in stud the small bet; unused in a break.
    """

    minutes: float
    unit: int
    is_break: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The observed pace of an evening, compared with others.

    :param losses: Stacks lost so far, including those followed by a re-buy.
    :param expected: Expected losses by kind of poker, see `losses_expected`; empty before play.
    :param usual: The club's average pace, relative to the model's evenings.
    """

    losses: float = 0.0
    expected: tuple[float, ...] = ()
    usual: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Input of the forecast. Chips are the total in play.

    :param stretches: The schedule to come, beginning with the rest of the present level.
    :param to_come: Expected entries, each with `stack` chips.
    :param late_through: Position of the stretch at whose end late registration closes; -1: closed.
    :param rebuy_share: Share of lost stacks followed by a re-buy, 0 to 1.
    :param rebuy_through: Position of the stretch at whose end re-buys close.
    :param addon_chips: Expected chips of all add-ons.
    :param addon_at: Position of the stretch at whose end they enter play.
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
    """Minutes to the end: most likely, and the band of eight in ten."""

    minutes: float
    low: float
    high: float


@dataclass(slots=True)
class _Ways:
    left: Numbers
    entries: Numbers
    chips: Numbers
    pace: Numbers
    kind: Numbers
    ended: Numbers


def end_of(hall: Hall, rng: np.random.Generator) -> End | None:
    """Return the time until one player is left, None if unknown.

    None with one player left, without chips or blinds, or if most continuations exceed LONGEST.

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
    ended = _played(hall, rng)
    outside = (1 - BAND) / 2
    low, middle, high = (float(at) for at in np.quantile(ended, (outside, 0.5, 1 - outside)))
    if middle >= LONGEST:
        return None
    return End(
        minutes=middle,
        low=max(0.0, middle - (middle - low) * MODEL.spread),
        high=min(LONGEST, middle + (high - middle) * MODEL.spread),
    )


def _played(hall: Hall, rng: np.random.Generator) -> Numbers:
    """Return the end of each continuation, in minutes from now."""
    ways = _begun(hall, rng)
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


def _begun(hall: Hall, rng: np.random.Generator) -> _Ways:
    """Return the continuations at their start, divided among the kinds by likelihood."""
    seen = hall.pace
    kinds = np.array(MODEL.kinds)
    lost = MODEL.weight * seen.losses
    expected = MODEL.weight * np.array(seen.expected or (0.0,) * len(kinds)) * seen.usual
    # Losses with a gamma distributed rate: the likelihood of their number by kind.
    likely = lost * np.log(expected + 1e-9) - (lost + MODEL.shape) * np.log(expected + MODEL.shape)
    weights = np.exp(likely - likely.max())
    shares = np.cumsum(weights) / np.sum(weights)
    which = np.searchsorted(shares, (np.arange(WAYS) + 0.5) / WAYS)
    return _Ways(
        left=np.full(WAYS, float(hall.left)),
        entries=np.full(WAYS, float(max(hall.entries, hall.left))),
        chips=np.full(WAYS, float(hall.chips)),
        pace=seen.usual * rng.gamma(MODEL.shape + lost, 1.0 / (MODEL.shape + expected[which])),
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


# --- Plan an evening, and forecast its end


FEWEST, FIRST, MOST = 2.0, 25.0, 600.0
"""Total chips at the end, in big blinds: least, first try, most."""
TRIES, NEAR, ALIKE = 7, 4.0, 1.1
"""Number of tries; tolerance in minutes; ratio at which two numbers count as equal."""
FINEST = 100
LENGTHS = (5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60)
LENGTHS_TRIED = 5
GO_ON = {"too_steep": True, "too_slow": False, "no_meeting": True}
"""Whether more big blinds at the end might help, by error without a schedule."""
FINER_HELPS = {*GO_ON, "too_coarse"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """A planned evening and its forecast end, in minutes from the start."""

    evening: Evening
    end: End


def evening_foreseen(wish: Wish, have: Mapping[int, int], usual: float = 1.0) -> Foreseen:
    """Return the schedule for a wish: with round amounts, or others if these do not work.

    The first big blind is as wished, or another if none begins so.

    :param usual: The club's pace, see `usual_pace`.

    >>> case = {25: 400, 100: 400, 500: 200, 1000: 200}
    >>> found = evening_foreseen(Wish(players=20, stack=5000, minutes=270), case)
    >>> abs(found.end.minutes - 270) <= 10, found.end.low < found.end.minutes < found.end.high
    (True, True)

    :raises CannotBeHad: With the reason.
    """
    with suppress(CannotBeHad):
        return _found(wish, have, usual, begins_free=False)
    try:
        return _found(wish, have, usual, begins_free=True)
    except CannotBeHad as reason:
        if reason.code not in FINER_HELPS:
            raise
        try:
            return _found(wish, have, usual, is_fine=True)
        except CannotBeHad:
            raise reason from None


def plain_length(wish: Wish, have: Mapping[int, int], usual: float = 1.0) -> int | None:
    """Return the level length nearest to the wish that works with round amounts."""
    nearest = sorted(LENGTHS, key=lambda one: abs(one - wish.level_minutes))
    for minutes in nearest[:LENGTHS_TRIED]:
        try:
            _found(replace(wish, level_minutes=minutes), have, usual)
        except CannotBeHad:
            continue
        return minutes
    return None


def end_foreseen(levels: Sequence[Level], wish: Wish, usual: float = 1.0) -> End | None:
    """Return the forecast end of a schedule for this field, or None."""
    rows = [
        Stretch(minutes=row.duration / MINUTE, unit=row.unit, is_break=row.is_break)
        for row in levels
        if row.duration is not None
    ]
    hall = Hall(
        left=wish.players,
        entries=wish.players,
        chips=wish.chips,
        stretches=rows,
        pace=Pace(usual=usual),
    )
    return end_of(hall, np.random.default_rng(wish.players))


def _found(
    wish: Wish,
    have: Mapping[int, int],
    usual: float,
    *,
    is_fine: bool = False,
    begins_free: bool | None = None,
) -> Foreseen:
    low, at, high = FEWEST, FIRST, MOST
    best: Foreseen | None = None
    reason = CannotBeHad("no_meeting")
    for _try in range(TRIES):
        goal = Fraction(round(at * FINEST), FINEST)
        try:
            evening = evening_planned(
                replace(wish, end_big_blinds=goal), have, is_fine=is_fine, begins_free=begins_free
            )
        except CannotBeHad as problem:
            if problem.code not in GO_ON:
                raise
            reason, is_more = problem, GO_ON[problem.code]
        else:
            end = end_foreseen(evening.levels, wish, usual)
            is_more = end is not None and end.minutes < wish.minutes
            if end is not None and (best is None or _off(wish, end) < _off(wish, best.end)):
                best = Foreseen(evening=evening, end=end)
            if best is not None and _off(wish, best.end) <= NEAR:
                break
        low, high = (at, high) if is_more else (low, at)
        if high < low * ALIKE:
            break
        at = sqrt(low * high)
    if best is None or _off(wish, best.end) > TOLERANCE / MINUTE:
        raise reason
    return best


def _off(wish: Wish, end: End) -> float:
    return abs(end.minutes - wish.minutes)


# --- Alternatives to an evening: skip a break, change levels, take every add-on


SHRINKS_BY = 4.0
"""The number of average evenings mixed into a club's own average."""


def without_next_break(hall: Hall) -> Hall:
    """Return the evening without its next break; limits at its end move to the level before.

    The same evening where none is to come; the present one does not count.

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
