"""The Celery application and the schedule of periodic tasks, the same in both modes.

Embedded (no REDIS_URL) a task called with `delay` runs in a thread of this process, otherwise in
Celery's worker. `krru.background.embedded` keeps the schedule in both. Due work is in rows and a
task only starts it, so a lost or doubled call does no harm.
"""

import logging
import os
from functools import cache
from typing import Any

import redis
from celery import Celery, Task
from celery.signals import worker_process_init
from django.conf import settings
from kombu.exceptions import OperationalError

from clock import redis_options
from krru.background import embedded, timewatch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")

logger = logging.getLogger(__name__)

# Seconds between two runs. A task still running is not started twice.
BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "backup": {"task": "krru.tasks.backup", "schedule": 60.0},
    "mails": {"task": "tournaments.tasks.mails_due", "schedule": 5.0},
    # A laptop runs for one evening, so a daily schedule would never run.
    "privacy": {"task": "tournaments.tasks.privacy_due", "schedule": 900.0},
    "places": {"task": "tournaments.tasks.places_due", "schedule": 10.0},
    "cash-offers": {"task": "tournaments.tasks.cash_offers_due", "schedule": 10.0},
    "rebuys": {"task": "tournaments.tasks.rebuys_due", "schedule": 10.0},
    "clocks": {"task": "tournaments.tasks.clocks_start", "schedule": 2.0},
    "rehearsals": {"task": "tournaments.tasks.rehearsals_play", "schedule": 1.0},
    "start_calls": {"task": "tournaments.tasks.starts_call", "schedule": 5.0},
}


@cache
def broker() -> redis.Redis:
    """Return a Redis client with time-outs; Celery's would wait for a broker that hangs."""
    url = settings.REDIS_URL or ""
    return redis.Redis.from_url(url, **redis_options.options(url))


class WakingTask(Task):
    """A task with a safe call: in a thread if embedded, else by the broker."""

    def apply_async(self, args: Any = None, kwargs: Any = None, *rest: Any, **options: Any) -> Any:
        if self.app.conf.task_always_eager:
            return self.apply(args, kwargs, throw=True)
        if settings.EMBEDDED:
            return embedded.submit(self, args or (), kwargs or {}, options.get("countdown") or 0)
        try:
            broker().ping()
            return super().apply_async(args, kwargs, *rest, **options)
        except (OperationalError, redis.RedisError) as error:
            # The work is in the database. The schedule finds it when the broker is back.
            logger.warning("Broker nicht erreichbar, %s wird nachgeholt: %s", self.name, error)
            return None


app = Celery("krru", task_cls=WakingTask)
app.conf.update(
    broker_url=settings.REDIS_URL or "memory://",
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_connect_timeout": 1, "socket_timeout": 10},
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0.1, "interval_max": 0.2},
    task_always_eager=getattr(settings, "CELERY_TASK_ALWAYS_EAGER", False),
    task_ignore_result=True,
    task_acks_late=True,
    task_default_queue="krru",
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    beat_schedule=BEAT_SCHEDULE,
    timezone="UTC",
)
app.autodiscover_tasks()


@worker_process_init.connect
def begin_process(**told: Any) -> None:
    """Start the time watch in each process of a worker, as in the server."""
    timewatch.watch.start()
