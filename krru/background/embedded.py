"""The embedded mode's schedule: one thread, and a small pool of threads for the tasks.

Uses the monotonic clock: setting the laptop's clock neither stops nor floods tasks.
"""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from celery import Task
from django.db import close_old_connections

logger = logging.getLogger(__name__)

# Two: a backup to a slow stick does not delay the hall. More would wait for SQLite's one write
# lock.
WORKERS = 2


def _run(task: Task, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Run one task in this thread. Celery logs its errors and they end here."""
    close_old_connections()
    try:
        task.apply(tuple(args), dict(kwargs), throw=False)
    finally:
        close_old_connections()


class Runner:
    """The threads of the schedule and of the tasks, ended by `stop`."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="task")
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def submit(
        self, task: Task, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Future[None]:
        return self._pool.submit(_run, task, args, kwargs or {})

    def start(self, periodic: Mapping[Task, float]) -> None:
        """Run each of these tasks at its interval in seconds from now on."""
        self._thread = threading.Thread(
            target=self._keep_schedule, args=(periodic,), name="schedule", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Take no more work. Python itself ends after the tasks that run."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _keep_schedule(self, periodic: Mapping[Task, float]) -> None:
        """Submit the due tasks, but for those still running."""
        due_at = {task: time.monotonic() + every for task, every in periodic.items()}
        running: dict[Task, Future[None]] = {}
        while not self._stopping.wait(max(0.0, min(due_at.values()) - time.monotonic())):
            task = min(due_at, key=due_at.__getitem__)
            due_at[task] = max(due_at[task] + periodic[task], time.monotonic())
            try:
                if task not in running or running[task].done():
                    running[task] = self.submit(task)
            except RuntimeError:
                # Go on without a thread for it, or no periodic task would run again.
                logger.exception("Der Zeitplan lässt sich gerade nicht einhalten.")


_runner = Runner()
submit = _runner.submit
start = _runner.start
stop = _runner.stop
