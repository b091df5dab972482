"""Messages: the director's sheet, and the panel on a player's own page."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clock.domain.wording import Language
from clock.tasks import speech_make
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.views.decorators import (
    COOKIE_LASTS_SECONDS,
    open_to_all,
    own_registration,
    private,
    staff,
)
from tournaments.changes.views.requests import StaffRequest, command_of, present, undoable_response
from tournaments.models import Entry, Event, Registration, Seating, Table
from tournaments.post.selectors.announcements import (
    MOST_FOUND,
    announcement_standing,
    announcement_stock,
    entries_found,
    entry_topic,
    messages_unread,
    said_by,
)
from tournaments.post.services.messages import (
    LONGEST,
    announcement_made,
    announcement_text,
    message_send,
)

READ_COOKIE = "krru_read"


@staff(Permission.ANNOUNCE, people=True, methods=("GET", "HEAD", "POST"))
def message(request: StaffRequest) -> HttpResponse:
    """Ask for a text and its recipients, and send it."""
    if request.method != "POST":
        return render(request, "messages/message.html", _sheet(request))
    action = message_send(command_of(request), text=request.POST.get("text", ""), **_whom(request))
    return undoable_response(request, action)


@staff(Permission.ANNOUNCE, people=True)
def message_find(request: StaffRequest) -> HttpResponse:
    context = _found(request.event, request.GET.get("q", "").strip())
    return render(request, "messages/message_found.html", context)


@open_to_all()
@private
def player_messages(request: HttpRequest, token: str) -> HttpResponse:
    """Render the unread messages for an htmx refresh."""
    context = messages_context(request, own_registration(token))
    return render(request, "messages/player_messages.html", context)


@open_to_all(methods=("POST",))
@private
def player_messages_read(request: HttpRequest, token: str) -> HttpResponse:
    """Remember on this device which messages are read; the server stores nothing."""
    registration = own_registration(token)
    read = _number(request.POST.get("read", ""))
    if read is None:
        raise Refused(_("Diese Nachricht gibt es nicht."), code="gone")
    after = max(read, read_by(request))
    response: HttpResponse
    if request.headers.get("HX-Request"):
        context = messages_context(request, registration, after=after)
        response = render(request, "messages/player_messages.html", context)
    else:
        response = HttpResponseRedirect(reverse("player", args=[token]))
    response.set_cookie(
        READ_COOKIE,
        str(after),
        max_age=COOKIE_LASTS_SECONDS,
        path=reverse("player", args=[token]),
        httponly=True,
        samesite="Lax",
    )
    return response


def messages_context(
    request: HttpRequest, registration: Registration, *, after: int | None = None
) -> dict[str, Any]:
    """Return the context of `messages/player_messages.html`, also for the whole player's page."""
    read = read_by(request) if after is None else after
    now = present(registration.event)
    return {
        "token": registration.link_token,
        "messages_unread": messages_unread(registration, now=now, after=read),
        "messages_topic": entry_topic(registration),
    }


def read_by(request: HttpRequest) -> int:
    """Return the id of the last message read on this device."""
    return _number(request.COOKIES.get(READ_COOKIE, "")) or 0


def _number(raw: str) -> int | None:
    return whole(raw, most=MOST_ID)


def _sheet(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    entry = _number(request.GET.get("entry", ""))
    rows = Entry.objects.live().filter(event=event).select_related("registration__person")
    return _found(event, "") | {
        "event": event,
        "most": LONGEST,
        "chosen_table": _number(request.GET.get("table", "")),
        "chosen_entry": rows.filter(pk=entry).first() if entry else None,
    }


def _found(event: Event, typed: str) -> dict[str, Any]:
    """Return the matches of a search: a table by number, players by name; else the first tables."""
    number = typed.casefold().removeprefix(_("Tisch").casefold()).strip()
    seated = Seating.objects.live().filter(event=event).order_by("table__number").distinct()
    tables = [
        row
        for row in seated.values_list("table__number", flat=True)
        if not typed or (number and str(row).startswith(number))
    ]
    found = list(entries_found(event, typed)) if typed else []
    return {
        "tables": tables[:MOST_FOUND],
        "found": found,
        "only_one": len(tables) + len(found) == 1,
    }


def _whom(request: StaffRequest) -> dict[str, Any]:
    """Return the recipients as arguments of the service; empty without a choice."""
    kind, _dash, raw = request.POST.get("to", "").partition("-")
    number = _number(raw) or 0
    if kind == "table":
        row = Table.objects.live().filter(event=request.event, number=number).first()
        return {"table": row or Table(pk=0)}
    return {"entry": Entry(pk=number)} if kind == "player" else {}


# --- Announcements from the laptop or a phone: a small form, and its result


@staff(Permission.ANNOUNCE, people=False, methods=("GET", "HEAD", "POST"))
def announce(request: StaffRequest) -> HttpResponse:
    """Ask for a text and announce it on every screen in this device's language."""
    if request.method != "POST":
        event, standing = request.event, announcement_standing(request.event)
        context = {"event": event, "most": LONGEST, "stock": announcement_stock(event)}
        if standing is not None:
            take_away = reverse("action-undo", args=[event.slug, standing.pk])
            context |= {"standing": said_by(standing), "take_away": take_away}
        return render(request, "floor/announce.html", context)
    text = announcement_text(request.POST.get("stock") or request.POST.get("text", ""))
    language = Language.ENGLISH if get_language() == "en" else Language.GERMAN
    has_voice = "voice" in request.POST
    action = announcement_made(
        command_of(request),
        text=text,
        has_voice=has_voice,
        language=language,
        stays="stays" in request.POST,
    )
    if has_voice:
        speech_make.delay(text, language.value)
    return undoable_response(request, action)
