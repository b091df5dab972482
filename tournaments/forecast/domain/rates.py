"""The rate of lost stacks, by the depth of stacks in big blinds. Pure arithmetic.

The rates are fitted to evenings simulated with several kinds of poker. They do not apply to one
player.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
FEW = (2, 3, 4)
"""Numbers of players left with a rate of their own."""

A_TABLE = 10

KNOTS = (8.0, 20.0, 50.0)
"""Average stacks, in big blinds, at the knots of the rate's logarithm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The fitted parameters of the forecast.

    :param kinds: By kind of poker the coefficients of the rate's logarithm, one for each row of
    `features`. The kind of an evening is unknown; its course makes some kinds likelier.
    :param shape: Similarity of evenings: the larger, the less one evening's pace counts.
    :param weight: Weight of a lost stack as evidence of the evening's pace, 0 to 1.
    :param spread: The factor by which the band is wider than the simulated continuations.
    """

    kinds: tuple[tuple[float, ...], ...]
    shape: float
    weight: float
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """An observed spell of play without a change.

    :param minutes: Minutes of the running clock, without breaks.
    :param left: Players in play.
    :param entries: Entries so far, including eliminated ones.
    :param chips: Chips in play.
    :param unit: The big blind, in stud the small bet.
    """

    minutes: float
    left: int
    entries: int
    chips: int
    unit: int


def features(depth: Numbers, left: Numbers, entries: Numbers) -> Numbers:
    """Return the features of a rate, a row each: depth, inequality of stacks, players left.

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
    """Return the stacks lost in a minute of play, including those followed by a re-buy.

    :param kind: The coefficients, a row each; columns if they differ.

    >>> kind = np.array([[-3.0], [-1.0], *[[0.0]] * 10])
    >>> ten = np.array([10.0])
    >>> round(float(loss_rates(kind, ten, ten, ten)[0] / loss_rates(kind, 2 * ten, ten, ten)[0]), 6)
    2.0
    """
    rates: Numbers = left * np.exp(np.sum(kind * features(depth, left, entries), axis=0))
    return rates


def losses_expected(model: Model, spells: Iterable[Spell]) -> tuple[float, ...]:
    """Return the expected losses in these spells, by kind of poker.

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


# --- Shares of people who take an option, from a club's own events


ASSUMED = 0.7
"""The assumed share without data; not measured."""

WEIGHS = 10
"""The weight of that assumption, in people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share, 0 to 1, and the number of people of the club it is based on."""

    share: float = ASSUMED
    people: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.share)


def share_of(evenings: Iterable[tuple[int, int]]) -> Share:
    """Return the share, drawn towards the assumed one while the people are few.

    :param evenings: For each event the number of people who could, and who did.

    >>> share_of([]).share, share_of([(10, 10)]).percent, share_of([(500, 100)]).percent
    (0.7, 85, 21)
    """
    could = did = 0
    for people, own in evenings:
        could += people
        did += min(people, own)
    return Share(share=(did + ASSUMED * WEIGHS) / (could + WEIGHS), people=could)


# --- The parameters of the forecast: fitted to simulated evenings, see docs/internals/forecast.md


MODEL = Model(
    kinds=(
        (-4.6531, -0.1583, 0.2548, -0.9783, -0.7607, 0.388,
         -0.0487, -0.0145, -0.0479, 0.8203, 0.5139, 0.2855),
        (-3.5742, -0.3836, -0.4118, -1.2596, -0.9344, 0.2093,
         -0.0834, -0.0838, -0.1093, 0.9158, 0.5966, 0.3574),
        (-3.6587, -0.1969, -0.3116, -0.1069, -0.0453, 0.188,
         -0.0649, -0.2219, -0.1006, 0.6987, 0.4166, 0.1892),
        (-4.1561, -0.1948, -0.2647, -0.6952, -0.636, 0.28,
         -0.1208, -0.0643, -0.1001, 0.947, 0.5819, 0.4124),
    ),
    shape=20.0,
    weight=0.6,
    spread=0.961,
)  # fmt: skip
