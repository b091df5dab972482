"""Figures for Prometheus that count, of all processes of a server; any of them tells all.

With several processes each writes its own file in `metrics`, and a scrape joins them.
"""

import os
import socket
import time
from pathlib import Path

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "metrics"
# Of a machine that is gone, such as a former container.
FORGOTTEN_AFTER_S = 24 * 3600
_HOST = socket.gethostname().replace("_", "-")


def _process() -> str:
    return f"{_HOST}-{os.getpid()}"


def _folder() -> Path | None:
    """Return where the processes write; None for a single one, or where no figures are wanted."""
    if settings.EMBEDDED or not settings.KRRU_METRICS_TOKEN:
        return None
    folder = Path(settings.KRRU_DATA) / FOLDER
    folder.mkdir(exist_ok=True)
    return folder


def _clear(folder: Path) -> None:
    for file in folder.glob("*.db"):
        host, _, number = file.stem.rpartition("_")[2].rpartition("-")
        if host == _HOST:
            is_gone = not Path("/proc", number).exists()
        else:
            is_gone = time.time() - file.stat().st_mtime > FORGOTTEN_AFTER_S
        if is_gone:
            file.unlink(missing_ok=True)


FILES = _folder()
if FILES is not None:
    _clear(FILES)
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(FILES))
    # Before the figures below are made: containers have the same process numbers.
    values.ValueClass = values.MultiProcessValue(_process)  # type: ignore[no-untyped-call]

ANSWER_SECONDS = Histogram(
    "krru_answer_seconds", "How long answers took, by class of status", ["status"]
)
REQUESTS = Counter("krru_requests", "Answers, by address and status", ["route", "status"])
WRITE_SECONDS = Histogram("krru_write_seconds", "How long changes took, with the wait for others")
TASKS = Counter("krru_tasks", "Runs of tasks, by name and outcome", ["task", "outcome"])
STREAMS = Gauge("krru_streams", "Open streams", multiprocess_mode="livesum")
PAGES_WAITING = Gauge(
    "krru_pages_waiting", "Pages that wait for a thread", multiprocess_mode="livesum"
)


def counted() -> bytes:
    """Return all figures that count, in the format of Prometheus."""
    if FILES is None:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(FILES))  # type: ignore[no-untyped-call]
    return generate_latest(registry)
