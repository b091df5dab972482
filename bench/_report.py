"""The form of a benchmark's answer: one JSON object, printed last."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Better = Literal["lower", "higher"]


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile.

    >>> percentile([4, 1, 3, 2], 50)
    2
    >>> percentile([4, 1, 3, 2], 99)
    4
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


@dataclass(slots=True)
class Report:
    """The figures of one benchmark."""

    bench: str
    figures: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, name: str, value: float, unit: str, *, goal: float | None, better: Better = "lower"
    ) -> None:
        """Add a figure; without a goal it only informs and counts as met."""
        met = goal is None or (value <= goal if better == "lower" else value >= goal)
        self.figures.append(
            {
                "name": name,
                "value": round(value, 4),
                "unit": unit,
                "goal": goal,
                "better": better,
                "met": met,
            }
        )

    def show(self) -> int:
        """Print the object and return the exit code: 0 if every goal is met."""
        print(json.dumps({"bench": self.bench, "figures": self.figures}))
        return 0 if all(figure["met"] for figure in self.figures) else 1
