"""Which process keeps the schedule, and when its tasks last ran: a schedule that stops is told.

Embedded there is one process, which remembers it. In full mode every web process stands by; one
holds a lock and keeps the schedule, and when it dies another takes the lock. When tasks ran is
written into the database then, for all processes.
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
    """Whether this process keeps the schedule. Asked by one thread, every second."""

    def __init__(self) -> None:
        self._file: FileLock | None = None
        self._is_held = False

    def leads(self) -> bool:
        """Take the lock if nobody has it; tell whether it is ours."""
        if settings.EMBEDDED:
            return True
        if connection.vendor != "postgresql":
            return self._leads_by_file()
        try:
            return self._leads_by_database()
        except DatabaseError:
            # The lock went with the connection.
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
        """Let another process have it."""
        if self._file is not None:
            self._file.release()
        self._is_held = False
        connection.close()


def _rows() -> Manager[Any]:
    """Return the rows. A worker loads this file before the models can be."""
    rows: Manager[Any] = apps.get_model("krru", "ScheduleRun").objects
    return rows


def note_run(task: str) -> None:
    """Note that a task ran. In full mode it is written down, some seconds apart."""
    now = _runs[task] = server_time.now()
    if settings.EMBEDDED or time.monotonic() < _written.get(task, 0.0) + WRITTEN_EVERY_S:
        return
    _written[task] = time.monotonic()
    try:
        _rows().update_or_create(task=task, defaults={"ran_at": now})
    except DatabaseError as error:
        logger.warning("Die Datenbank antwortet nicht: %s", error)


def last_runs() -> Mapping[str, datetime]:
    """Return when each task last ran, in whatever process.

    :raises DatabaseError: in full mode, when the database is away.
    """
    if settings.EMBEDDED:
        return dict(_runs)
    return dict(_rows().values_list("task", "ran_at"))


def age() -> timedelta | None:
    """Return how long ago anything of the schedule last ran; None shortly after the start."""
    ran = last_runs().values()
    if ran:
        return max(timedelta(), server_time.now() - max(ran))
    began = timedelta(seconds=time.monotonic() - _began)
    return began if began > LATE_AFTER else None


def last_ran_at() -> datetime | None:
    """Return when anything of the schedule last ran."""
    return max(last_runs().values(), default=None)


def is_late() -> bool:
    """Tell whether the schedule stands still."""
    found = age()
    # A process that has just begun has not had its turn.
    has_begun = time.monotonic() - _began > LATE_AFTER.total_seconds()
    return found is not None and found > LATE_AFTER and has_begun
