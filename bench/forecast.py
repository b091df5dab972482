"""Whether the forecast of the end holds: evenings of seeds and a poker that nothing is fitted to.

Each evening is forecast at a quarter and at half of the time it took, from what a director's page
knows then. `--full` has 2,000 evenings; without it 300.
"""

import random
import statistics
import sys
import time
from typing import NamedTuple

import numpy as np

from bench._forecast_judge import JUDGE
from bench._report import Report, percentile
from tournaments.devtools.forecast_evenings import hall_at, played, terms_drawn
from tournaments.forecast.domain.end import end_of

SEED = 111_000_000
EVENINGS, FEW_EVENINGS = 2_000, 300
PARTS = {"quarter": 0.25, "half": 0.5}
LEAST, MOST = 0.75, 0.85


class Judged(NamedTuple):
    """A forecast beside the truth: parts of the evening's length, and seconds it took."""

    is_held: bool
    error: float
    width: float
    took: float


def main(arguments: list[str]) -> int:
    """Play, forecast and compare."""
    report = Report("forecast")
    evenings = EVENINGS if "--full" in arguments else FEW_EVENINGS
    found: dict[str, list[Judged]] = {name: [] for name in PARTS}
    unforeseen = 0
    for number in range(evenings):
        rng = random.Random(SEED + number)
        evening = played(terms_drawn(rng), JUDGE, rng)
        for name, part in PARTS.items():
            judged = _judged(evening, evening.ended * part)
            unforeseen += judged is None
            if judged is not None:
                found[name].append(judged)
    report.add("evenings", evenings, "evenings", goal=None)
    report.add("forecasts_refused", unforeseen, "forecasts", goal=0)
    for name, rows in found.items():
        held = sum(row.is_held for row in rows) / len(rows)
        report.add(f"in_the_band_at_{name}", held, "of evenings", goal=LEAST, better="higher")
        report.add(f"in_the_band_at_{name}_at_most", held, "of evenings", goal=MOST)
        error = statistics.median(row.error for row in rows)
        report.add(f"median_error_at_{name}", error, "of its length", goal=_goal(name))
        width = statistics.median(row.width for row in rows)
        report.add(f"median_width_at_{name}", width, "of its length", goal=None)
    times = [row.took * 1000 for rows in found.values() for row in rows]
    report.add("forecast_ms_median", statistics.median(times), "ms", goal=50)
    report.add("forecast_ms_p99", percentile(times, 99), "ms", goal=50)
    return report.show()


def _goal(name: str) -> float | None:
    return 0.08 if name == "half" else None


def _judged(evening, at: float) -> Judged | None:
    """Forecast an evening at an instant. Processor time, as others work on the machine."""
    rng = np.random.default_rng(SEED)
    began = time.process_time()
    end = end_of(hall_at(evening, at), rng)
    took = time.process_time() - began
    if end is None:
        return None
    length, true = evening.ended, evening.ended - at
    return Judged(
        is_held=end.low <= true <= end.high,
        error=abs(end.minutes - true) / length,
        width=(end.high - end.low) / length,
        took=took,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
