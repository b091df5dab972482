"""Fit the forecast to simulated evenings and write `forecast/domain/calibrated.py`.

`python -m tournaments.devtools.calibrate_forecast` takes a minute; the output is reproducible. One
rate is fitted to each kind of poker. The spread between evenings and the weight of the present
evening are fitted on held-out evenings: forecast at a quarter and half of their time, with the
rates of the other kinds only. Every real evening is of a kind not fitted. The band's width lies
between that result and the one with all rates: a real evening somewhat resembles the fitted ones.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np

from tournaments.devtools.forecast_evenings import (
    Evening,
    Kind,
    hall_at,
    played,
    spells_timed,
    terms_drawn,
)
from tournaments.devtools.forecast_pokers import KINDS
from tournaments.forecast.domain import calibrated
from tournaments.forecast.domain.end import BAND, end_of
from tournaments.forecast.domain.rates import Model, features

EVENINGS = 600
TRIED = 80
SEED = 1_000_000
SHAPES = (20.0, 40.0, 60.0)
WEIGHTS = (0.3, 0.6, 1.0)
PARTS = (0.25, 0.5)
RIDGE = 1.0
Miss = tuple[float, float, float, float]


def evenings_of(kind: Kind, many: int, seed: int) -> list[Evening]:
    """Return evenings of a kind of poker, each with its own terms."""
    found = []
    for number in range(many):
        rng = Random(seed + number)
        found.append(played(terms_drawn(rng), kind, rng))
    return found


def fitted(evenings: Iterable[Evening]) -> tuple[float, ...]:
    """Return the coefficients of the rate: a Poisson regression, by Newton's method."""
    rows, minutes, lost = _observed(evenings)
    found = np.zeros(rows.shape[0])
    found[0] = np.log(lost.sum() / minutes.sum())
    for _ in range(30):
        mean = minutes * np.exp(found @ rows)
        slope = rows @ (lost - mean) - RIDGE * np.r_[0.0, found[1:]]
        bend = (rows * mean) @ rows.T + RIDGE * np.eye(len(found))
        found = found + np.linalg.solve(bend, slope)
    return tuple(round(float(one), 4) for one in found)


def _observed(evenings: Iterable[Evening]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features, player-minutes and losses of all spells of play.

    A loss belongs to the spell it ended; if its hand ran into a break, to the spell before.
    """
    left, entries, depth, minutes, lost = [], [], [], [], []
    for evening in evenings:
        spells = [one for one in spells_timed(evening, evening.ended) if one[1].left > 1]
        times = [moment.at for moment in evening.moments]
        totals = [moment.lost for moment in evening.moments]
        begins = [end - spell.minutes for end, spell in spells]
        for (_end, spell), begin, after in zip(
            spells, begins, [*begins[1:], evening.ended], strict=True
        ):
            left.append(spell.left)
            entries.append(spell.entries)
            depth.append(spell.chips / spell.left / spell.unit)
            minutes.append(spell.minutes * spell.left)
            lost.append(_at(times, totals, after) - _at(times, totals, begin))
    numbers = [np.array(one, dtype=float) for one in (depth, left, entries, minutes, lost)]
    return features(*numbers[:3]), numbers[3], numbers[4]


def _at(times: Sequence[float], totals: Sequence[int], at: float) -> int:
    """Return the losses up to an instant, with a tolerance of a thousandth of a minute."""
    found = bisect_right(times, at + 0.001)
    return totals[found - 1] if found else 0


def misses(model: Model, evenings: Iterable[Evening]) -> list[Miss]:
    """Return true end, band and middle of each forecast, as fractions of the evening."""
    found: list[Miss] = []
    for evening in evenings:
        for part in PARTS:
            at = evening.ended * part
            end = end_of(hall_at(evening, at, model), np.random.default_rng(SEED), model)
            if end is not None:
                length = evening.ended
                band = (end.low / length, end.minutes / length, end.high / length)
                found.append((1 - part, *band))
    return found


def _pinball(rows: Sequence[Miss]) -> float:
    """Return the pinball loss of bands and middles: lower is better."""
    levels = ((1 - BAND) / 2, 0.5, (1 + BAND) / 2)
    return float(
        np.mean(
            [
                max(level * (true - told), (level - 1) * (true - told))
                for true, *band in rows
                for level, told in zip(levels, band, strict=True)
            ]
        )
    )


def _spread(rows: Sequence[Miss]) -> float:
    """Return the factor by which to widen the bands so that eight of ten hold."""
    needed = [
        (true - middle) / (high - middle) if true > middle else (middle - true) / (middle - low)
        for true, low, middle, high in rows
    ]
    return round(float(np.quantile(needed, BAND)), 3)


def _tried(task: tuple[Model, list[Evening]]) -> tuple[Model, list[Miss]]:
    return task[0], misses(*task)


def main() -> int:
    """Fit, choose and write; print the trials."""
    rates = {kind.name: fitted(evenings_of(kind, EVENINGS, SEED)) for kind in KINDS}
    strangers = {kind.name: evenings_of(kind, TRIED, 2 * SEED) for kind in KINDS}
    tasks = [
        (_without(rates, name, shape, weight), evenings)
        for shape, weight in product(SHAPES, WEIGHTS)
        for name, evenings in strangers.items()
    ]
    found: dict[tuple[float, float], list[Miss]] = {}
    with ProcessPoolExecutor(2) as pool:
        for model, rows in pool.map(_tried, tasks):
            found.setdefault((model.shape, model.weight), []).extend(rows)
    for (shape, weight), rows in sorted(found.items(), key=lambda one: _pinball(one[1])):
        print(f"shape {shape}, weight {weight}: pinball {_pinball(rows):.4f}")
    shape, weight = min(found, key=lambda key: _pinball(found[key]))
    model = Model(kinds=tuple(rates.values()), shape=shape, weight=weight, spread=1.0)
    known = _spread([row for some in strangers.values() for row in misses(model, some)])
    unknown = _spread(found[shape, weight])
    print(f"spread {known} where the kind is known, {unknown} where it is not")
    _write(replace(model, spread=round(sqrt(known * unknown), 3)))
    return 0


def _without(
    rates: Mapping[str, tuple[float, ...]], name: str, shape: float, weight: float
) -> Model:
    """Return a model with all kinds but one."""
    others = tuple(rate for other, rate in rates.items() if other != name)
    return Model(kinds=others, shape=shape, weight=weight, spread=1.0)


def _write(model: Model) -> None:
    rows = [
        "        (\n" + "".join(f"            {one},\n" for one in kind) + "        ),\n"
        for kind in model.kinds
    ]
    text = (
        '"""The parameters of the forecast. '
        'Written by `tournaments.devtools.calibrate_forecast`."""\n\n'
        "from tournaments.forecast.domain.rates import Model\n\n"
        f"MODEL = Model(\n    kinds=(\n{''.join(rows)}    ),\n    shape={model.shape},\n"
        f"    weight={model.weight},\n    spread={model.spread},\n)\n"
    )
    Path(str(calibrated.__file__)).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
