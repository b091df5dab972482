"""Plan an evening, and forecast its end. Pure.

A schedule is planned to a total of chips in big blinds at the wished end. This module searches the
number for which the forecast gives the wished end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

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
from tournaments.forecast.domain.end import End, Hall, Pace, Stretch, end_of

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

    :param usual: The club's pace, see `usual_pace`.

    >>> case = {25: 400, 100: 400, 500: 200, 1000: 200}
    >>> found = evening_foreseen(Wish(players=20, stack=5000, minutes=270), case)
    >>> abs(found.end.minutes - 270) <= 10, found.end.low < found.end.minutes < found.end.high
    (True, True)

    :raises CannotBeHad: With the reason.
    """
    try:
        return _found(wish, have, usual, is_fine=False)
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
            _found(replace(wish, level_minutes=minutes), have, usual, is_fine=False)
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


def _found(wish: Wish, have: Mapping[int, int], usual: float, *, is_fine: bool) -> Foreseen:
    low, at, high = FEWEST, FIRST, MOST
    best: Foreseen | None = None
    reason = CannotBeHad("no_meeting")
    for _try in range(TRIES):
        goal = Fraction(round(at * FINEST), FINEST)
        try:
            evening = evening_planned(replace(wish, end_big_blinds=goal), have, is_fine=is_fine)
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
