"""The director's pages of the big screens: claim, direct and retire one; their own face.

A director of one tournament directs its screens; a director of the club, all screens.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, leads_club
from tournaments.changes.views.decorators import (
    hall_url,
    open_to_all,
    opens_only_here,
    panel_answer,
    panel_html,
    staff,
)
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    present,
)
from tournaments.club.views.club import picture_answer
from tournaments.event.selectors.event import is_stage
from tournaments.event.views.context import page_context
from tournaments.models import Action, Event, Screen, Slide
from tournaments.payouts.selectors.bounties import event_has_bounties
from tournaments.screens.selectors.lobby import lobby_events
from tournaments.screens.selectors.own_face import (
    GRID,
    NAMES,
    figures_shown,
    own_face,
    picture_url,
    slides_of,
)
from tournaments.screens.selectors.screens import (
    ScreenPicture,
    screen_pictures,
    screen_settings,
    screens_claimed,
)
from tournaments.screens.services.own_face import (
    LONGEST_S,
    LONGEST_TEXT,
    MOST_SLIDES,
    SHORTEST_S,
    face_arrange,
    face_undo,
    slide_add,
    slide_move,
    slide_remove,
)
from tournaments.screens.services.screens import (
    screen_change,
    screen_claim,
    screen_retire,
    screen_undo,
)

SHOWS = {
    Screen.Shows.CLOCK: lazy("Uhr"),
    Screen.Shows.SEATING: lazy("Sitzplan nach Namen"),
    Screen.Shows.MOVES: lazy("Letzte Umzüge"),
    Screen.Shows.PLACES: lazy("Plätze bisher"),
    Screen.Shows.PRIZES: lazy("Preise"),
    Screen.Shows.HUNTERS: lazy("Bountys"),
    Screen.Shows.CASH: lazy("Cash-Tische"),
    Screen.Shows.BAGS: lazy("Säcke"),
    Screen.Shows.FLIGHTS: lazy("Weiter nach Flights"),
    Screen.Shows.OWN: lazy("Eigene Seiten"),
    Screen.Shows.ROTATING: lazy("Alles im Wechsel"),
    Screen.Shows.LOBBY: lazy("Lobby: alle Turniere"),
}
SIGNAL_NAMES = {"gong": lazy("Gong"), "bell": lazy("Glocke"), "beep": lazy("Piepton")}
THEME_NAMES = {"night": lazy("Nacht"), "felt": lazy("Filz"), "ink": lazy("Tinte")}
LANGUAGE_NAMES = {"de": lazy("Deutsch"), "en": lazy("Englisch")}
SOUNDS = {
    Screen.Sound.READY: (lazy("Ton bereit"), "good", "volume-2"),
    Screen.Sound.BLOCKED: (lazy("Ton blockiert: dort einmal tippen"), "bad", "volume-x"),
    Screen.Sound.MISSING: (lazy("Kein Tongerät gefunden"), "bad", "volume-x"),
    Screen.Sound.OFF: (lazy("Ton aus"), "quiet", "volume-x"),
}
SWITCHES = ("voice", "quiet")
SET_HERE = ("name", "shows", "volume", "signal", "language", "theme")


@never_cache
@staff(Permission.MANAGE, people=False)
def screens(request: StaffRequest) -> HttpResponse:
    """Show how to claim a screen, and all claimed ones."""
    context = page_context(request, request.event, request.actor)
    address = hall_url(request, reverse("screen-any"))
    context |= {"address": address, "is_only_here": opens_only_here(address)}
    context["panel"] = panel_html(
        name="screens-list",
        url=reverse("screens-list", args=[request.event.slug]),
        trigger="krru:acted from:body, every 5s",
        body=_list(request),
    )
    return render(request, "screens/screens.html", context)


@never_cache
@staff(Permission.MANAGE, people=False)
def screen_list(request: StaffRequest) -> HttpResponse:
    return panel_answer(request, _list(request))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def claim(request: StaffRequest) -> HttpResponse:
    """Claim the screen with a code for this event."""
    given = {name: request.POST.get(name, "") for name in ("code", "name")}
    action = screen_claim(club_command_of(request), event=request.event, **given)
    return action_response(request, action, go_to=reverse("screens", args=[request.event.slug]))


@never_cache
@staff(Permission.MANAGE, people=False, methods=("GET", "HEAD", "POST"))
def change(request: StaffRequest, screen: int) -> HttpResponse:
    """Show a screen's settings; change those in the form."""
    row = get_object_or_404(_screens(request), pk=screen)
    if request.method != "POST":
        context = {
            "event": request.event,
            "screen": row,
            "set": screen_settings(row),
            "signals": SIGNAL_NAMES.items(),
            "themes": THEME_NAMES.items(),
            "languages": LANGUAGE_NAMES.items(),
        }
        return render(request, "screens/screen_sheet.html", context)
    wanted: dict[str, Any] = {name: request.POST[name] for name in SET_HERE if name in request.POST}
    for name in SWITCHES:
        if name in request.POST:
            wanted[name] = "1" in request.POST.getlist(name)
    if "here" in request.POST:
        wanted["event"] = request.event.pk
    return _done(request, screen_change(club_command_of(request), screen=row, wanted=wanted))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def retire(request: StaffRequest, screen: int) -> HttpResponse:
    row = get_object_or_404(_screens(request), pk=screen)
    return _done(request, screen_retire(club_command_of(request), screen=row))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def undo(request: StaffRequest, screen_action: int) -> HttpResponse:
    rows = Action.objects.filter(club=request.event.club, event=None, kind__startswith="screen.")
    row = get_object_or_404(rows.select_related("text"), pk=screen_action)
    if not leads_club(request.device):
        own = Screen.objects.filter(event=request.event)
        get_object_or_404(own, pk=row.payload["screen"])
    action = screen_undo(club_command_of(request), action=row)
    return action_response(request, action, go_to=_plain_back(request, "screens"))


