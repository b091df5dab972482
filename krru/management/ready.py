"""Commands that need tables find them ready, also in a data folder that was never served."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from krru.prepare import prepare_database


class ReadyCommand(BaseCommand):
    """A command before which the tables are brought up to date, as before serving."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        prepare_database()
        return super().execute(*args, **options)
