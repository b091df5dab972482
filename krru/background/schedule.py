"""Record the last run of each periodic task: embedded in memory, else in the database.

In full mode workers write the runs, and every process reads them.
"""

import logging
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Manager

from clock.servertime import server_time

logger = logging.getLogger(__name__)

# The most frequent task is due every second.
LATE_AFTER = timedelta(seconds=30)
WRITTEN_EVERY_S = 5.0

_began = time.monotonic()
_runs: dict[str, datetime] = {}
_written: dict[str, float] = {}


def _rows() -> Manager[Any]:
    """Return the manager of the runs. A worker imports this file before the models are ready."""
    rows: Manager[Any] = apps.get_model("krru", "ScheduleRun").objects
    return rows


def note_run(task: str) -> None:
    """Record the run of a task. In full mode write it at most every few seconds."""
    now = _runs[task] = server_time.now()
    if settings.EMBEDDED or time.monotonic() < _written.get(task, 0.0) + WRITTEN_EVERY_S:
        return
    _written[task] = time.monotonic()
    try:
        _rows().update_or_create(task=task, defaults={"ran_at": now})
    except DatabaseError as error:
        logger.warning("Die Datenbank antwortet nicht: %s", error)


def last_runs() -> Mapping[str, datetime]:
    """Return the last run of each task, in any process.

    :raises DatabaseError: in full mode, when the database is away.
    """
    if settings.EMBEDDED:
        return dict(_runs)
    return dict(_rows().values_list("task", "ran_at"))


def age() -> timedelta | None:
    """Return the time since the last run of any task; None shortly after the start."""
    ran = last_runs().values()
    if ran:
        return max(timedelta(), server_time.now() - max(ran))
    began = timedelta(seconds=time.monotonic() - _began)
    return began if began > LATE_AFTER else None


def last_ran_at() -> datetime | None:
    return max(last_runs().values(), default=None)


def is_late() -> bool:
    found = age()
    # A new process has not yet run its first task.
    has_begun = time.monotonic() - _began > LATE_AFTER.total_seconds()
    return found is not None and found > LATE_AFTER and has_begun
