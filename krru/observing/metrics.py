"""Figures for Prometheus: counted where things happen, handed out to who knows the token."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram, generate_latest

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
ANSWERS = Counter("krru_answers", "Answers, by method and class of status", ["method", "status"])
SECONDS = Histogram(
    "krru_answer_seconds",
    "How long answers took",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
GAUGES: dict[str, Gauge] = {}


def text_of(figures: dict[str, float | None]) -> bytes:
    """Return all figures in the text form, with those of this instant."""
    for name, value in figures.items():
        gauge = GAUGES.get(name)
        if gauge is None:
            gauge = GAUGES[name] = Gauge(f"krru_{name}", name.replace("_", " "))
        gauge.set(float("nan") if value is None else value)
    return generate_latest()
