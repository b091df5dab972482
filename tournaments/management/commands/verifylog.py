"""`manage.py verifylog`: recompute the chain of every log, and compare it with all records.

The chains are compared with every backup and, with `--kept`, with the heads saved by phones and
screens; with `--facts` the tables are compared with the logs' hashes of facts and names. With a
file name: verify the chain of a log saved as JSON.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from krru.backups import keeping
from krru.backups.archive import Broken
from krru.management.ready import ReadyCommand
from tournaments.changes.domain.logchain import LogRow, verify
from tournaments.log.selectors.log_heads import Chain, Owner, chains_now, facts_checked
from tournaments.log.selectors.log_search import log_fault, names_checked
from tournaments.management import log_checks
from tournaments.models import Club, Event

HASHED = ("sequence", "kind", "at_ms", "recorded_at_ms", "payload", "hash")


class Command(ReadyCommand):
    help = "Rechnet die Kette jedes Protokolls nach, oder die eines gespeicherten (JSON)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="ein als JSON gespeichertes")
        parser.add_argument(
            "--kept", nargs="+", type=Path, default=[], help="was Geräte kennen, als Dateien"
        )
        parser.add_argument(
            "--backups", type=Path, help="Ordner mit weiteren Sicherungen zum Vergleichen"
        )
        parser.add_argument(
            "--facts", action="store_true", help="Tatsachen und Namen mit dem Protokoll prüfen"
        )

    def handle(self, *args: object, **options: Any) -> None:
        if options["file"]:
            self._verify_file(options["file"])
            return
        broken = list(_broken_chains())
        chains = chains_now()
        other = [sentence for path in options["kept"] for sentence in _of_kept(path, chains)]
        other += self._of_backups(options["backups"], chains)
        if options["facts"]:
            other += self._of_facts()
        for sentence in (*broken, *other):
            self.stderr.write(sentence)
        if broken:
            raise CommandError(f"{len(broken)} Protokolle sind beschädigt.")
        if other:
            raise CommandError(f"{len(other)} Unterschiede.")
        self.stdout.write("Alle Protokolle stimmen.")

    def _of_backups(self, folder: Path | None, chains: dict[Owner, Chain]) -> Iterator[str]:
        own, foreign = keeping.backups_kept()
        if folder is not None:
            if not folder.is_dir():
                raise CommandError(f"Den Ordner {folder} gibt es nicht.")
            own = sorted({*own, *folder.glob("*.zip*")})
        compared = 0
        for path in own:
            try:
                yield from log_checks.of_backup(path, chains)
                compared += 1
            except Broken as problem:
                self.stdout.write(f"Nicht verglichen: {problem}")
        self.stdout.write(f"Mit {compared} Sicherungen verglichen.")
        if foreign:
            self.stdout.write(
                f"{foreign} Sicherungen anderer Geräte nicht verglichen: dafür --backups ORDNER."
            )

    def _of_facts(self) -> Iterator[str]:
        found = facts_checked()
        if found.of_before:
            self.stdout.write(
                f"{found.of_before} Einträge von früher ohne Prüfsumme der Tatsachen."
            )
        yield from log_checks.of_facts(found)
        for club in Club.objects.order_by("pk"):
            names = names_checked(club)
            self.stdout.write(
                f"{club}: {names.compared} Namen verglichen, {names.erased} gelöscht, "
                f"{names.of_before} von früher oder erfunden."
            )
            yield from map(log_checks.of_name, names.faults)

    def _verify_file(self, path: Path) -> None:
        sequence, head, rows = _read(path)
        fault = verify(rows)
        if fault is None and (len(rows), rows[-1].hash if rows else "") != (sequence, head):
            fault = sequence
        if fault is not None:
            raise CommandError(f"{path.name}: Eintrag {fault} stimmt nicht.")
        self.stdout.write(f"{path.name}: Das Protokoll stimmt, {len(rows)} Einträge.")


def _broken_chains() -> Iterator[str]:
    subjects: list[Club | Event] = [*Club.objects.all(), *Event.objects.all()]
    for subject in subjects:
        fault = log_fault(subject)
        if fault is not None:
            yield f"{subject}: Eintrag {fault} stimmt nicht."


def _of_kept(path: Path, chains: dict[Owner, Chain]) -> Iterator[str]:
    try:
        yield from log_checks.of_kept(path, chains)
    except OSError as problem:
        raise CommandError(f"{path.name} lässt sich nicht lesen: {problem.strerror}.") from problem
    except ValueError as problem:
        raise CommandError(f"{path.name} ist nicht, was ein Gerät kennt.") from problem


def _read(path: Path) -> tuple[int, str, list[LogRow]]:
    """Return the last entry's number and hash from the file, and its entries."""
    try:
        kept_heads = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise CommandError(f"{path.name} lässt sich nicht lesen: {problem.strerror}.") from problem
    except ValueError as problem:
        raise CommandError(f"{path.name} ist kein Protokoll.") from problem
    try:
        rows = [LogRow(**{name: entry[name] for name in HASHED}) for entry in kept_heads["entries"]]
        return int(kept_heads["sequence"]), str(kept_heads["hash"]), rows
    except (KeyError, TypeError, ValueError) as problem:
        raise CommandError(f"{path.name} ist kein Protokoll.") from problem
