"""Everything a club has as one archive of CSV and JSON, with a description."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, cast

from django.http import FileResponse, HttpResponse
from django.utils.text import slugify
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from tournaments.changes.access import Actor, Permission
from tournaments.changes.club import club_get
from tournaments.changes.selectors.log import log_actions, log_line
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.domain.schedule_files import schedule_as_text
from tournaments.event.selectors.schedule import schedule_as_file
from tournaments.imports.views.people import people_rows
from tournaments.log.views.log import chain_parts
from tournaments.models import Club, Event, League
from tournaments.papers.selectors.exports import SITES, site_rows
from tournaments.papers.views.exports import TABLES, table_rows
from tournaments.papers.workbooks import csv_parts
from tournaments.seasons.domain.terms import as_json
from tournaments.seasons.selectors.leagues import league_standings, leagues_of
from tournaments.seasons.selectors.lines import file_rows

Parts = Iterable[str]


@never_cache
@club_staff(Permission.MANAGE)
def archive(request: StaffRequest) -> HttpResponse:
    """Send the archive, written to a file first because its index comes last."""
    club = club_get()
    name = f"{slugify(club.name) or 'krru'}-{localdate(present(club)):%Y-%m-%d}.zip"
    file = _written(club, request.actor)
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    return cast("HttpResponse", response)


def _written(club: Club, reader: Actor) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the view that sends it closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        for name, parts in _files(club, reader):
            with book.open(name, "w") as out:
                for part in parts:
                    out.write(part.encode())
    file.seek(0)
    return file


def _files(club: Club, reader: Actor) -> Iterator[tuple[str, Parts]]:
    """Yield every file: its name and its text in parts."""
    events = list(Event.objects.filter(club=club, is_sample=False).order_by("starts_at", "pk"))
    yield "LIESMICH.txt", [_description(club)]
    yield "personen.csv", csv_parts(people_rows(club))
    yield "ergebnisse.csv", csv_parts(_results(events))
    for row in ScheduleTemplate.objects.order_by("pk"):
        name = f"blindplaene/{row.pk}-{slugify(row.name)}.json"
        yield name, [schedule_as_text(schedule_as_file(row))]
    for league in leagues_of(club):
        folder = f"ligen/{league.slug}"
        yield f"{folder}.csv", csv_parts(file_rows(league_standings(league, to_staff=True)))
        yield f"{folder}.json", [_league(league)]
    for event in events:
        folder = f"abende/{localtime(event.starts_at):%Y-%m-%d}-{event.slug}"
        for table in TABLES.values():
            if table.is_shown(event):
                yield f"{folder}/{table.file}.csv", csv_parts(table_rows(event, table))
        actions = log_actions(event).order_by("sequence").iterator(chunk_size=500)
        lines = (log_line(action, reader) for action in actions)
        yield f"{folder}/protokoll.json", chain_parts(event, lines, reader)


def _results(events: Iterable[Event]) -> Iterator[list[object]]:
    """Yield the results of all finished events in the columns of result sites."""
    yield list(SITES)
    for event in events:
        if event.ended_by_id is not None and not event.is_clock_only:
            yield from ([row[column] for column in SITES] for row in site_rows(event))


def _league(league: League) -> str:
    rule = {"name": league.rule_name, "since": league.rule_since, "until": league.rule_until}
    data = {
        "name": league.name,
        "is_public": league.is_public,
        "terms": as_json(league.reckoning),
        "evenings": {name: str(value) for name, value in rule.items() if value},
        "teams": dict(league.members.live().values_list("person__name", "team")),
        "guests": list(league.guests.live().values_list("person__name", flat=True)),
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _description(club: Club) -> str:
    tables = "".join(f"    {table.file}.csv: {table.title}. {table.note}\n"
                     for table in TABLES.values())  # fmt: skip
    return _(
        "Alles von %(club)s aus KRRU, für eine Tabellenkalkulation oder ein anderes Programm.\n"
        "Die Dateien enthalten Namen und Kontakte: nicht weitergeben.\n\n"
        "CSV: UTF-8 mit BOM, Semikolon, Beträge und Punkte mit Komma, Zeiten der Uhr des Saals.\n"
        "JSON: UTF-8, Beträge in Cent.\n\n"
        "personen.csv: alle, die der Verein kennt\n"
        "ergebnisse.csv: jedes Ergebnis in den Spalten von Ergebnisseiten, mit öffentlichen Namen\n"
        "blindplaene/: jeder Blindplan als krru-schedule, den das Programm wieder einliest\n"
        "ligen/: die Tabelle als CSV; Rechenweg, Teams und Gäste als JSON\n"
        "abende/: ein Ordner je Abend:\n%(tables)s"
        "    protokoll.json: alles, was geschehen ist, mit Prüfsummen; manage verifylog rechnet "
        "es nach\n\n"
        "Kein Ersatz für die Sicherung: Nur sie bringt alles ins Programm zurück.\n"
    ) % {"club": club.name, "tables": tables}
