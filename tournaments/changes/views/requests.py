"""Turn a request into the arguments of services: event, actor, time, key.

A tap delayed on a phone without Wi-Fi brings its true time and its view of the event in the header
`X-Tap`. Only views with `accepts_offline` take it. Refusals return as JSON and the phone asks its
user (see docs/internals/offline.md).
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from redis.exceptions import RedisError

from clock.contacts import DEVICE, KEY, note_contact
from clock.domain import instant_ms, instant_of
from clock.servertime import server_time
from tournaments.changes.access import COOKIE, Actor, device_of
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand, Command, was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import GROUPED, MOST, WHOLE
from tournaments.changes.domain.taps import Doubt, Tap, doubt_about, instant_clamped, last_heard
from tournaments.changes.kinds import Topic, describe
from tournaments.models import (
    Action,
    Club,
    Event,
    EventHead,
    Seating,
    StaffDevice,
)
from tournaments.models.log import CLAIMED

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
    Doubt.HEARD_SINCE: gettext_lazy(
        "Wann das war, ist unsicher: Dieses Gerät war danach noch verbunden."
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


# A sign-in, a language and an API token are no changes by strangers.
NOT_REFUSED = ("sign-in-code", "set_language")


class ActorMiddleware(MiddlewareMixin):
    """Set `request.device` to the signed-in staff device, or to None.

    A page it asks for is a contact. What it enters is in the log.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        token = request.COOKIES.get(COOKIE, "")
        device = device_of(token)
        request.device = device  # type: ignore[attr-defined]
        would_change = request.method not in ("GET", "HEAD") and not request.path.startswith(
            (*map(reverse, NOT_REFUSED), "/api/")
        )
        if settings.STRANGERS_LOOK_ONLY and device is None and would_change:
            text = _("Das ist eine Vorführung. Ansehen darf sie jeder, ändern niemand.")
            return refused(request, Refused(text, code="look_only"))
        if device is not None and request.method == "GET":
            note_contact(DEVICE % device.pk, instant_ms(server_time.now()))
        return None


def present(subject: Club | Event | None = None) -> datetime:
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
    key, now = request_key(request), present(request.event)
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
    if offline_tap.is_withdrawn and was_served(actor, key):
        text = _("Das war schon angekommen und gilt, obwohl es am Gerät zurückgezogen wurde.")
        raise Refused(text, code="arrived")
    if offline_tap.is_withdrawn:
        raise Refused(_("Zurückgezogen: Das wurde nicht eingetragen."), code="withdrawn")
    earliest = _known_since(event, actor, now)
    at = instant_clamped(offline_tap.tap.at, earliest=earliest, now=now)
    try:
        doubt = doubt_about(offline_tap.tap, earliest=earliest, now=now)
        if doubt:
            raise Refused(DOUBTS[doubt], code=str(doubt))
        _refuse_if_overtaken(event, offline_tap)
    except Refused:
        if not was_served(actor, key):
            raise
    return {"at": at, "recorded_at": now}


def question(reason: str, code: str, status: int) -> JsonResponse:
    """Answer a phone with a question for its user."""
    return JsonResponse({"reason": reason, "code": code}, status=status)


def _known_since(event: Event, actor: Actor, now: datetime) -> datetime | None:
    """Return how far a tap reaches back: to the phone's last contact or action here.

    If no contact is known, as after a restart, to its last action, or else its sign-in: while the
    server was away, no phone was in contact.
    """
    if actor.device is None:
        return None
    rows = Action.objects.filter(event=event, device=actor.device).order_by("-pk")
    at, payload = rows.values_list("at", "payload").first() or (actor.device.created_at, {})
    acted = instant_of(payload[CLAIMED]) if CLAIMED in payload else at
    try:
        spans = caches["kept"].get(KEY % DEVICE % actor.device.pk, [])
    except RedisError:
        spans = []
    return max(acted, last_heard(spans, now) or acted)


