"""Elect the process that keeps the schedule, and record the last run of each task.

Embedded there is one process with the runs in memory. In full mode the web process with the lock
keeps the schedule; another takes the lock when it dies. The runs are then in the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Manager
from filelock import FileLock, Timeout

from clock.servertime import server_time

logger = logging.getLogger(__name__)

LOCK_FILE = "schedule.lock"
ADVISORY_LOCK = 0x6B727276
# The most frequent task is due every two seconds.
LATE_AFTER = timedelta(seconds=30)
WRITTEN_EVERY_S = 5.0

_began = time.monotonic()
_runs: dict[str, datetime] = {}
_written: dict[str, float] = {}


class Leader:
    """The lock of the process that keeps the schedule. Used by one thread, every second."""

    def __init__(self) -> None:
        self._file: FileLock | None = None
        self._is_held = False

    def leads(self) -> bool:
        """Take the lock if it is free. Return True if this process holds it."""
        if settings.EMBEDDED:
            return True
        if connection.vendor != "postgresql":
            return self._leads_by_file()
        try:
            return self._leads_by_database()
        except DatabaseError:
            # The lock ended with the connection.
            self._is_held = False
            connection.close()
            return False

    def _leads_by_database(self) -> bool:
        before = connection.connection
        with connection.cursor() as cursor:
            if self._is_held and connection.connection is before:
                cursor.execute("SELECT 1")
            else:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [ADVISORY_LOCK])
                self._is_held = bool(cursor.fetchone()[0])
        return self._is_held

    def _leads_by_file(self) -> bool:
        if self._file is None:
            self._file = FileLock(Path(settings.KRRU_DATA) / LOCK_FILE, timeout=0)
        if not self._file.is_locked:
            try:
                self._file.acquire()
            except Timeout:
                return False
        return True

    def release(self) -> None:
        """Release the lock."""
        if self._file is not None:
            self._file.release()
        self._is_held = False
        connection.close()


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
    """Return the last run of any task."""
    return max(last_runs().values(), default=None)


def is_late() -> bool:
    """Tell whether the schedule is late."""
    found = age()
    # A new process has not yet run its first task.
    has_begun = time.monotonic() - _began > LATE_AFTER.total_seconds()
    return found is not None and found > LATE_AFTER and has_begun
