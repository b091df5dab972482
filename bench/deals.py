"""Cost of a deal: ICM of a final table and of a whole field, and a check of its sums.

The field's stacks are exponentially distributed, as late in large tournaments; a sixth is paid.
"""

import random
from collections.abc import Sequence
from typing import Any

from bench._harness import Report, timed_ms
from tournaments.payouts.domain.deals import Way, shares
from tournaments.prizes.domain.icm import icm_equities

SEED = 20_261_122
DEALS = 100_000
MAIN_EVENT, ITS_PLACES = 10_112, 1_517
FIELDS = {10: (1, 50), 100: (10, 20), 1000: (600, 3)}


def measure(report: Report, options: Any) -> None:
    """Measure all."""
    rng = random.Random(SEED)
    for players, (goal, rounds) in FIELDS.items():
        took = _icm_ms(*_field(rng, players, max(3, players // 6)), rounds)
        report.add(f"icm_of_{players}", took, "ms", goal)
    _main_event(report, rng)
    deals = DEALS if options.full else DEALS // 50
    wrong = sum(_misses(rng) for _ in range(deals))
    report.add("deals_that_miss_the_pool", wrong, "deals", 0)


def _main_event(report: Report, rng: random.Random) -> None:
    stacks, prizes = _field(rng, MAIN_EVENT, ITS_PLACES)
    worth: list[float] = []
    took = timed_ms(lambda: worth.extend(icm_equities(stacks, prizes)))
    report.add("icm_of_10112", took / 1000, "s", 30)
    off = abs(sum(worth) - sum(prizes)) / sum(prizes)
    report.add("icm_of_10112_off_the_pool", off, "of the pool", 1e-6)


def _field(rng: random.Random, players: int, paid: int) -> tuple[list[int], list[int]]:
    stacks = [max(1, round(rng.expovariate(1 / 60_000))) for _ in range(players)]
    return stacks, [round(1_000_000_00 / (place + 1) ** 0.8) for place in range(paid)]


def _icm_ms(stacks: Sequence[int], prizes: Sequence[int], rounds: int) -> float:
    return min(timed_ms(lambda: icm_equities(stacks, prizes)) for _ in range(rounds))


def _misses(rng: random.Random) -> bool:
    """Share random prizes in a random way; tell whether the sum is wrong."""
    players = rng.randint(2, 10)
    stacks = [rng.randint(1, 500_000) for _ in range(players)]
    prizes = sorted((rng.randint(0, 10**6) for _ in range(rng.randint(1, 12))), reverse=True)
    prizes[0] += 1
    unit = rng.choice([1, 100, 500, 1000])
    found = shares(rng.choice(list(Way)), stacks, prizes, unit=unit)
    return sum(found) != sum(prizes[:players]) or min(found) < 0
