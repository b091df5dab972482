"""Cost of services, and of a tap as a whole request: processor time and statements.

The services of `tests/costs.py` at 10 tables and at 500, with log and stream, on a new data folder.
`--full`: more rounds.
"""

from typing import Any

from bench._harness import Report, Task, measured

FEW, MANY, ROUNDS = 10, 500, 15
COSTS = Task("bench._inside:costs")
GOALS = {("out", "p50_ms"): 20, ("out", "p99_ms"): 40}


def measure(report: Report, options: Any) -> None:
    """Measure each size in a separate process."""
    rounds = ROUNDS * (4 if options.full else 1)
    found = {tables: measured(COSTS, tables, rounds) for tables in (FEW, MANY)}
    for tables, costs in found.items():
        for name, cost in costs.items():
            for what, value in cost.items():
                unit, goal = what.rpartition("_")[2], GOALS.get((name, what))
                report.add(f"{name}_at_{tables}_tables_{what}", value, unit, goal)
    small, large = (found[tables]["out"]["p50_ms"] for tables in (FEW, MANY))
    report.add(f"out_at_{MANY}_tables_to_{FEW}", large / small, "times", 1.5)
