"""Further findings of `verifylog` as sentences: heads, backups, facts, names."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from krru.backups.archive import Broken
from krru.backups.sealed import database_of
from tournaments.changes.domain.logchain import head_of
from tournaments.log.domain.heads import Rewritten, first_rewritten, rewritten_since
from tournaments.log.domain.names import Fault, NameFault
from tournaments.log.selectors.log_heads import Chain, FactsChecked, Owner, chains_in
from tournaments.models import Action


def of_kept(path: Path, chains: dict[Owner, Chain]) -> Iterator[str]:
    """Yield the logs that contradict the heads saved by a phone or screen.

    :raises ValueError: The file is none that a phone wrote.
    """
    by_event = {event: chain for (event, _club), chain in chains.items() if event}
    for event, name, kept in _kept(path):
        chain = by_event.get(event)
        if chain is None:
            yield f"{path.name}: Das Protokoll von {name} fehlt."
            continue
        found = rewritten_since(chain.hashes, kept)
        if found is not None:
            yield f"{path.name}: {name}: {_words(found, len(chain.hashes))}"


def _kept(path: Path) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """Yield the saved heads of each log, also those from before the device started over."""
    try:
        for log in json.loads(path.read_text(encoding="utf-8"))["logs"]:
            for kept in (log["kept"], *(former["kept"] for former in log.get("former", ()))):
                heads = [(int(number), _grouped(str(head))) for number, head in kept]
                yield int(log["log"]), str(log["name"]), heads
    except (KeyError, TypeError, AttributeError) as problem:
        raise ValueError(str(problem)) from problem


def _grouped(head: str) -> str:
    return head_of("".join(head.split()).lower())


def of_backup(path: Path, chains: dict[Owner, Chain]) -> Iterator[str]:
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
        found = first_rewritten(now, chain.hashes)
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


def of_facts(found: FactsChecked) -> Iterator[str]:
    """Yield the entries whose facts differ from the tables."""
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


def of_name(found: NameFault) -> str:
    """Return the fault of a name as a sentence."""
    whose, noted = found.whose, found.noted
    who = f"Anmeldung {whose.registration}" if whose.registration else f"Person {whose.person}"
    log = f"Eintrag {noted.number}, {noted.log or 'Verein'}" if noted else ""
    return f"{who} ({whose.name}) {_NAMES[found.fault]}{f' ({log})' if log else ''}."
