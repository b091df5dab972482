"""Does the cost of recording one elimination grow with the field?

Twenty simulated events of 100, pooled, against one of 10,112 at nine seats (the largest World
Series Main Event), all through the services, in a new data folder: a real file, WAL, every commit
synchronised to the disk. With `--full` the same again on a PostgreSQL server of its own.
"""

import json
import sys
import time
from typing import Any

from bench._child import in_child, set_up
from bench._report import Report, percentile

SMALL_RUNS, SMALL_FIELD = 20, 100
LARGE_FIELD, SEATS = 10_112, 9
FULLEST = 1000  # the eliminations during which the large field is still nearly whole
LAST_PAID = 30
GOAL_RATIO, GOAL_P99_MS = 1.3, 10.0
DURABLE = ["fsync=on", "synchronous_commit=on"]
MEASURE = "--measure"


def main(arguments: list[str]) -> int:
    """Measure in a child process for each database, and show the figures."""
    if arguments == [MEASURE]:
        print(json.dumps(_measure()))
        return 0
    report = Report("growth")
    _add(report, "", in_child("bench.growth", MEASURE))
    if "--full" in arguments:
        from krru.devtools.postgres import Postgres

        with Postgres(DURABLE) as server:
            _add(
                report,
                "postgresql_",
                in_child("bench.growth", MEASURE, env={"DATABASE_URL": server.url}),
            )
    return report.show()


def _measure() -> dict[str, Any]:
    """Play all events in this process and return every single time, in milliseconds."""
    set_up()
    from django.utils import timezone

    from tournaments.practice.services.defaults import house_load
    from tournaments.practice.simulation import Plan, simulate

    club = house_load(at=timezone.now(), with_sample=False)
    began = time.perf_counter()
    small: list[float] = []
    for seed in range(1, SMALL_RUNS + 1):
        small += simulate(
            Plan(entries=SMALL_FIELD, seats=SEATS, seed=seed), club=club
        ).elimination_ms
        _say(f"{seed} / {SMALL_RUNS} × {SMALL_FIELD}", began)
    large_began, told = time.perf_counter(), LARGE_FIELD

    def watch(left: int) -> None:
        nonlocal told
        if told - left >= LARGE_FIELD // 20:
            told = left
            _say(f"{LARGE_FIELD}: {left} left", began)

    plan = Plan(entries=LARGE_FIELD, seats=SEATS, seed=1, last_paid=LAST_PAID)
    large = simulate(plan, club=club, watch=watch)
    _say(json.dumps(large.figures), began)
    return {
        "small": small,
        "large": large.elimination_ms,
        "seconds_large": time.perf_counter() - large_began,
        "seconds": time.perf_counter() - began,
    }


def _say(what: str, began: float) -> None:
    print(f"{time.perf_counter() - began:6.1f} s  {what}", file=sys.stderr, flush=True)


def _add(report: Report, prefix: str, measured: dict[str, Any]) -> None:
    small, large = measured["small"], measured["large"]
    p99 = percentile(small, 99)
    report.add(
        f"{prefix}elimination_p99_ratio", percentile(large, 99) / p99, "times", goal=GOAL_RATIO
    )
    fullest = percentile(large[:FULLEST], 99)
    report.add(f"{prefix}elimination_p99_ratio_fullest", fullest / p99, "times", goal=None)
    for name, times in ((str(SMALL_FIELD), small), (str(LARGE_FIELD), large)):
        for percent in (50, 99):
            value = percentile(times, percent)
            goal = GOAL_P99_MS if percent == 99 else None
            report.add(f"{prefix}elimination_p{percent}_{name}", value, "ms", goal=goal)
    report.add(f"{prefix}seconds_{LARGE_FIELD}", measured["seconds_large"], "s", goal=None)
    report.add(f"{prefix}seconds", measured["seconds"], "s", goal=None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
