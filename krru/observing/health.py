"""The program's health: for a load balancer, an uptime check, Prometheus, and support.

*Live*: the process answers. *Ready*: it can do its work. Neither is secret and neither checks the
Host header, as checkers know addresses only.
"""

import contextlib
import hmac
import os
import sqlite3
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from redis.exceptions import RedisError

from clock.realtime import hub
from clock.servertime import server_time
from krru import __version__, backups
from krru.background import schedule, updates
from krru.data import disks, metrics

PATHS = frozenset({"/health/live", "/health/ready", "/metrics"})
# A lock held longer by others counts like a full disk.
WRITE_PATIENCE_S = 2.0
# For Redis, and for the workers through it.
REDIS_PATIENCE_S = 1.5
WORKERS_PATIENCE_S = 0.5
DATABASE_PATIENCE_S = 3.0


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Answer that the process lives, without any check."""
    return JsonResponse({"ok": True, "version": __version__})


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Tell whether pages can be served and written, with all warnings.

    503 if this process should get no requests: its database or disk fails, or the tables are of
    another version. A problem shared by all processes is only reported.
    """
    told = report()
    return JsonResponse(told, status=200 if told["ok"] else 503)


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return the metrics for a request with the token; 404 if no token is set."""
    wanted = settings.KRRU_METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
        return HttpResponse(status=403 if wanted else 404)
    told, now = report(), CollectorRegistry()
    del told["streams"]  # counted of all processes
    told |= {"ready": told["ok"], **_play(), **_queue()}
    problems = Gauge("krru_problem", "What is wrong, by name", ["name"], registry=now)
    for name in told.pop("problems"):
        problems.labels(name).set(1)
    for name, value in told.items():
        if isinstance(value, int | float):
            Gauge(f"krru_{name}", name.replace("_", " "), registry=now).set(value)
    text = metrics.counted() + generate_latest(now)
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _play() -> dict[str, int]:
    """Return how much is played; the figures are the same of every process."""
    names = ("Event", "Entry", "LateTap")
    event, entry, tap = (apps.get_model("tournaments", name).objects for name in names)
    try:
        running = list(event.running().filter(is_sample=False).values_list("pk", flat=True))
        return {
            "events_running": len(running),
            "entries": entry.live().filter(event__in=running).count(),
            "late_taps_waiting": tap.live().filter(event__in=running).count(),
        }
    except DatabaseError:
        return {}


def _queue() -> dict[str, int]:
    if settings.EMBEDDED:
        return {}
    from krru.celery import QUEUE, broker  # noqa: PLC0415 - reads the settings

    try:
        return {"tasks_waiting": int(broker().llen(QUEUE))}
    except RedisError:
        return {}


def report() -> dict[str, Any]:
    """Return the state of every part; `problems` lists codes."""
    free = disks.free_bytes(settings.KRRU_DATA)
    of_database = _of_database() if _is_file() else answered(_of_database, DATABASE_PATIENCE_S)
    told = {
        "version": __version__,
        "mode": "embedded" if settings.EMBEDDED else "full",
        "streams": hub.stream_count,
        "free_bytes": free,
        "time_ahead_s": round(server_time.ahead().total_seconds()),
        **(of_database or {}),
    }
    wrong = {
        "database": of_database is None,
        "not_writable": not told.pop("writable", True),
        "migrations": bool(told.get("migrations_due")),
        "disk": free is not None and free < disks.CRITICAL_BYTES,
    }
    is_ok = not any(wrong.values())
    if not settings.EMBEDDED:
        shared = answered(_of_redis, REDIS_PATIENCE_S) or {"redis": False, "workers": 0}
        told |= shared
        wrong |= {name: not value for name, value in shared.items()}
    wrong["schedule"] = told.get("schedule_is_late", False)
    wrong["backup"] = told.get("backup_is_wrong", False)
    return {**told, "ok": is_ok, "problems": [name for name, is_so in wrong.items() if is_so]}


def answered(question: Callable[[], Any], patience_s: float) -> Any:
    """Call a function that may hang in a thread of its own; None if it takes too long."""
    told: list[Any] = []

    def ask() -> None:
        try:
            told.append(question())
        finally:
            connection.close()

    thread = threading.Thread(target=ask, name="health", daemon=True)
    thread.start()
    thread.join(patience_s)
    return told[0] if told else None


def _of_database() -> dict[str, Any] | None:
    try:
        is_writable, age, statuses = _is_writable(), schedule.age(), backups.backup_status()
        mails = apps.get_model("tournaments", "Mail").objects
        good = [status.good_at for status in statuses if status.good_at is not None]
        latest = round((server_time.now() - max(good)).total_seconds()) if good else None
        applied = MigrationRecorder(connection).applied_migrations()
        return {
            "writable": is_writable,
            "migrations_due": len(_migrations_known() - set(applied)),
            "schedule_age_s": None if age is None else round(age.total_seconds()),
            "schedule_is_late": schedule.is_late(),
            "last_backup_age_s": latest,
            "backup_is_wrong": any(status.sentence for status in statuses),
            "mails_waiting": mails.filter(sent_at=None).count(),
            "updates_problem": updates.last_problem(),
        }
    except DatabaseError:
        return None


@cache
def _migrations_known() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def _is_file() -> bool:
    return connection.vendor == "sqlite"


def _is_writable() -> bool:
    """Tell whether the database accepts a write, without writing."""
    path = Path(connection.settings_dict["NAME"])
    if not _is_file():
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            return bool(cursor.fetchone()[0] == "off")
    if "mode=memory" in str(path):
        return True
    opened = sqlite3.connect(path, timeout=WRITE_PATIENCE_S, isolation_level=None)
    with contextlib.closing(opened) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            return False
    return os.access(path.parent, os.W_OK)


def _of_redis() -> dict[str, Any]:
    from krru.celery import app, broker  # noqa: PLC0415 - reads the settings

    try:
        broker().ping()
        return {"redis": True, "workers": len(app.control.ping(timeout=WORKERS_PATIENCE_S) or [])}
    except Exception:  # any error of the broker's library means that Redis failed
        return {"redis": False, "workers": 0}