def _refuse_if_overtaken(event: Event, seen: _OfflineTap) -> None:
    if seen.version > event.version:
        raise Refused(
            _("Seit dieser Eingabe wurde ein älterer Stand des Turniers wiederhergestellt."),
            code="restored",
        )
    if not seen.seats:
        return
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
        if offset is not None:
            size = _whole(abs(offset), LATEST_MS)
            offset = timedelta(milliseconds=size if offset > 0 else -size)
        return _OfflineTap(
            version=_whole(raw_tap.get("version", 0), 2**53),
            seats=_seats(raw_tap.get("seats", [])),
            is_withdrawn=raw_tap.get("withdrawn") is True,
            tap=Tap(
                at=instant_of(_whole(raw_tap["at"], LATEST_MS)),
                offset=offset,
                was_set=raw_tap.get("set") is True,
            ),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise _unreadable() from problem


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value


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


# --- Strict reading of the director's forms: numbers, and seats typed as table-seat


PLACE = re.compile(r"(\d{1,6})-(\d{1,3})")


def whole_number(
    request: HttpRequest, name: str, reason: str = "", *, least: int = 0, most: int = MOST
) -> int:
    """Return a submitted whole number between bounds.

    :raises Refused: When it is none; with `reason`, if given.
    """
    found = optional_number(request, name, reason, least=least, most=most)
    if found is None:
        raise Refused(reason or _("Bitte eine ganze Zahl angeben."), code="bad_number")
    return found


def optional_number(
    request: HttpRequest, name: str, reason: str = "", *, least: int = 0, most: int = MOST
) -> int | None:
    """Return a submitted whole number between bounds, or None for an empty field.

    :raises Refused: When something else was typed.
    """
    raw = GROUPED.sub("", request.POST.get(name, "").strip())
    if not raw:
        return None
    found = int(raw.replace("−", "-")) if WHOLE.fullmatch(raw) else None
    if found is None:
        raise Refused(reason or _("Bitte eine ganze Zahl angeben."), code="bad_number")
    if not least <= found <= most:
        raise Refused(reason or _("Diese Zahl kann nicht stimmen."), code="bad_number")
    return found


def place(request: StaffRequest, name: str) -> tuple[int, int] | None:
    """Return table and seat number submitted as "4-7", or None."""
    found = PLACE.fullmatch(request.POST.get(name, "").strip())
    return (int(found[1]), int(found[2])) if found else None


def number_given(request: StaffRequest) -> str:
    return request.POST.get("number", "").strip()


def reason_given(request: StaffRequest) -> str:
    """Return the typed reason, cut to the log's length."""
    return request.POST.get("reason", "").strip()[:200]


# --- Answers to actions and refusals: the changes for htmx, a redirect for a plain form


def action_response(
    request: HttpRequest,
    action: Action,
    *,
    sentence: str = "",
    undo_url: str = "",
    go_to: str = "",
) -> HttpResponse:
    """Answer an action: changes and a toast with undo for htmx, else a redirect.

    The page's panels fetch themselves again on this answer, as on the stream's message about other
    actions; the version prevents doing it twice.
    """
    text = sentence or describe(action)
    if go_to or not request.headers.get("HX-Request"):
        messages.success(request, text)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Redirect": go_to})
        return HttpResponseRedirect(go_to or _safe_back(request))
    context = {"text": text, "undo_url": undo_url}
    response = render(request, "parts/action_toast.html", context)
    response["HX-Reswap"] = "none"
    return with_trigger(response, action, closes=True)


def with_trigger(response: HttpResponse, action: Action, *, closes: bool = False) -> HttpResponse:
    """Announce the changes to the acting page, in the form of the stream's messages.

    :param closes: Whether open dialogs close; not when the answer is shown in one.
    """
    news = action.news
    if not news:  # of a repeated request: fetch all topics
        heads = EventHead.objects.filter(pk=action.event_id or 0)
        version = heads.values_list("version", flat=True).first() or 0
        news = {"version": version, "changed": list(Topic)}
    text: dict[str, Any] = {"krru:acted": news}
    if closes:
        text["krru:close"] = True
    response["HX-Trigger"] = json.dumps(text)
    return response


def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Answer a refusal: the sentence for htmx, else a page. Always 422."""
    if is_offline_tap(request):
        return question(str(refusal), refusal.code, 422)
    context = {"reason": str(refusal), "code": refusal.code, "back": _safe_back(request)}
    template = "parts/refusal.html" if request.headers.get("HX-Request") else "422.html"
    return render(request, template, context, status=422)


def _safe_back(request: HttpRequest) -> str:
    back = request.POST.get("next") or request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        return back
    return "/"


def undoable_response(request: StaffRequest, action: Action, sentence: str = "") -> HttpResponse:
    """Answer an action with its sentence and an undo button."""
    undo_url = reverse("action-undo", args=[request.event.slug, action.pk])
    return action_response(request, action, sentence=sentence, undo_url=undo_url)
