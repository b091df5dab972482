"""What a deal costs: ICM of a final table and of a whole field, and whether its sums are right.

The field's stacks are exponentially distributed, as they are late in large tournaments; a sixth is
paid. Beside it pokerkit's `calculate_icm`, in the same run.
"""

import random
import resource
import sys
import time
from collections.abc import Sequence

from pokerkit import calculate_icm

from bench._report import Report
from tournaments.cash.domain.prizes import PrizePlan, Shape
from tournaments.cash.domain.prizes import Way as PrizeWay
from tournaments.money.domain.deals import Way, shares
from tournaments.money.domain.icm import icm_equities
from tournaments.money.domain.payouts import (
    by_curve,
    curve_weights,
    prize_table,
    prizes_by_entry,
)

SEED = 20_261_122
DEALS = 100_000
MAIN_EVENT, ITS_PLACES = 10_112, 1_517
FIELDS = {10: (0.001, 50), 100: (0.010, 20), 1000: (0.6, 3)}
KIB_A_GIB = 1 << 20


def main(arguments: list[str]) -> int:
    """Measure all; the deals are 100,000 only if asked, as they take a minute."""
    report, rng = Report("deals"), random.Random(SEED)
    for players, (goal, rounds) in FIELDS.items():
        stacks, prizes = _field(rng, players, max(3, players // 6))
        took = min(_seconds(stacks, prizes) for _ in range(rounds))
        report.add(f"icm_of_{players}_ms", took * 1000, "ms", goal=goal * 1000)
    stacks, prizes = _field(rng, 9, 9)
    began = time.perf_counter()
    calculate_icm(prizes, stacks)
    theirs = time.perf_counter() - began
    ours = min(_seconds(stacks, prizes) for _ in range(50))
    report.add("pokerkit_to_ours_at_9", theirs / ours, "ratio", goal=400, better="higher")
    _main_event(report, rng)
    _prize_tables(report, rng)
    deals = DEALS if "--full" in arguments else DEALS // 50
    wrong = sum(_misses(rng) for _ in range(deals))
    report.add("deals_shared", deals, "deals", goal=None)
    report.add("deals_that_miss_the_pool", wrong, "deals", goal=0)
    return report.show()


def _main_event(report: Report, rng: random.Random) -> None:
    stacks, prizes = _field(rng, MAIN_EVENT, ITS_PLACES)
    began = time.perf_counter()
    worth = icm_equities(stacks, prizes)
    report.add("icm_of_10112_s", time.perf_counter() - began, "s", goal=30)
    off = abs(sum(worth) - sum(prizes)) / sum(prizes)
    report.add("icm_of_10112_off_the_pool", off, "of the pool", goal=1e-6)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_A_GIB
    report.add("memory_peak_gib", peak, "GiB", goal=1)


def _prize_tables(report: Report, rng: random.Random) -> None:
    """Prizes of the whole field by place and by entry, and whether sums are right."""
    report.add("prizes_of_10112_ms", _table_seconds(MAIN_EVENT) * 1000, "ms", goal=50)
    wrong = sum(_table_misses(rng) for _ in range(DEALS // 10))
    report.add("prize_tables_that_miss_the_pool", wrong, "tables", goal=0)


def _table_seconds(entries: int) -> float:
    """Return what the table takes, and who gets what; the weights of the curve are made anew."""
    plan = PrizePlan(way=PrizeWay.CURVE, unit_cents=100_00, minimum_tenths=15)
    places = {entry: entry for entry in range(1, entries + 1)}
    times = []
    for _ in range(5):
        curve_weights.cache_clear()
        began = time.perf_counter()
        table = prize_table(
            plan,
            pool_cents=entries * 9_300_00,
            places=entries * 15 // 100,
            entries=entries,
            buy_in_cents=10_000_00,
        )
        prizes_by_entry(table, places)
        times.append(time.perf_counter() - began)
    return min(times)


def _table_misses(rng: random.Random) -> bool:
    """Make a random table; tell whether a cent is lost or made, or a prize rises."""
    shape, unit = rng.choice(list(Shape)), rng.choice([1, 100, 500, 1000])
    places = rng.randint(1, 150)
    pool = rng.randint(places * unit, 10**8)
    found = by_curve(shape, pool, places, unit)
    return sum(found) != pool or found != sorted(found, reverse=True) or found[-1] < unit


def _field(rng: random.Random, players: int, paid: int) -> tuple[list[int], list[int]]:
    """Return stacks in chips and prizes in cents."""
    stacks = [max(1, round(rng.expovariate(1 / 60_000))) for _ in range(players)]
    return stacks, [round(1_000_000_00 / (place + 1) ** 0.8) for place in range(paid)]


def _seconds(stacks: Sequence[int], prizes: Sequence[int]) -> float:
    began = time.perf_counter()
    icm_equities(stacks, prizes)
    return time.perf_counter() - began


def _misses(rng: random.Random) -> bool:
    """Share random prizes in a random way; tell whether a cent is lost or made."""
    players = rng.randint(2, 10)
    stacks = [rng.randint(1, 500_000) for _ in range(players)]
    prizes = sorted((rng.randint(0, 10**6) for _ in range(rng.randint(1, 12))), reverse=True)
    prizes[0] += 1
    unit = rng.choice([1, 100, 500, 1000])
    found = shares(rng.choice(list(Way)), stacks, prizes, unit=unit)
    return sum(found) != sum(prizes[:players]) or min(found) < 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
