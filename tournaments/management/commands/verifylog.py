"""`manage.py verifylog`: recompute the chain of every log and name the first broken entry.

With the name of a file: the chain of a log that was saved as JSON.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from krru.management.ready import ReadyCommand
from tournaments.changes.domain.logchain import LogRow, verify
from tournaments.log.selectors.log_search import log_fault
from tournaments.models import Club, Event

HASHED = ("sequence", "kind", "at_ms", "recorded_at_ms", "payload", "hash")


class Command(ReadyCommand):
    help = "Rechnet die Kette jedes Protokolls nach, oder die eines gespeicherten (JSON)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="ein als JSON gespeichertes")

    def handle(self, *args: object, **options: Any) -> None:
        if options["file"]:
            self._verify_file(options["file"])
            return
        broken = 0
        subjects: list[Club | Event] = [*Club.objects.all(), *Event.objects.all()]
        for subject in subjects:
            fault = log_fault(subject)
            if fault is not None:
                broken += 1
                self.stderr.write(f"{subject}: Eintrag {fault} stimmt nicht.")
        if broken:
            raise CommandError(f"{broken} Protokolle sind beschädigt.")
        self.stdout.write("Alle Protokolle stimmen.")

    def _verify_file(self, path: Path) -> None:
        sequence, head, rows = _read(path)
        fault = verify(rows)
        if fault is None and (len(rows), rows[-1].hash if rows else "") != (sequence, head):
            fault = sequence
        if fault is not None:
            raise CommandError(f"{path.name}: Eintrag {fault} stimmt nicht.")
        self.stdout.write(f"{path.name}: Das Protokoll stimmt, {len(rows)} Einträge.")


def _read(path: Path) -> tuple[int, str, list[LogRow]]:
    """Return the number and hash of the last entry as the file says, and its entries."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise CommandError(f"{path.name} lässt sich nicht lesen: {problem.strerror}.") from problem
    except ValueError as problem:
        raise CommandError(f"{path.name} ist kein Protokoll.") from problem
    try:
        rows = [LogRow(**{name: entry[name] for name in HASHED}) for entry in told["entries"]]
        return int(told["sequence"]), str(told["hash"]), rows
    except (KeyError, TypeError, ValueError) as problem:
        raise CommandError(f"{path.name} ist kein Protokoll.") from problem
