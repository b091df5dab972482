"""Bring a backup up."""

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import localtime

from krru import backups
from krru.backups.database import CannotCopy
from krru.backups.restore import Refused


class Command(BaseCommand):
    help = "Stellt eine Sicherung her; die bisherigen Daten werden beiseitegelegt."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="die Datei krru-….zip")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest, former = self.restore(options["file"])
        except (backups.Broken, Refused, CannotCopy, OSError) as error:
            raise CommandError(str(error)) from None
        made = localtime(manifest.made_at)
        self.stdout.write(f"Wieder da ist der Stand vom {made:%d.%m.%Y, %H:%M:%S}.")
        self.stdout.write(f"Die bisherigen Daten liegen in {former}.")

    def restore(self, path: Path) -> tuple[backups.Manifest, Path]:
        """Bring a backup up; ask for the passphrase if it is sealed."""
        try:
            return backups.restore(path, settings.KRRU_BACKUP_PASSPHRASE)
        except backups.NeedsPassphrase:
            if not sys.stdin.isatty():
                raise
        return backups.restore(path, getpass.getpass("Kennwort der Sicherung: "))
