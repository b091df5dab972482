"""Keep the schedule by Celery's beat, under a service manager."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from krru.celery import app
from krru.data.folder import Trouble


class Command(BaseCommand):
    help = "Hält den Zeitplan ein: stößt an, was `work` erledigt (nur mit REDIS_URL)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.EMBEDDED:
            raise Trouble("Ohne REDIS_URL hält der Server selbst den Zeitplan ein.")
        app.Beat(loglevel="WARNING", quiet=True).run()
