"""Keep the schedule by Celery's beat, under a service manager."""

from typing import Any

from celery.signals import beat_init
from django.conf import settings
from django.core.management.base import BaseCommand

from krru.celery import app
from krru.data.folder import Trouble
from krru.starting.watchdog import watch_beat


class Command(BaseCommand):
    help = "Hält den Zeitplan ein: stößt an, was `work` erledigt (nur mit REDIS_URL)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.EMBEDDED:
            raise Trouble("Ohne REDIS_URL hält der Server selbst den Zeitplan ein.")
        beat_init.connect(lambda sender, **given: watch_beat(sender), weak=False)
        app.Beat(loglevel="WARNING", quiet=True).run()
