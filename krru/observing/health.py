"""How the program fares: for a load balancer, an uptime check, Prometheus, and who has to help.

*Live* says that the process answers; *ready*, that it can do its work. Nothing here is secret, and
these two ask for no Host header: those who check know addresses only.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import redis
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clock.realtime import hub
from clock.servertime import server_time
from krru import __version__, backups
from krru.background import schedule
from krru.data import disks
from krru.observing import metrics

Answer = TypeVar("Answer")

PATHS = frozenset({"/health/live", "/health/ready", "/metrics"})
# A lock that is held longer by others is as good as a disk that takes nothing.
WRITE_PATIENCE_S = 2.0
# For Redis itself and for the workers, through it.
REDIS_PATIENCE_S = 1.5
WORKERS_PATIENCE_S = 0.5
DATABASE_PATIENCE_S = 3.0


class Asker:
    """Asks what may hang, in a thread of its own, and gives up after a while."""

    def __init__(self, name: str, patience_s: float) -> None:
        self._name, self._patience_s = name, patience_s
        self._lock = threading.Lock()

    def ask(self, question: Callable[[], Answer]) -> Answer | None:
        """Return the answer; None if none comes in time. One asks, others wait for their turn."""
        until = time.monotonic() + self._patience_s
        if not self._lock.acquire(timeout=self._patience_s):
            return None  # the one before still waits
        told: list[Answer] = []

        def asked() -> None:
            try:
                told.append(question())
            finally:
                connection.close()
                self._lock.release()

        thread = threading.Thread(target=asked, name=f"health {self._name}", daemon=True)
        thread.start()
        thread.join(max(0.0, until - time.monotonic()))
        return told[0] if told else None


_database = Asker("database", DATABASE_PATIENCE_S)
_redis = Asker("redis", REDIS_PATIENCE_S)


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Say that the process answers, without asking anything."""
    return JsonResponse({"ok": True, "version": __version__})


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Say whether pages can be served and written, with what is doubtful besides.

    503 where this process should get no requests: its database or its disk take nothing, or the
    tables are of another version. What all processes share is told, and is no reason to ask none.
    """
    told = report()
    return JsonResponse(told, status=200 if told["ok"] else 503)


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Hand the figures to who shows the token; without one there is nothing here."""
    wanted = settings.KRRU_METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
        return HttpResponse(status=403 if wanted else 404)
    text = metrics.text_of(figures(report()))
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def report() -> dict[str, Any]:
    """Return how everything fares; `problems` names what is wrong in codes."""
    told: dict[str, Any] = {
        "version": __version__,
        "mode": "embedded" if settings.EMBEDDED else "full",
        "streams": hub.stream_count,
        "free_bytes": disks.free_bytes(settings.KRRU_DATA),
        "time_ahead_s": round(server_time.ahead().total_seconds()),
    }
    is_file = connection.vendor == "sqlite"
    of_database = _asked_of_database() if is_file else _database.ask(_asked_of_database)
    told |= of_database or {}
    problems = ["database"] if of_database is None else []
    problems += [] if told.pop("writable", True) else ["not_writable"]
    problems += ["migrations"] if told.get("migrations_due") else []
    if disks.is_critical(settings.KRRU_DATA):
        problems.append("disk")
    told["ok"] = not problems
    if not settings.EMBEDDED:
        told |= _redis.ask(_of_redis) or {"redis": False, "workers": 0}
        problems += [] if told["redis"] else ["redis"]
        problems += [] if told["workers"] else ["workers"]
    problems += ["schedule"] if told.get("schedule_is_late") else []
    problems += ["backup"] if told.get("backup_is_wrong") else []
    return {**told, "problems": problems}


def _asked_of_database() -> dict[str, Any] | None:
    try:
        return {"writable": _is_writable(), **_of_database()}
    except DatabaseError:
        return None


def _of_database() -> dict[str, Any]:
    age = schedule.age()
    statuses = backups.backup_status()
    good = [status.good_at for status in statuses if status.good_at is not None]
    waiting = apps.get_model("tournaments", "Mail").objects.filter(sent_at=None).count()
    latest = round((server_time.now() - max(good)).total_seconds()) if good else None
    return {
        "migrations_due": len(_migrations_known() - _migrations_applied()),
        "schedule_age_s": None if age is None else round(age.total_seconds()),
        "schedule_is_late": schedule.is_late(),
        "last_backup_age_s": latest,
        "backup_is_wrong": any(status.sentence for status in statuses),
        "mails_waiting": waiting,
    }


@cache
def _migrations_known() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def _migrations_applied() -> set[tuple[str, str]]:
    return set(MigrationRecorder(connection).applied_migrations())


def _is_writable() -> bool:
    """Tell whether the database takes a change within a moment, without making one."""
    try:
        if connection.vendor == "sqlite":
            return _is_file_writable(Path(connection.settings_dict["NAME"]))
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            return bool(cursor.fetchone()[0] == "off")
    except (DatabaseError, sqlite3.Error):
        return False


def _is_file_writable(path: Path) -> bool:
    if "mode=memory" in str(path):
        return True
    with contextlib.closing(sqlite3.connect(path, timeout=WRITE_PATIENCE_S)) as database:
        database.isolation_level = None
        database.execute("BEGIN IMMEDIATE")
        database.execute("ROLLBACK")
    return os.access(path.parent, os.W_OK)


def _of_redis() -> dict[str, Any]:
    """Ask Redis itself, and through it the workers: both answer at once, or are away."""
    from krru.celery import app  # noqa: PLC0415 - reads the settings

    try:
        client = redis.Redis.from_url(
            settings.REDIS_URL or "",
            socket_timeout=REDIS_PATIENCE_S,
            socket_connect_timeout=REDIS_PATIENCE_S,
        )
        with client:
            client.ping()
        workers = len(app.control.ping(timeout=WORKERS_PATIENCE_S) or [])
    except Exception:  # whatever the broker's library raises: Redis is what is asked
        return {"redis": False, "workers": 0}
    return {"redis": True, "workers": workers}


def figures(told: dict[str, Any]) -> dict[str, float | None]:
    """Return what is counted and measured of a report, as figures."""
    names = (
        "streams", "free_bytes", "time_ahead_s", "migrations_due", "schedule_age_s",
        "last_backup_age_s", "mails_waiting", "workers",
    )  # fmt: skip
    found: dict[str, float | None] = {name: told[name] for name in names if name in told}
    return {**found, "ready": float(told["ok"]), "problems": float(len(told["problems"]))}
