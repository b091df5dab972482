"""Restore a backup."""

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.timezone import localtime

from krru.backups.archive import Broken, Manifest
from krru.backups.restore import newest_in, restore
from krru.backups.sealed import NeedsPassphrase
from krru.data.folder import Trouble


class Command(BaseCommand):
    help = "Stellt eine Sicherung her; die bisherigen Daten werden beiseitegelegt."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="die Datei krru-….zip, oder ihr Ordner")

    def handle(self, *args: Any, **options: Any) -> None:
        manifest, former = self.restore_newest(options["file"])
        made = localtime(manifest.made_at)
        self.stdout.write(f"Wieder da ist der Stand vom {made:%d.%m.%Y, %H:%M:%S}.")
        self.stdout.write(f"Die bisherigen Daten liegen in {former}.")

    def restore_newest(self, path: Path) -> tuple[Manifest, Path]:
        """Restore a file, or the newest sound backup of a folder."""
        if not path.is_dir():
            return self.restore(path)
        files, others = newest_in(path)
        if others:
            self.stdout.write(
                f"Im Ordner liegen auch Sicherungen von {others} anderen Geräten. "
                "Genommen wird die, die zuletzt gemacht wurde."
            )
        for file in files:
            self.stdout.write(f"Genommen wird {file.name}.")
            try:
                return self.restore(file)
            except NeedsPassphrase:
                raise
            except Broken as error:
                self.stderr.write(str(error))
        raise Trouble(f"Keine Sicherung in {path} ist ganz.")

    def restore(self, path: Path) -> tuple[Manifest, Path]:
        """Restore a backup, asking for the passphrase if it is sealed."""
        try:
            return restore(path, settings.KRRU_BACKUP_PASSPHRASE)
        except NeedsPassphrase:
            if not sys.stdin.isatty():
                raise
        return restore(path, getpass.getpass("Kennwort der Sicherung: "))
