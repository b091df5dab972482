"""What do actions and pages cost: statements, processor time, calls of Python functions?

Eight actions at 10 tables and at 500, with log and stream; a tap as a whole request; the pages at
37 players and at 1,000. All in one process, on a new data folder. `--full` repeats each more often.
Times are told in milliseconds, and in bare loops measured beside them, for machines that differ.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from bench._child import in_child, set_up
from bench._report import Report, percentile

TABLES, AT_A_TABLE = (10, 500), 8
PLAYERS = (37, 1000)
ROUNDS, WARM = 15, 2
GOAL_OUT_MS, GOAL_RATIO, GOAL_DIRECTOR = 5.0, 1.3, 35
MEASURE = "--measure"
Costs = dict[str, dict[str, float]]


def main(arguments: list[str]) -> int:
    """Measure in a child, and show the figures."""
    rounds = ROUNDS * (4 if "--full" in arguments else 1)
    if MEASURE in arguments:
        set_up()
        print(json.dumps(_measure(rounds)))
        return 0
    found = in_child("bench.cost", MEASURE, *arguments)
    _show_table(found)
    return _report(found).show()


def _measure(rounds: int) -> dict[str, Costs]:
    """Return the costs by size, then by name."""
    from django.conf import settings
    from django.utils import timezone

    from bench._costs import Room

    settings.ALLOWED_HOSTS.append("testserver")
    at, found = timezone.now(), {}
    for tables in TABLES:
        room = Room.laid_out(f"{tables} Tische", [AT_A_TABLE] * tables, at=at)
        actions = room.actions() | room.taps()
        found[f"{tables}_tables"] = {
            name: _cost(prepare, rounds) for name, prepare in actions.items()
        }
    for players in PLAYERS:
        full, rest = divmod(players, AT_A_TABLE)
        sizes = [AT_A_TABLE] * full + ([rest] if rest else [])
        room = Room.laid_out(f"{players} Spieler", sizes, at=at)
        found[f"{players}_players"] = {
            name: _cost(lambda do=do: do, rounds)  # type: ignore[misc]
            for name, do in room.pages().items()
        }
    return found


def _cost(prepare: Callable[[], Callable[[], Any]], rounds: int) -> dict[str, float]:
    from bench._costs import bare_loop, processor_ms, python_calls, statements

    for _ in range(WARM):
        prepare()()
    do = prepare()
    with statements() as asked:
        do()
    calls = python_calls(prepare())
    times = [processor_ms(prepare()) for _ in range(rounds)]
    yardstick = percentile([processor_ms(bare_loop) for _ in range(rounds)], 50)
    return {
        "statements": len(asked),
        "repeated": len(asked) - len(set(asked)),
        "calls": calls,
        "p50_ms": percentile(times, 50),
        "p99_ms": percentile(times, 99),
        "p50_loops": percentile(times, 50) / yardstick,
    }


def _show_table(found: dict[str, Costs]) -> None:
    for size, costs in found.items():
        print(f"{size:26}  p50 ms  p99 ms   loops  statements (repeated)   calls", file=sys.stderr)
        for name, cost in costs.items():
            print(
                f"{name:26} {cost['p50_ms']:7.2f} {cost['p99_ms']:7.2f} {cost['p50_loops']:7.2f}"
                f" {cost['statements']:10} ({cost['repeated']}) {cost['calls']:16,}",
                file=sys.stderr,
            )


def _report(found: dict[str, Costs]) -> Report:
    report = Report("cost")
    for size, costs in found.items():
        for name, cost in costs.items():
            for what, value in cost.items():
                unit = "ms" if what.endswith("_ms") else what
                report.add(f"{name}_{size}_{what}", value, unit, goal=_goal(name, what))
    small, large = (found[f"{tables}_tables"]["out"]["p50_ms"] for tables in TABLES)
    report.add("out_ratio", large / small, "times", goal=GOAL_RATIO)
    return report


def _goal(name: str, what: str) -> float | None:
    return {("out", "p50_ms"): GOAL_OUT_MS, ("director", "statements"): GOAL_DIRECTOR}.get(
        (name, what)
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    sys.exit(main(sys.argv[1:]))
