"""Cost of balancing in the largest hall so far, on a new data folder.

1,124 tables and 10,112 players (the largest World Series Main Event), from four to ten at a table.
Measured are all suggestions with player, seat and reason, from the database. `--full`: more rounds.
"""

from typing import Any

from bench._harness import Report, Task, measured, percentile

BALANCE = Task("bench._inside:balance")


def measure(report: Report, options: Any) -> None:
    """Measure in a separate process."""
    found = measured(BALANCE, 27 if options.full else 9)
    report.add("balance", percentile(found["wall_ms"], 50), "ms", 250)
    report.add("balance_processor", percentile(found["processor_ms"], 50), "ms")
