"""How fast players lose their stacks, by how deep these are in big blinds. Pure arithmetic.

A rate is fitted to evenings that were simulated by several kinds of poker, see
`tournaments.devtools.calibrate_forecast`. It says nothing of a single player.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
FEW = (2, 3, 4)
"""Numbers of players left at which the rate is one of its own."""

A_TABLE = 10

KNOTS = (8.0, 20.0, 50.0)
"""Average stacks, in big blinds, at which the rate bends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What the forecast was fitted to.

    :param kinds: Of each kind of poker the coefficients of the rate's logarithm, one for each row
        of `features`. Which kind an evening is of nobody knows; how it goes makes some likelier.
    :param shape: How alike evenings are: the larger, the less the pace of one tells of itself.
    :param weight: How much a stack lost counts as a sign of the evening's pace, 0 to 1.
    :param spread: By how much the band is wider than the ways that were drawn.
    """

    kinds: tuple[tuple[float, ...], ...]
    shape: float
    weight: float
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """A while of play in which nothing changed, as it was seen.

    :param minutes: Of the running clock, breaks left out.
    :param left: Players in.
    :param entries: Entries so far, those that are out included.
    :param chips: In play.
    :param unit: The big blind, in stud the small bet.
    """

    minutes: float
    left: int
    entries: int
    chips: int
    unit: int


def features(depth: Numbers, left: Numbers, entries: Numbers) -> Numbers:
    """Return what a rate is made of, a row each: stacks, how unequal they are by now, who is left.

    :param depth: The average stack in big blinds.
    """
    deep = np.log(np.clip(depth, 0.5, 2000.0))
    bends = [np.maximum(deep - np.log(knot), 0.0) for knot in KNOTS]
    played = -np.log(np.clip(left / entries, 1e-4, 1.0))
    many = np.log(left / A_TABLE)
    few = [(left == number).astype(float) for number in FEW]
    return np.stack(
        [
            np.ones_like(deep),
            deep,
            *bends,
            np.minimum(played, 2.0),
            np.maximum(played - 2.0, 0.0),
            np.minimum(many, 0.0),
            np.maximum(many, 0.0),
            *few,
        ]
    )


def loss_rates(kind: Numbers, depth: Numbers, left: Numbers, entries: Numbers) -> Numbers:
    """Return how many stacks a minute of play costs in all, re-bought ones included.

    :param kind: The coefficients, a row each; a column each where they differ.

    >>> kind = np.array([[-3.0], [-1.0], *[[0.0]] * 10])
    >>> ten = np.array([10.0])
    >>> round(float(loss_rates(kind, ten, ten, ten)[0] / loss_rates(kind, 2 * ten, ten, ten)[0]), 6)
    2.0
    """
    rates: Numbers = left * np.exp(np.sum(kind * features(depth, left, entries), axis=0))
    return rates


def losses_expected(model: Model, spells: Iterable[Spell]) -> tuple[float, ...]:
    """Return how many stacks would have been lost in these spells, by each kind of poker.

    >>> model = Model(kinds=((-3.0, *[0.0] * 11),), shape=8, weight=1, spread=1)
    >>> spell = Spell(minutes=10, left=20, entries=20, chips=2_000, unit=2)
    >>> [round(losses, 1) for losses in losses_expected(model, [spell, spell])]
    [19.9]
    >>> losses_expected(model, [])
    (0.0,)
    """
    rows = [spell for spell in spells if spell.left > 1 and spell.unit > 0 and spell.chips > 0]
    if not rows:
        return tuple(0.0 for _ in model.kinds)
    left = np.array([row.left for row in rows], dtype=float)
    chips = np.array([row.chips for row in rows], dtype=float)
    units = np.array([row.unit for row in rows], dtype=float)
    entries = np.array([max(row.entries, row.left) for row in rows], dtype=float)
    minutes = np.array([row.minutes for row in rows])
    depth = chips / (left * units)
    return tuple(
        float(np.sum(loss_rates(np.array(kind)[:, None], depth, left, entries) * minutes))
        for kind in model.kinds
    )