def _done(
    request: StaffRequest, action: Action, *, undo: str = "screen-undo", back: str = "screens"
) -> HttpResponse:
    undo_url = reverse(undo, args=[request.event.slug, action.pk])
    return action_response(request, action, undo_url=undo_url, go_to=_plain_back(request, back))


def _plain_back(request: StaffRequest, name: str) -> str:
    """Return the next page for a form without scripts; empty for htmx, which stays."""
    return "" if request.htmx else reverse(name, args=[request.event.slug])


def _screens(request: StaffRequest) -> Any:
    rows = screens_claimed(request.event.club)
    return rows if leads_club(request.device) else rows.filter(event=request.event)


def _list(request: StaffRequest) -> SafeString:
    event = request.event
    only = None if leads_club(request.device) else event
    pictures = screen_pictures(event.club, present(event.club), event=only)
    context = {
        "event": event,
        "rows": [_row(picture) for picture in pictures if picture.screen.event_id == event.pk],
        "elsewhere": [_row(picture) for picture in pictures if picture.screen.event_id != event.pk],
        "shows": _shows(event),
    }
    return render_to_string("screens/screen_list.html", context)


def _shows(event: Event) -> list[tuple[str, Any]]:
    left_out = [] if event_has_bounties(event) else [Screen.Shows.HUNTERS]
    left_out += [] if event.prizes else [Screen.Shows.PRIZES]
    left_out += [] if event.has_cash_game else [Screen.Shows.CASH]
    left_out += [] if is_stage(event) else [Screen.Shows.BAGS, Screen.Shows.FLIGHTS]
    face = own_face(event.club)
    left_out += [] if face.slides or any(face.figures) else [Screen.Shows.OWN]
    is_one_of_many = len(lobby_events(event.club, present(event.club))) > 1
    left_out += [] if is_one_of_many else [Screen.Shows.LOBBY]
    return [(value, label) for value, label in SHOWS.items() if value not in left_out]


def _row(picture: ScreenPicture) -> dict[str, Any]:
    screen = picture.screen
    sound = None if picture.settings["quiet"] else SOUNDS.get(screen.sound_state)  # type: ignore[call-overload]
    delay = _("Laufzeit unter %(ms)s ms") % {"ms": screen.delay_ms}
    return {
        "picture": picture,
        "screen": screen,
        "set": picture.settings,
        "sound": dict(zip(("text", "kind", "icon"), sound, strict=True)) if sound else None,
        "delay": "" if screen.delay_ms is None else delay,
        "shows": SHOWS[Screen.Shows(screen.shows)],
    }


