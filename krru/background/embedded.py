"""A thread that keeps the schedule, and a small pool of threads for tasks without a broker.

In full mode the leading process (`krru.background.schedule`) also runs due tasks here: backups and
mails do not wait for a broker.

Uses the monotonic clock: setting the laptop's clock neither stops nor floods tasks.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from celery import Celery, Task
from django.db import close_old_connections, connections

from krru.background import schedule

logger = logging.getLogger(__name__)

# Two: a backup to a slow stick does not delay the hall. More would wait for SQLite's one write
# lock.
WORKERS = 2
LONGEST_NAP = 1.0


def _run(task: Task, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Run one task in this thread. Celery logs its errors and they end here."""
    close_old_connections()
    try:
        task.apply(tuple(args), dict(kwargs), throw=False)
    finally:
        close_old_connections()


def _run_due(task: Task) -> None:
    """Run a periodic task and record its run."""
    try:
        _run(task, (), {})
    finally:
        schedule.note_run(str(task.name))
        close_old_connections()


class Runner:
    """The threads of the schedule. Made on first use, ended by `stop`."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._pool_lock = threading.Lock()
        self._wake = threading.Condition()
        self._waiting: list[tuple[float, int, Task, Sequence[Any], Mapping[str, Any]]] = []
        self._order = itertools.count()
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._periodic: dict[str, tuple[Task, float]] = {}
        self._running: dict[str, Future[None]] = {}

    def submit(
        self, task: Task, args: Sequence[Any], kwargs: Mapping[str, Any], countdown: float = 0
    ) -> Future[None] | None:
        """Run `task` now or in `countdown` seconds. Return its future if it runs now."""
        if countdown <= 0:
            return self._executor().submit(_run, task, args, kwargs)
        with self._wake:
            due = time.monotonic() + countdown
            heapq.heappush(self._waiting, (due, next(self._order), task, args, kwargs))
            self._ensure_thread()
            self._wake.notify()
        return None

    def start(self, app: Celery[Any]) -> None:
        """Run the periodic tasks of `app` from now on."""
        app.loader.import_default_modules()
        with self._wake:
            self._stopping = False
            self._periodic = {
                entry["task"]: (app.tasks[entry["task"]], float(entry["schedule"]))
                for entry in app.conf.beat_schedule.values()
            }
            self._ensure_thread()

    def stop(self, timeout: float = 2.0) -> None:
        """Refuse new work, drop waiting tasks, and give running ones `timeout` seconds."""
        with self._wake:
            self._stopping = True
            self._waiting.clear()
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None
        with self._pool_lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            ender = threading.Thread(target=pool.shutdown, kwargs={"cancel_futures": True})
            ender.daemon = True
            ender.start()
            ender.join(timeout)

    def _executor(self) -> ThreadPoolExecutor:
        with self._pool_lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="task")
            return self._pool

    def _ensure_thread(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._keep_schedule, name="schedule", daemon=True
            )
            self._thread.start()

    def _keep_schedule(self) -> None:
        due_at: dict[str, float] = {}
        leader = schedule.Leader()
        while not self._stopping:
            try:
                self._begin_due(due_at, leader)
            except Exception:
                # Go on after any error, or no periodic task would run again.
                logger.exception("Der Zeitplan lässt sich gerade nicht einhalten.")
            with self._wake:
                if not self._stopping:
                    self._wake.wait(self._nap(due_at.values()))
        leader.release()
        connections.close_all()

    def _begin_due(self, due_at: dict[str, float], leader: schedule.Leader) -> None:
        """Start due tasks: periodic ones if this process leads, and delayed ones."""
        now = time.monotonic()
        leads = bool(self._periodic) and leader.leads()
        for name, (task, every) in self._periodic.items():
            if due_at.setdefault(name, now + every) > now:
                continue
            due_at[name] = max(due_at[name] + every, now)
            if leads and (name not in self._running or self._running[name].done()):
                self._running[name] = self._executor().submit(_run_due, task)
        with self._wake:
            while self._waiting and self._waiting[0][0] <= now:
                _, _, task, args, kwargs = heapq.heappop(self._waiting)
                self._executor().submit(_run, task, args, kwargs)

    def _nap(self, due_at: Iterable[float]) -> float:
        now = time.monotonic()
        soonest = min([now + LONGEST_NAP, *due_at, *(item[0] for item in self._waiting[:1])])
        return max(0.0, soonest - now)


_runner = Runner()
submit = _runner.submit
start = _runner.start
stop = _runner.stop
