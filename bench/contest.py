"""A contest of 25 flights: ending one, who carries what, day 2 drawn, pages of bags and tickets.

Beside them the end of one event as large, and the draw of its seats; an out in a flight beside one
in an event, and while another flight registers 50 people a second. `--full`: more rounds.
"""

from typing import Any

from bench._harness import Report, Task, measured

CONTEST, OUTS = Task("bench._contest:contest"), Task("bench._contest:outs")
GOALS = {"close": 1000, "carried": 600, "draw": 8000, "bags_page": 400, "tickets_page": 150}
BESIDE = {"close": "end_of_an_event", "draw": "draw_of_an_event"}


def measure(report: Report, options: Any) -> None:
    """Measure a flight of 1,162, and the day of the 4,500 who are through."""
    found = measured(CONTEST, 9 if options.full else 3)
    for name, value in found.items():
        report.add(f"{name}_ms", value, "ms", GOALS.get(name))
    for name, beside in BESIDE.items():
        report.add(f"{name}_to_{beside}", found[name] / found[beside], "times")
    outs = measured(OUTS, 500 if options.full else 200)
    more = outs["flight_statements"] - outs["event_statements"]
    report.add("statements_more_in_a_flight", more, "statements", 0)
    report.add("out_p99", outs["quiet"], "ms")
    report.add("out_p99_to_quiet", outs["busy"] / outs["quiet"], "times", 1.5)