# --- The own face of the walls: slides, and a grid of figures


USUAL_S = 10


@never_cache
@staff(Permission.MANAGE, people=False)
def own_page(request: StaffRequest) -> HttpResponse:
    """Show the slides and the grid; render both for an htmx refresh, 204 if unchanged."""
    if request.htmx:
        return panel_answer(request, _own_both(request))
    context = page_context(request, request.event, request.actor)
    context["panel"] = panel_html(
        name="own-face",
        url=reverse("own-face", args=[request.event.slug]),
        trigger="krru:acted from:body",
        body=_own_both(request),
    )
    return render(request, "screens/own_face.html", context)


def _own_both(request: StaffRequest) -> SafeString:
    face = own_face(request.event.club)
    slides = [{"row": row, "picture": picture_url(row)} for row in slides_of(face)]
    context = {
        **_cells(request, face.figures),
        "event": request.event,
        "slides": slides,
        "face": face,
        "chosen": list(enumerate(face.figures, 1)),
        "names": [("", _("leer")), *NAMES.items()],
        "is_full": len(slides) >= MOST_SLIDES,
    }
    return render_to_string("screens/own_both.html", context)


@never_cache
@staff(Permission.MANAGE, people=False)
def own_preview(request: StaffRequest) -> HttpResponse:
    """Render the grid with the figures chosen in the form, before they are saved."""
    return render(request, "screens/own_grid.html", _cells(request, _figures(request.GET)))


def _cells(request: StaffRequest, figures: list[str]) -> dict[str, Any]:
    """Return the fields; a chosen figure without a value now shows a dash, not on a wall."""
    cells = figures_shown(request.event, figures, present(request.event))
    named = zip(figures, cells, strict=True)
    return {
        "cells": [cell or ([NAMES[name], ["–"]] if name in NAMES else []) for name, cell in named]
    }


def _figures(given: Any) -> list[str]:
    return [given.get(f"figure-{number}", "") for number in range(1, GRID + 1)]


@staff(Permission.MANAGE, people=False, methods=("POST",))
def own_arrange(request: StaffRequest) -> HttpResponse:
    """Choose the figures of the grid, and whether the face is shown in breaks."""
    action = face_arrange(
        club_command_of(request),
        figures=_figures(request.POST),
        in_breaks="in_breaks" in request.POST,
    )
    return _own_done(request, action)


@never_cache
@staff(Permission.MANAGE, people=False, methods=("GET", "HEAD", "POST"))
def slide_ask(request: StaffRequest) -> HttpResponse:
    """Ask for a slide, and add it."""
    if request.method != "POST":
        bounds = {"least": SHORTEST_S, "most": LONGEST_S, "usual": USUAL_S, "longest": LONGEST_TEXT}
        return render(request, "screens/own_slide.html", {"event": request.event, **bounds})
    file, seconds = request.FILES.get("picture"), request.POST.get("seconds", "")
    action = slide_add(
        club_command_of(request),
        text=request.POST.get("text", ""),
        seconds=int(seconds) if seconds.isdecimal() and len(seconds) < 5 else 0,
        data=file.read() if file else b"",
    )
    return _own_done(request, action)


@staff(Permission.MANAGE, people=False, methods=("POST",))
def slide_gone(request: StaffRequest, slide: int) -> HttpResponse:
    return _own_done(request, slide_remove(club_command_of(request), slide=slide))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def slide_earlier(request: StaffRequest, slide: int) -> HttpResponse:
    """Show a slide one place earlier."""
    return _own_done(request, slide_move(club_command_of(request), slide=slide))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def own_undo(request: StaffRequest, face_action: int) -> HttpResponse:
    rows = Action.objects.filter(club=request.event.club, event=None, kind__startswith="ownface.")
    row = get_object_or_404(rows.select_related("text"), pk=face_action)
    return _own_done(request, face_undo(club_command_of(request), action=row))


def _own_done(request: StaffRequest, action: Action) -> HttpResponse:
    return _done(request, action, undo="own-face-undo", back="own-face")


@open_to_all()
def slide_picture(_request: HttpRequest, digest: str) -> HttpResponse:
    row = Slide.objects.filter(digest=digest).first()
    if row is None:
        raise Http404
    return picture_answer(bytes(row.data), row.media_type)
