"""Turn a request into the arguments of services: event, actor, time, key.

A tap delayed on a phone without Wi-Fi brings its true time and its view of the event in the header
`X-Tap`. Only views with `accepts_offline` take it. Refusals return as JSON and the phone asks its
user (see docs/internals/offline.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clock.domain import instant_of
from clock.servertime import server_time
from tournaments.changes.access import COOKIE, Actor, device_of
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.taps import Doubt, Tap, doubt_about, instant_clamped
from tournaments.models import Action, Event, IdempotencyRecord, Seating, StaffDevice
from tournaments.models.log import Logged

View = Callable[..., HttpResponse]
Decorator = Callable[[View], View]


HEADER = "X-Tap"
MOST_SEATS = 30
LATEST_MS = 253_402_300_799_000
DOUBTS = {
    Doubt.NEVER_COMPARED: gettext_lazy(
        "Wann das war, ist unsicher: Dieses Gerät hatte seine Uhr noch nie abgeglichen."
    ),
    Doubt.CLOCK_WAS_SET: gettext_lazy(
        "Wann das war, ist unsicher: Die Uhr dieses Geräts wurde inzwischen verstellt."
    ),
    Doubt.HOURS_OFF: gettext_lazy(
        "Wann das war, ist unsicher: Die Uhr dieses Geräts geht um Stunden falsch."
    ),
    Doubt.IMPOSSIBLE: gettext_lazy(
        "Wann das war, ist unsicher: Die Uhrzeit der Eingabe kann nicht stimmen."
    ),
}


class EventRequest(HttpRequest):
    """A request for a page of an event."""

    event: Event


class StaffRequest(EventRequest):
    """A request after `@staff`, with its actor and event."""

    actor: Actor
    device: StaffDevice | None
    htmx: Any


class ActorMiddleware:
    """Set `request.device` to the signed-in staff device, or to None."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = request.COOKIES.get(COOKIE, "")
        request.device = device_of(token)  # type: ignore[attr-defined]
        return self.get_response(request)


def present(subject: Logged | None = None) -> datetime:
    """Return the present time, never before the last log entry."""
    now = server_time.now()
    last = subject.log_recorded_at if subject is not None else None
    return max(now, last) if last else now


def is_offline_tap(request: HttpRequest) -> bool:
    return HEADER in request.headers


def request_key(request: HttpRequest) -> UUID | None:
    """Return the client's idempotency key, from the header or the form.

    :raises Refused: When what was sent is no UUID.
    """
    raw = request.headers.get("X-Idempotency-Key") or request.POST.get("idempotency_key", "")
    if not raw:
        return None
    try:
        return UUID(raw)
    except ValueError as problem:
        raise Refused(_("Die Anfrage ist unvollständig. Bitte neu laden."), code="bad_key") from (
            problem
        )


def command_of(request: StaffRequest, *, seen: int | None = None) -> Command:
    """Return the command of the device at the page's event.

    A tap delayed on a phone brings its own `at` and is logged now.

    :raises Refused: When the time of such a tap is in doubt, or the room has overtaken it.
    """
    now, key = present(request.event), request_key(request)
    times = _times_of(request, key, now) if is_offline_tap(request) else {"at": now}
    return Command(
        event=request.event,
        by=request.actor,
        key=key,
        seen=seen,
        knowingly="knowingly" in request.POST,
        **times,
    )


def club_command_of(request: StaffRequest) -> ClubCommand:
    """Return the device's command for the club."""
    club = club_get()
    return ClubCommand(club=club, by=request.actor, at=present(club), key=request_key(request))


# --- Taps that waited on a phone


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfflineTap:
    """A phone's report: time of the tap, with the event's version and the seats it knew."""

    tap: Tap
    version: int
    seats: tuple[tuple[int, int, int], ...]
    is_withdrawn: bool


