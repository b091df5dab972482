"""The Celery application and the table of periodic tasks, the same in both modes.

With REDIS_URL Celery's beat sends them and its worker runs them, embedded threads of the server do
both (`krru.background.embedded`). Due work is in rows and a task only wakes it, so a lost or
doubled message does no harm.
"""

import logging
import os
import time
from datetime import UTC, datetime
from functools import cache
from typing import Any

import redis
from celery import Celery, Task
from celery.schedules import schedule as interval
from celery.signals import task_postrun, worker_process_init
from django.conf import settings
from filelock import FileLock, Timeout
from kombu.exceptions import OperationalError

from clock import bus
from clock.servertime import running_for
from krru.background import embedded, schedule, timewatch
from krru.data.metrics import TASKS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")

logger = logging.getLogger(__name__)

# Seconds between two runs of a task.
EVERY: dict[str, float] = {
    "krru.tasks.backup": 60.0,
    "tournaments.tasks.mails_due": 5.0,
    "tournaments.tasks.notices_due": 2.0,
    "tournaments.tasks.hooks_due": 2.0,
    "krru.tasks.updates_due": 900.0,
    # A laptop runs for one evening, so a daily schedule would never run.
    "tournaments.tasks.privacy_due": 900.0,
    "tournaments.tasks.places_due": 10.0,
    "tournaments.tasks.cash_offers_due": 10.0,
    "tournaments.tasks.rebuys_due": 10.0,
    "tournaments.tasks.clocks_start": 2.0,
    "tournaments.tasks.rehearsals_play": 1.0,
    "tournaments.tasks.starts_call": 5.0,
}
QUEUE = "krru"
# Messages that wait in Redis, three quarters of a minute of them. More would wait for no worker.
LONGEST_QUEUE = 100
QUIET_SECONDS = 30.0


@cache
def broker() -> redis.Redis:
    """Return a Redis client with time-outs; Celery's would wait for a broker that hangs."""
    url = settings.REDIS_URL or ""
    return redis.Redis.from_url(url, **bus.options(url))


class WakingTask(Task):
    """A task with a safe call: in a thread if embedded, else by the broker."""

    _quiet_until = 0.0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run, but a periodic task only once at a time on this machine.

        Else a slow mail server would hold up every process of the worker.
        """
        if settings.EMBEDDED or self.name not in EVERY:
            return super().__call__(*args, **kwargs)
        try:
            running = FileLock(settings.KRRU_DATA / f"{self.name}.lock").acquire(timeout=0)
        except Timeout:
            return None
        with running:
            return super().__call__(*args, **kwargs)

    def apply_async(self, args: Any = None, kwargs: Any = None, *rest: Any, **options: Any) -> Any:
        if self.app.conf.task_always_eager:
            return self.apply(args, kwargs, throw=True)
        if settings.EMBEDDED:
            return embedded.submit(self, args or (), kwargs or {})
        try:
            if broker().llen(QUEUE) >= LONGEST_QUEUE:
                return None
            return super().apply_async(args, kwargs, *rest, **options)
        except (OperationalError, redis.RedisError) as error:
            # The work is in the database. The schedule finds it when the broker is back.
            if time.monotonic() >= WakingTask._quiet_until:
                WakingTask._quiet_until = time.monotonic() + QUIET_SECONDS
                logger.warning("Broker nicht erreichbar, %s wird nachgeholt: %s", self.name, error)
            return None


def running_time() -> datetime:
    """Return a time that goes on evenly when the computer's clock is set. Of no certain date."""
    return datetime.fromtimestamp(0, UTC) + running_for()


app = Celery("krru", task_cls=WakingTask)
app.conf.update(
    broker_url=settings.REDIS_URL or "memory://",
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_connect_timeout": 1, "socket_timeout": 10},
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0.1, "interval_max": 0.2},
    task_always_eager=getattr(settings, "CELERY_TASK_ALWAYS_EAGER", False),
    task_ignore_result=True,
    task_acks_late=True,
    task_default_queue=QUEUE,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    # Tasks store no results, so none need to be deleted.
    result_expires=None,
    # No file: each start begins anew.
    beat_scheduler="celery.beat:Scheduler",
    beat_schedule={
        name: {"task": name, "schedule": interval(seconds, nowfun=running_time)}
        for name, seconds in EVERY.items()
    },
    timezone="UTC",
)
app.autodiscover_tasks()


def periodic_tasks() -> dict[Task, float]:
    """Return the periodic tasks with the seconds between two runs."""
    app.loader.import_default_modules()
    return {app.tasks[name]: seconds for name, seconds in EVERY.items()}


@task_postrun.connect
def note_run(sender: Task, state: str = "", **told: Any) -> None:
    """Note that a periodic task ran, for health and the director; count every task."""
    TASKS.labels(sender.name, state.lower()).inc()
    if sender.name in EVERY:
        schedule.note_run(sender.name)


@worker_process_init.connect
def begin_process(**told: Any) -> None:
    """Start what looks at the time and for messages in each process of a worker."""
    timewatch.watch.start()
    timewatch.inbox.start()
