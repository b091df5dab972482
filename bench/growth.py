"""Does recording one elimination cost more in a larger field?

Twenty events of 100, each to its winner, alternating with one of 10,112 at nine seats (the largest
World Series Main Event), with 3,000 eliminations, with `--full` all. Through the services, on
SQLite in a file with synchronised commits.
"""

from typing import Any

from bench._harness import Report, Task, measured, percentile

SMALL, LARGE, OUTS = 100, 10_112, 3_000
PLAY = Task("bench._inside:outs")


def measure(report: Report, options: Any) -> None:
    """Measure in a separate process."""
    outs = LARGE - 1 if options.full else OUTS
    found = measured(PLAY, SMALL, LARGE, outs)
    p99 = {}
    for size in (SMALL, LARGE):
        wall, processor = found[str(size)]
        p99[size] = percentile(wall, 99)
        report.add(f"out_of_{size}_processor_p50", percentile(processor, 50), "ms", 20)
        report.add(f"out_of_{size}_p50", percentile(wall, 50), "ms")
        report.add(f"out_of_{size}_p99", p99[size], "ms", 40)
    report.add(f"out_of_{LARGE}_to_{SMALL}_p99", p99[LARGE] / p99[SMALL], "times", 1.5)