def _times_of(request: Any, key: UUID | None, now: datetime) -> dict[str, datetime]:
    """Return `at` and `recorded_at` for the service. A tap served before passes.

    :raises Refused: When its time is in doubt, or the room has changed since the phone saw it.
    """
    event, actor = request.event, request.actor
    offline_tap = _read(request.headers[HEADER])
    if key is None:
        raise _unreadable()
    is_served = IdempotencyRecord.objects.filter(scope=actor.scope, key=key).exists()
    if offline_tap.is_withdrawn:
        raise _withdrawn(is_served=is_served)
    earliest = _known_since(event, actor)
    if not is_served:
        doubt = doubt_about(offline_tap.tap, earliest=earliest, now=now)
        if doubt:
            raise Refused(DOUBTS[doubt], code=str(doubt))
        _refuse_if_overtaken(event, offline_tap)
    at = instant_clamped(offline_tap.tap.at, earliest=earliest, now=now)
    return {"at": at, "recorded_at": now}


def question(reason: str, code: str, status: int) -> JsonResponse:
    """Answer a phone with a question for its user."""
    return JsonResponse({"reason": reason, "code": code}, status=status)


def _known_since(event: Event, actor: Actor) -> datetime | None:
    """Return the phone's last action here, or else its sign-in."""
    rows = Action.objects.filter(event=event, device=actor.device).order_by("-pk")
    signed_in = actor.device.created_at if actor.device else None
    return rows.values_list("at", flat=True).first() or signed_in


def _refuse_if_overtaken(event: Event, seen: _OfflineTap) -> None:
    if seen.version > event.version:
        raise Refused(
            _("Seit dieser Eingabe wurde ein älterer Stand des Turniers wiederhergestellt."),
            code="restored",
        )
    rows = Seating.objects.live().filter(event=event, entry__in=[pk for pk, *_seat in seen.seats])
    rows = rows.select_related("entry__registration__person", "table")
    now_at = {row.entry_id: row for row in rows}
    for entry, table, seat in seen.seats:
        row = now_at.get(entry)
        # A player without a seat is out: the service words that refusal.
        if row is not None and (row.table.number, row.seat) != (table, seat):
            raise Refused(
                _("%(name)s sitzt inzwischen an Tisch %(table)d, Platz %(seat)d.")
                % {
                    "name": row.entry.registration.person.name,
                    "table": row.table.number,
                    "seat": row.seat,
                },
                code="moved",
            )


def _read(raw: str) -> _OfflineTap:
    try:
        raw_tap = json.loads(raw)
        offset = raw_tap["offset"]
        at_ms = _whole(raw_tap["at"], LATEST_MS)
        return _OfflineTap(
            tap=Tap(
                at=instant_of(at_ms),
                offset=None if offset is None else _span(offset),
                was_set=raw_tap.get("set") is True,
            ),
            version=_whole(raw_tap.get("version", 0), 2**53),
            seats=_seats(raw_tap.get("seats", [])),
            is_withdrawn=raw_tap.get("withdrawn") is True,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise _unreadable() from problem


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value


def _span(offset: Any) -> timedelta:
    size = _whole(abs(offset), LATEST_MS)
    return timedelta(milliseconds=size if offset > 0 else -size)


def _seats(rows: Any) -> tuple[tuple[int, int, int], ...]:
    if len(rows) > MOST_SEATS:
        raise ValueError(rows)
    return tuple(
        (_whole(entry, 2**53), _whole(table, 2**31), _whole(seat, 2**31))
        for entry, table, seat in rows
    )


def _unreadable() -> Refused:
    return Refused(
        _("Diese Eingabe ist auf dem Gerät beschädigt worden. Bitte neu eingeben."),
        code="bad_tap",
    )


def _withdrawn(*, is_served: bool) -> Refused:
    if is_served:
        return Refused(
            _("Das war schon angekommen und gilt, obwohl es am Gerät zurückgezogen wurde."),
            code="arrived",
        )
    return Refused(_("Zurückgezogen: Das wurde nicht eingetragen."), code="withdrawn")
