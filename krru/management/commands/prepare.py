"""Write generated files into the program's folder, so that it may then be read-only."""

from typing import Any

from django.core.management.base import BaseCommand

from krru.starting import texts
from krru.starting.prepare import prepare_static


class Command(BaseCommand):
    help = "Übersetzt die Texte und sammelt die statischen Dateien."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        texts.compile_texts()
        prepare_static()
        self.stdout.write("Texte und statische Dateien sind bereit.")
