"""Do all due work by Celery's worker, under a service manager."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.db import connections

from krru import backups
from krru.celery import app
from krru.data import locks
from krru.data.folder import Trouble
from krru.management.ready import ReadyCommand
from krru.starting.watchdog import WatchedWorker

# A slow stick and a slow mail server leave one to the hall.
PROCESSES = 3


class Command(ReadyCommand):
    help = "Erledigt, was fällig ist: Sicherungen, Mails, Starts (nur mit REDIS_URL)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--schedule", action="store_true", help="hält auch den Zeitplan ein, statt `schedule`"
        )

    def handle(self, *args: Any, schedule: bool, **options: Any) -> None:
        if settings.EMBEDDED:
            raise Trouble("Ohne REDIS_URL erledigt der Server alles selbst.")
        with locks.one_of_many(settings.KRRU_DATA):
            backups.sweep()
            connections.close_all()
            app.steps["worker"].add(WatchedWorker)
            worker = app.Worker(
                beat=schedule,
                concurrency=PROCESSES,
                loglevel="WARNING",
                quiet=True,
                without_gossip=True,
                without_mingle=True,
            )
            worker.start()
        sys.exit(worker.exitcode)
