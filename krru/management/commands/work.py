"""Run a worker of the full mode, under a service manager."""

from typing import Any

from django.conf import settings

from krru import worker
from krru.data.folder import Trouble
from krru.management.ready import ReadyCommand


class Command(ReadyCommand):
    help = "Erledigt, was im Hintergrund geschieht (nur mit REDIS_URL)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.EMBEDDED:
            raise Trouble("Ohne REDIS_URL erledigt der Server alles selbst.")
        worker.work()
