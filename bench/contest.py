"""A contest of 25 flights: ending one, who carries what, day 2 drawn, pages of bags and tickets.

`--full`: more rounds.
"""

from typing import Any

from bench._harness import Report, Task, measured

CONTEST = Task("bench._inside:contest")
GOALS = {"close": 1000, "carried": 600, "draw": 8000, "bags_page": 400, "tickets_page": 150}


def measure(report: Report, options: Any) -> None:
    """Measure a flight of 1,162, and the day of the 4,500 who are through."""
    for name, value in measured(CONTEST, 9 if options.full else 3).items():
        report.add(f"{name}_ms", value, "ms", GOALS[name])
