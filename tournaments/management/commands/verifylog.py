"""`manage.py verifylog`: recompute the chain of every log, and compare it with all records.

The chains are compared with every backup and, with `--kept`, with the heads saved by phones and
screens; with `--facts` the tables are compared with the logs' hashes of facts and names. With a
file name: verify the chain of a log saved as JSON.
"""

import json
import sqlite3
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from krru.backups import keeping
from krru.backups.archive import Broken
from krru.backups.sealed import database_of
from krru.management.ready import ReadyCommand
from tournaments.changes.domain.logchain import LogRow, head_of, verify
from tournaments.log.domain.heads import Rewritten, rewritten_since
from tournaments.log.domain.names import Fault, NameFault
from tournaments.log.selectors.log_heads import (
    Chain,
    FactsChecked,
    Owner,
    chains_in,
    chains_now,
    facts_checked,
)
from tournaments.log.selectors.log_search import log_fault, names_checked
from tournaments.models import Action, Club, Event

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
        subjects: list[Club | Event] = [*Club.objects.all(), *Event.objects.all()]
        faults = ((subject, log_fault(subject)) for subject in subjects)
        broken = [
            f"{one}: Eintrag {fault} stimmt nicht." for one, fault in faults if fault is not None
        ]
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
                yield from _of_backup(path, chains)
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
        yield from _of_facts(found)
        for club in Club.objects.order_by("pk"):
            names = names_checked(club)
            self.stdout.write(
                f"{club}: {names.compared} Namen verglichen, {names.erased} gelöscht, "
                f"{names.of_before} von früher oder erfunden."
            )
            yield from map(_of_name, names.faults)

    def _verify_file(self, path: Path) -> None:
        sequence, head, rows = _read(path)
        fault = verify(rows)
        if fault is None and (len(rows), rows[-1].hash if rows else "") != (sequence, head):
            fault = sequence
        if fault is not None:
            raise CommandError(f"{path.name}: Eintrag {fault} stimmt nicht.")
        self.stdout.write(f"{path.name}: Das Protokoll stimmt, {len(rows)} Einträge.")


def _read(path: Path) -> tuple[int, str, list[LogRow]]:
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


def _of_kept(path: Path, chains: dict[Owner, Chain]) -> Iterator[str]:
    by_event = {event: chain for (event, _club), chain in chains.items() if event}
    try:
        logs = list(_heads_kept(path))
    except OSError as problem:
        raise CommandError(f"{path.name} lässt sich nicht lesen: {problem.strerror}.") from problem
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise CommandError(f"{path.name} ist nicht, was ein Gerät kennt.") from problem
    for event, name, kept in logs:
        chain = by_event.get(event)
        if chain is None:
            yield f"{path.name}: Das Protokoll von {name} fehlt."
            continue
        found = rewritten_since([*map(head_of, chain.hashes)], kept)
        if found is not None:
            yield f"{path.name}: {name}: {_words(found, len(chain.hashes))}"


def _heads_kept(path: Path) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """Yield the saved heads of each log, also those from before the device started over."""
    for log in json.loads(path.read_text(encoding="utf-8"))["logs"]:
        for kept in (log["kept"], *(former["kept"] for former in log.get("former", ()))):
            heads = [
                (int(number), head_of("".join(str(head).split()).lower())) for number, head in kept
            ]
            yield int(log["log"]), str(log["name"]), heads


def _of_backup(path: Path, chains: dict[Owner, Chain]) -> Iterator[str]:
    """Yield the first entry of each log that differs from a backup.

    :raises Broken: The backup cannot be read.
    """
    try:
        with database_of(path) as database:
            before = chains_in(database)
    except sqlite3.DatabaseError as problem:
        raise Broken(f"{path.name} ist beschädigt: {problem}") from problem
    for owner, chain in before.items():
        if chain.may_go and owner not in chains:
            continue
        now = chains.get(owner, Chain(name=chain.name)).hashes
        found = rewritten_since(now, enumerate(chain.hashes, 1))
        if found is not None:
            name = chain.name or "Das Protokoll des Vereins"
            yield f"{path.name}: {name}: {_words(found, len(now))}"


def _words(found: Rewritten, length: int) -> str:
    if found.is_missing:
        return (
            f"Eintrag {found.last} fehlt, das Protokoll endet bei {length}: Es wurde eine ältere "
            "Sicherung eingespielt oder das Ende entfernt."
        )
    if found.first == found.last:
        return f"Eintrag {found.first} ist umgeschrieben."
    return f"Umgeschrieben: der erste veränderte Eintrag liegt bei {found.first} bis {found.last}."


def _of_facts(found: FactsChecked) -> Iterator[str]:
    entries = Action.objects.select_related("event__head", "club").in_bulk(
        {one.entry for one in found.differences}
    )
    for one in found.differences:
        entry = entries[one.entry]
        where = f"{entry.event or entry.club}: Eintrag {entry.sequence}: {one.table}"
        if one.fact is None:
            yield f"{where}: In der Tabelle steht anderes, als der Eintrag schrieb."
        else:
            yield f"{where} {one.fact}: Ob das gilt, sagt das Protokoll anders als die Tabelle."


_NAMES = {
    Fault.DIFFERS: "heißt anders, als das Protokoll weiß",
    Fault.UNKNOWN: "steht in keinem Protokoll",
    Fault.UNSALTED: "lässt sich nicht mehr prüfen: Das Salz fehlt, gelöscht wurde die Person nicht",
    Fault.NOT_ERASED: "gilt als gelöscht, kein Protokoll weiß davon",
}


def _of_name(found: NameFault) -> str:
    whose, noted = found.whose, found.noted
    who = f"Anmeldung {whose.registration}" if whose.registration else f"Person {whose.person}"
    log = f"Eintrag {noted.number}, {noted.log or 'Verein'}" if noted else ""
    return f"{who} ({whose.name}) {_NAMES[found.fault]}{f' ({log})' if log else ''}."
