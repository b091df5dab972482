"""Accuracy of the forecast: on evenings with other seeds and a kind of poker not fitted to.

Each evening is forecast at a quarter and at half of its length, from the facts a director's page
has then. 1,000 evenings, with `--full` 2,000. In the testing kind of poker, bets are shares of the
smaller stack, not big blinds; players are loose or tight and good or bad; all pay blinds and, on
some evenings, antes into a pot that two play for.
"""

import statistics
import time
from random import Random
from typing import Any

import numpy as np

from bench._harness import Report, percentile
from tournaments.devtools.forecast_evenings import Kind, hall_at, played, terms_drawn
from tournaments.forecast.domain.end import end_of

SEED = 111_000_000
EVENINGS, FEW_EVENINGS = 2_000, 1_000
PARTS = {"quarter": 0.25, "half": 0.5}
LEAST, MOST, GOALS = 0.75, 0.85, {"half": 0.08}


def measure(report: Report, options: Any) -> None:
    """Play, forecast and compare."""
    evenings = EVENINGS if options.full else FEW_EVENINGS
    found: dict[str, list[tuple[bool, float, float] | None]] = {name: [] for name in PARTS}
    for number in range(evenings):
        rng = Random(SEED + number)
        evening = played(terms_drawn(rng), JUDGE, rng)
        for name, part in PARTS.items():
            found[name].append(_judged(evening, evening.ended * part))
    refused = sum(row is None for rows in found.values() for row in rows)
    report.add("forecasts_refused", refused, "forecasts", 0)
    times = []
    for name, judged in found.items():
        rows = [row for row in judged if row is not None]
        held = sum(is_held for is_held, _error, _took in rows) / len(rows)
        report.add(f"in_the_band_at_{name}", held, "of evenings", LEAST, "higher")
        report.add(f"in_the_band_at_{name}_at_most", held, "of evenings", MOST)
        error = statistics.median(error for _is_held, error, _took in rows)
        report.add(f"median_error_at_{name}", error, "of its length", GOALS.get(name))
        times += [took * 1000 for _is_held, _error, took in rows]
    report.add("forecast_p50", statistics.median(times), "ms", 50)
    report.add("forecast_p99", percentile(times, 99), "ms", 50)


def _judged(evening: Any, at: float) -> tuple[bool, float, float] | None:
    """Return whether the true end is in the band, the error, and the processor's seconds."""
    rng = np.random.default_rng(SEED)
    began = time.process_time()
    end = end_of(hall_at(evening, at), rng)
    took = time.process_time() - began
    if end is None:
        return None
    true = evening.ended - at
    is_held, error = end.low <= true <= end.high, abs(end.minutes - true) / evening.ended
    return is_held, error, took


def _manners(rng: Random, entries: int) -> dict[str, float]:
    found = {"ante": rng.choice((0.0, 0.0, 1.0)), "turn": rng.uniform(9, 16)}
    found["boldness"] = rng.lognormvariate(0.0, 0.25)
    for number in range(entries):
        found[f"loose{number}"] = rng.gammavariate(4.0, 0.25)
        found[f"skill{number}"] = rng.gauss(0.0, 0.12)
    return found


def _play(stacks: dict[int, float], blind: float, rng: Random, manners: dict[str, float]) -> None:
    """Play a hand: two loose enough play for a share of the smaller stack, short ones for all."""
    order = list(stacks)
    dead = 0.0
    costs = blind * (1.5 + manners["ante"]) / len(order)
    for number in order:
        paid = min(stacks[number], costs)
        stacks[number] -= paid
        dead += paid
    weights = [manners[f"loose{number}"] for number in order]
    first, second = rng.choices(order, weights, k=2)
    if first == second:
        stacks[first] += dead
        return
    effective = min(stacks[first], stacks[second])
    depth = effective / blind
    if rng.random() < manners["boldness"] * 0.55 / (1 + (depth / manners["turn"]) ** 1.6):
        bet = effective
    else:
        bet = effective * rng.betavariate(1.2, 9.0)
    edge = manners[f"skill{first}"] - manners[f"skill{second}"]
    winner, loser = (first, second) if rng.random() < 0.5 + edge / 2 else (second, first)
    stacks[winner] += bet + dead
    stacks[loser] -= bet


JUDGE = Kind("shares", _play, _manners)
