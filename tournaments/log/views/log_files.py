"""The log as a file: CSV or XLSX for a spreadsheet, JSON to verify its chain elsewhere.

Names and reasons are stored apart from the entries, so erased ones are in no file. A file is sent
row by row while it is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from django.http import HttpResponse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Actor, Permission
from tournaments.changes.kinds import texts_for
from tournaments.changes.selectors.log import LogLine, log_line
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest
from tournaments.log.selectors.log_search import actions_found
from tournaments.log.views.log import asked_of, who_acted
from tournaments.models import Event
from tournaments.papers.views.sending import send_csv, send_parts, send_xlsx

AT_ONCE = 500


@never_cache
@staff(Permission.SEE_LOG, people=False)
def log_csv(request: StaffRequest) -> HttpResponse:
    """Send the matching entries as CSV; no cell can act as a formula."""
    return send_csv(_rows(request), _name(request.event))


@never_cache
@staff(Permission.SEE_LOG, people=False)
def log_xlsx(request: StaffRequest) -> HttpResponse:
    """Send the matching entries as a workbook."""
    return send_xlsx(_rows(request), _name(request.event))


@never_cache
@staff(Permission.SEE_LOG, people=False)
def log_json(request: StaffRequest) -> HttpResponse:
    """Send the matching entries with all data of the chain; `verifylog` takes a full file."""
    event = request.event
    head = {
        "event": event.name,
        "slug": event.slug,
        "sequence": event.log_sequence,
        "hash": event.log_hash,
    }

    def text() -> Iterator[str]:
        yield json.dumps(head, ensure_ascii=False)[:-1] + ', "entries": ['
        for number, line in enumerate(_lines(request)):
            yield (",\n" if number else "\n") + json.dumps(
                _as_json(line, request.actor), ensure_ascii=False
            )
        yield "\n]}\n"

    return send_parts(_in_chunks(text()), f"{_name(event)}.json", "application/json")


def _rows(request: StaffRequest) -> Iterator[list[object]]:
    yield [_("Nummer"), _("Geschehen"), _("Eingetragen"), _("Was"), _("Grund"), _("Von wem"),
           _("Zurückgenommen"), _("Art"), _("Prüfsumme")]  # fmt: skip
    for line in _lines(request):
        yield _cells(line)


def _lines(request: StaffRequest) -> Iterator[LogLine]:
    """Yield the matching lines, the oldest first, in chunks of rows."""
    found = actions_found(request.event, asked_of(request)).order_by("sequence")
    for action in found.iterator(chunk_size=AT_ONCE):
        yield log_line(action, request.actor)


def _cells(line: LogLine) -> list[object]:
    action = line.action
    return [
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


def _in_chunks(parts: Iterator[str]) -> Iterator[str]:
    while batch := "".join(islice(parts, AT_ONCE)):
        yield batch


def _milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _local(at: datetime) -> str:
    return f"{localtime(at):%Y-%m-%d %H:%M:%S}"
