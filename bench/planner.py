"""What comes of random wishes for an evening: what was promised, or a reason; and what it costs.

The end is that of the forecast (`tournaments.forecast.domain.plan`).

Chips are random, up to eight values as cases have them. The time is that of the processor.
"""

import random
import sys
import time
from collections import Counter
from itertools import pairwise

from bench._report import Report
from tournaments.event.domain.planning.planner import MINUTE, TOLERANCE, CannotBeHad, Evening, Wish
from tournaments.forecast.domain.plan import Foreseen, evening_foreseen

SEED = 20_261_123
VALUES = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 5000, 25_000, 100_000)
WISHES, FULL_WISHES = 200, 1_000


def main(arguments: list[str]) -> int:
    """Wish at random; five times as often if asked."""
    report, rng = Report("planner"), random.Random(SEED)
    many = FULL_WISHES if "--full" in arguments else WISHES
    seen = Counter()
    slowest = 0.0
    for _ in range(many):
        wish, have = _random_wish(rng), _random_chips(rng)
        began = time.process_time()
        try:
            found = evening_foreseen(wish, have)
        except CannotBeHad as reason:
            seen[reason.code] += 1
        else:
            evening = found.evening
            seen.update(["met"], odd=not evening.is_plain, off=_is_off(found, wish))
            seen.update(unpayable=_has_unpayable_bet(evening, have))
            seen.update(too_high=_has_high_jump(evening, wish))
        slowest = max(slowest, time.process_time() - began)
    report.add("schedules_with_a_bet_nobody_can_pay", seen["unpayable"], "schedules", goal=0)
    report.add("schedules_with_a_jump_above_the_ratio", seen["too_high"], "schedules", goal=0)
    report.add("ends_more_than_10_minutes_off", seen["off"], "schedules", goal=0)
    report.add("wishes_met", seen["met"], "wishes", goal=None)
    report.add("of_them_with_odd_amounts", seen["odd"], "wishes", goal=None)
    report.add("wishes_refused_with_a_reason", many - seen["met"], "wishes", goal=None)
    for code in sorted(set(seen) - {"met", "odd", "unpayable", "too_high", "off"}):
        report.add(f"refused_{code}", seen[code], "wishes", goal=None)
    report.add("slowest_cpu_ms", slowest * 1000, "ms", goal=200)
    return report.show()


def _random_chips(rng: random.Random) -> dict[int, int]:
    return {value: rng.randrange(50, 500) for value in rng.sample(VALUES, rng.randint(1, 8))}


def _random_wish(rng: random.Random) -> Wish:
    return Wish(
        players=rng.randint(2, 300),
        stack=rng.choice((100, 200, 300, 1000, 1500, 5000, 10_000, 20_000, 50_000)),
        minutes=rng.randrange(90, 601, 5),
        level_minutes=rng.choice((8, 10, 12, 15, 20, 25, 30)),
        depth=rng.choice((25, 50, 75, 100, 150, 200)),
        percent=rng.choice((130, 140, 150, 160, 170, 180, 200)),
        break_every=rng.choice((0, 3, 4, 5, 6)),
        break_minutes=rng.choice((5, 10, 15, 20)),
        ante_from=rng.choice((0, 1, 4)),
    )


def _has_unpayable_bet(found: Evening, have: dict[int, int]) -> bool:
    """Tell whether a bet is no multiple of the smallest chip in play, followed row by row."""
    left = {value for value in have if value >= min(found.dealt.pieces)}
    for row in found.levels:
        left -= set(row.colour_up)
        if not left or any(amount % min(left) for amount in row.amounts):
            return True
    return False


def _has_high_jump(found: Evening, wish: Wish) -> bool:
    bigs = [row.big_blind for row in found.levels if not row.is_break]
    return any(100 * second > wish.percent * first for first, second in pairwise(bigs))


def _is_off(found: Foreseen, wish: Wish) -> bool:
    return abs(found.end.minutes - wish.minutes) > TOLERANCE / MINUTE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
