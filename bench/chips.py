"""What it costs to find a stack from any set of chips, and whether it is the best there is.

Sets are random: up to eight values as cases have them, two to ten players a table, up to a hundred
tables. On small sets every stack that could be dealt is tried. The time is that of the processor.
"""

import json
import random
import sys
import time
from itertools import product
from pathlib import Path

from bench._report import Report
from tournaments.event.domain.chips import distributions_from, pieces_from, total
from tournaments.event.domain.dealing import Need, best_pieces, dealt_to, measure

SEED = 20_261_123
VALUES = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 5000, 25_000, 100_000)
SETS, FULL_SETS = 300, 3_000
SMALL, FULL_SMALL = 300, 3_000
FIXTURE = Path(__file__).resolve().parent.parent / "fixtures" / "chips.json"
FIRST_BLINDS = {100: (1, 1), 200: (1, 1), 300: (1, 2)}


def main(arguments: list[str]) -> int:
    """Measure all; ten times as many sets if asked."""
    report, rng = Report("chips"), random.Random(SEED)
    is_full = "--full" in arguments
    slowest, dealt = 0.0, 0
    for _ in range(FULL_SETS if is_full else SETS):
        have, players, need = _random_case(rng)
        began = time.process_time()
        found = dealt_to(have, players, need)
        slowest = max(slowest, time.process_time() - began)
        dealt += found is not None
    report.add("slowest_of_random_sets_cpu_ms", slowest * 1000, "ms", goal=200)
    report.add("random_sets_that_make_a_stack", dealt, "sets", goal=None)
    small = FULL_SMALL if is_full else SMALL
    worse = sum(_is_worse_than_exhaustive(rng) for _ in range(small))
    report.add("worse_than_exhaustive_search", worse, "sets", goal=0)
    worse = sum(_is_worse_than_printed(row) for row in _printed())
    report.add("worse_than_the_printed_table", worse, "stacks", goal=0)
    return report.show()


def _random_case(rng: random.Random) -> tuple[dict[int, int], int, Need]:
    values = sorted(rng.sample(VALUES, rng.randint(1, 8)))
    tables, at_table = rng.randint(1, 100), rng.randint(2, 10)
    have = {value: rng.randrange(50, 500) for value in values}
    small = values[0] * rng.choice((1, 1, 2, 5))
    stack = values[0] * rng.choice((100, 150, 200, 400, 1000))
    return have, tables * at_table, Need(stack=stack, small_blind=small, big_blind=2 * small)


def _is_worse_than_exhaustive(rng: random.Random) -> bool:
    have = {value: rng.randrange(1, 10) for value in rng.sample(range(1, 13), rng.randint(1, 4))}
    need = Need(stack=rng.randrange(1, 60), small_blind=rng.randrange(1, 6), big_blind=6)
    players = rng.randint(1, 3)
    counts = product(*(range(count // players + 1) for count in have.values()))
    stacks = [dict(zip(have, one, strict=True)) for one in counts]
    exact = [measure(one, need) for one in stacks if total(one) == need.stack]
    found = best_pieces(have, players, need)
    if found is None:
        return bool(exact)
    return measure(found, need) != min(exact)


def _printed() -> list:
    (steffen,) = json.loads(FIXTURE.read_text("utf-8"))["chip_sets"]
    owned = pieces_from(steffen["pieces"])
    return [(owned, row) for row in distributions_from(steffen["distributions"])]


def _is_worse_than_printed(case: tuple) -> bool:
    owned, row = case
    small, big = FIRST_BLINDS[row.stack]
    need = Need(stack=row.stack, small_blind=small, big_blind=big)
    return measure(best_pieces(owned, row.max_players, need), need) > measure(row.pieces, need)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
