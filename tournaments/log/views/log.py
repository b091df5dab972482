"""An event's whole log: pages, search, undo, and verification."""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any, cast
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    JsonResponse,
)
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.text import slugify
from django.utils.timezone import localdate, localtime, make_aware
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from tournaments.changes.access import Actor, Permission, Role, allows, may_undo
from tournaments.changes.club import club_get
from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.kinds import Group, texts_for
from tournaments.changes.selectors.log import LogLine, log_actions, log_line
from tournaments.changes.views.decorators import club_staff, event_or_404, open_to_all, staff
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.domain.schedule_files import schedule_as_text
from tournaments.event.selectors.schedule import schedule_as_file
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context
from tournaments.imports.views.imports import people_rows
from tournaments.log.selectors.log_heads import MOST_ASKED, heads_at
from tournaments.log.selectors.log_search import Search, actions_found, log_fault
from tournaments.models import Action, Club, Event, League, StaffDevice
from tournaments.papers.selectors.exports import SITES, site_rows
from tournaments.papers.views.exports import TABLES, table_rows
from tournaments.papers.views.papers import send_parts
from tournaments.papers.workbooks import csv_parts
from tournaments.seasons.domain.points import as_json
from tournaments.seasons.selectors.leagues import file_rows, league_standings, leagues_of
from tournaments.undo.services.undo import is_redoable

A_PAGE = 50
# Later years do not exist in every time zone.
YEARS = range(1970, 2970)


@never_cache
@staff(Permission.SEE_LOG, people=False)
def log(request: StaffRequest) -> HttpResponse:
    """Show the log; with `kette` verify its chain, which is slower for a longer evening."""
    event = request.event
    if "kette" in request.GET and request.htmx:
        return render(request, "events/chain.html", {"event": event, "fault": log_fault(event)})
    search = asked_of(request)
    page = Paginator(actions_found(event, search), A_PAGE).get_page(request.GET.get("seite"))
    asked = {name: request.GET.get(name, "") for name in ASKED}
    has_fees = event_has_money(event) or event.has_cash_game
    left_out = {Group.CLUB} if has_fees else {Group.CLUB, Group.FEES}
    devices = StaffDevice.objects.filter(actions__event=event)
    context = page_context(request, event, request.actor) | {
        "tab": "log",
        "may_manage": allows(request.actor, Permission.MANAGE),
        "page": page,
        "rows": [_row(request, action) for action in page],
        "asked": asked,
        "search": search,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "is_narrow": any(asked[name] for name in ("tisch", "von", "bis")),
        "groups": [(group.value, group.label) for group in Group if group not in left_out],
        "devices": devices.distinct().order_by("name", "pk").values_list("pk", "name"),
    }
    if "kette" in request.GET:
        context |= {"is_checked": True, "fault": log_fault(event)}
    return render(request, "events/log.html", context)


ASKED = ("name", "art", "geraet", "tisch", "von", "bis")


def asked_of(request: StaffRequest) -> Search:
    """Return the search of a request; ignore invalid values."""
    asked = request.GET
    return Search(
        words=asked.get("name", "")[:120],
        finds_discreet=allows(request.actor, Permission.CHECK_IN),
        group=asked.get("art", ""),
        device=whole(asked.get("geraet", "")),
        table=whole(asked.get("tisch", "")),
        since=_instant(asked.get("von", "")),
        until=_instant(asked.get("bis", "")),
    )


def _instant(raw: str) -> datetime | None:
    try:
        found = parse_datetime(raw)
    except ValueError:
        return None
    if found is None or found.year not in YEARS:
        return None
    return found if found.tzinfo else make_aware(found)


def who_acted(action: Action) -> str:
    if action.device is not None:
        return action.device.name
    return str(Role(action.role).place)


def _row(request: StaffRequest, action: Action) -> dict[str, Any]:
    line = log_line(action, request.actor)
    happened, recorded = localtime(action.at), localtime(action.recorded_at)
    minutes = [f"{at:%Y-%m-%d %H:%M}" for at in (happened, recorded)]
    may_redo = action.undoes_id is not None and line.is_in_force and is_redoable(action)
    return {
        "line": line,
        "action": action,
        "by": who_acted(action),
        "recorded_at": recorded if minutes[0] != minutes[1] else None,
        "may_undo": line.may_undo or (may_redo and may_undo(request.actor, action)),
    }


