"""Keep the schedule in a process of its own, under a service manager."""

import signal
import threading
from typing import Any

from django.conf import settings
from django.db import connections

from krru import backups
from krru.background import embedded
from krru.background.timewatch import watch
from krru.celery import app
from krru.data.folder import Trouble
from krru.management.ready import ReadyCommand


class Command(ReadyCommand):
    help = "Hält den Zeitplan ein: Sicherungen, Mails, Starts (nur mit REDIS_URL)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.EMBEDDED:
            raise Trouble("Ohne REDIS_URL hält der Server selbst den Zeitplan ein.")
        ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *told: ended.set())
        backups.sweep()
        connections.close_all()
        watch.start()
        embedded.start(app)
        ended.wait()
        embedded.stop()
        watch.stop()
