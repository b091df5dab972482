"""Back up now."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from krru import backups
from krru.backups.database import CannotCopy
from krru.data.disks import words_of
from krru.data.folder import Trouble


class Command(BaseCommand):
    help = "Sichert die Daten sofort, auch während der Server läuft."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, help="Ordner; sonst die gewählten, sonst backups im Datenordner"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for path in backups.backup_now(options["to"]):
                self.stdout.write(str(path))
        except (OSError, CannotCopy) as error:
            said = isinstance(error, OSError) and words_of(error)
            raise Trouble(f"Die Sicherung ist nicht gelungen: {said or error}") from None