# --- The log as a file: CSV or XLSX for a spreadsheet, JSON to verify its chain elsewhere


AT_ONCE = 500


@never_cache
@staff(Permission.SEE_LOG, people=False)
def log_table(request: StaffRequest, send: Callable[..., HttpResponse]) -> HttpResponse:
    """Send the matching entries as CSV or as a workbook; no cell can act as a formula."""
    return send(_rows(request), _name(request.event))


@never_cache
@staff(Permission.SEE_LOG, people=False)
def log_json(request: StaffRequest) -> HttpResponse:
    """Send the matching entries with all data of the chain; `verifylog` takes a full file."""
    parts = chain_parts(request.event, _lines(request), request.actor)
    chunks = iter(lambda: "".join(islice(parts, AT_ONCE)), "")
    return send_parts(chunks, f"{_name(request.event)}.json", "application/json")


def chain_parts(event: Event, lines: Iterable[LogLine], reader: Actor) -> Iterator[str]:
    """Yield the JSON of these lines of an event's log."""
    head = {
        "event": event.name,
        "slug": event.slug,
        "sequence": event.log_sequence,
        "hash": event.log_hash,
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "entries": ['
    for number, line in enumerate(lines):
        yield (",\n" if number else "\n") + json.dumps(_as_json(line, reader), ensure_ascii=False)
    yield "\n]}\n"


def _rows(request: StaffRequest) -> Iterator[list[object]]:
    yield [_("Nummer"), _("Geschehen"), _("Eingetragen"), _("Was"), _("Grund"), _("Von wem"),
           _("Zurückgenommen"), _("Art"), _("Prüfsumme")]  # fmt: skip
    for line in _lines(request):
        action = line.action
        yield [
            action.sequence,
            _local(action.at),
            _local(action.recorded_at),
            line.sentence,
            line.reason,
            who_acted(action),
            "" if line.is_in_force else "×",
            action.kind,
            action.hash,
        ]


def _lines(request: StaffRequest) -> Iterator[LogLine]:
    found = actions_found(request.event, asked_of(request)).order_by("sequence")
    for action in found.iterator(chunk_size=AT_ONCE):
        yield log_line(action, request.actor)


def _as_json(line: LogLine, reader: Actor) -> dict[str, Any]:
    action = line.action
    return {
        "sequence": action.sequence,
        "kind": action.kind,
        "at_ms": _milliseconds(action.at),
        "recorded_at_ms": _milliseconds(action.recorded_at),
        "payload": {**action.payload, "role": action.role, "device": action.device_id},
        "hash": action.hash,
        "at": action.at.isoformat(),
        "recorded_at": action.recorded_at.isoformat(),
        "sentence": line.sentence,
        "texts": texts_for(reader, action.text.data) if hasattr(action, "text") else {},
        "by": who_acted(action),
        "undoes": action.undoes.sequence if action.undoes else None,
        "is_in_force": line.is_in_force,
    }


def _name(event: Event) -> str:
    return f"{event.slug}-{_('protokoll')}"


def _milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _local(at: datetime) -> str:
    return f"{localtime(at):%Y-%m-%d %H:%M:%S}"


# --- The chain's heads, requested by phones and screens with saved heads


@never_cache
@open_to_all()
def heads(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the head at each entry given by `n`; null for a missing entry."""
    asked = {whole(raw, most=MOST_ID) for raw in request.GET.getlist("n")[: MOST_ASKED + 1]}
    if len(asked) > MOST_ASKED or None in asked:
        return HttpResponseBadRequest()
    event = event_or_404(slug, request)
    return JsonResponse({"heads": heads_at(event, {number for number in asked if number})})


# --- Everything a club has as one archive of CSV and JSON, with a description


Parts = Iterable[str]


@never_cache
@club_staff(Permission.MANAGE)
def archive(request: StaffRequest) -> HttpResponse:
    """Send the archive, written to a file first because its index comes last."""
    club = club_get()
    name = f"{slugify(club.name) or 'krru'}-{localdate(present(club)):%Y-%m-%d}.zip"
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the answer closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        for path, parts in _files(club, request.actor):
            with book.open(path, "w") as out:
                for part in parts:
                    out.write(part.encode())
    file.seek(0)
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    return cast("HttpResponse", response)


def _files(club: Club, reader: Actor) -> Iterator[tuple[str, Parts]]:
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
