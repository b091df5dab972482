"""The director's page of the big screens: claim one by its code, direct it, retire it.

A director of one tournament directs its screens; a director of the club, all screens.
"""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, leads_club
from tournaments.changes.views.decorators import (
    hall_url,
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
from tournaments.event.selectors.event import is_stage
from tournaments.event.views.context import page_context
from tournaments.models import Action, Event, Screen
from tournaments.payouts.selectors.bounties import event_has_bounties
from tournaments.screens.selectors.lobby import lobby_events
from tournaments.screens.selectors.own_face import own_face
from tournaments.screens.selectors.screens import (
    ScreenPicture,
    screen_pictures,
    screen_settings,
    screens_claimed,
)
from tournaments.screens.services.screens import (
    screen_change,
    screen_claim,
    screen_retire,
    screen_undo,
)

SHOWS = {
    Screen.Shows.CLOCK: gettext_lazy("Uhr"),
    Screen.Shows.SEATING: gettext_lazy("Sitzplan nach Namen"),
    Screen.Shows.MOVES: gettext_lazy("Letzte Umzüge"),
    Screen.Shows.PLACES: gettext_lazy("Plätze bisher"),
    Screen.Shows.PRIZES: gettext_lazy("Preise"),
    Screen.Shows.HUNTERS: gettext_lazy("Bountys"),
    Screen.Shows.CASH: gettext_lazy("Cash-Tische"),
    Screen.Shows.BAGS: gettext_lazy("Säcke"),
    Screen.Shows.FLIGHTS: gettext_lazy("Weiter nach Flights"),
    Screen.Shows.OWN: gettext_lazy("Eigene Seiten"),
    Screen.Shows.ROTATING: gettext_lazy("Alles im Wechsel"),
    Screen.Shows.LOBBY: gettext_lazy("Lobby: alle Turniere"),
}
SIGNAL_NAMES = {
    "gong": gettext_lazy("Gong"),
    "bell": gettext_lazy("Glocke"),
    "beep": gettext_lazy("Piepton"),
}
THEME_NAMES = {
    "night": gettext_lazy("Nacht"),
    "felt": gettext_lazy("Filz"),
    "ink": gettext_lazy("Tinte"),
}
LANGUAGE_NAMES = {"de": gettext_lazy("Deutsch"), "en": gettext_lazy("Englisch")}
SOUNDS = {
    Screen.Sound.READY: (gettext_lazy("Ton bereit"), "good", "volume-2"),
    Screen.Sound.BLOCKED: (
        gettext_lazy("Ton blockiert: dort einmal tippen"),
        "bad",
        "volume-x",
    ),
    Screen.Sound.MISSING: (gettext_lazy("Kein Tongerät gefunden"), "bad", "volume-x"),
    Screen.Sound.OFF: (gettext_lazy("Ton aus"), "quiet", "volume-x"),
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
    """Render the screens for an htmx refresh; 204 if unchanged."""
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
    """Retire a screen."""
    row = get_object_or_404(_screens(request), pk=screen)
    return _done(request, screen_retire(club_command_of(request), screen=row))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def undo(request: StaffRequest, screen_action: int) -> HttpResponse:
    """Undo an action on a screen."""
    rows = Action.objects.filter(club=request.event.club, event=None, kind__startswith="screen.")
    row = get_object_or_404(rows.select_related("text"), pk=screen_action)
    if not leads_club(request.device):
        own = Screen.objects.filter(event=request.event)
        get_object_or_404(own, pk=row.payload["screen"])
    return action_response(
        request, screen_undo(club_command_of(request), action=row), go_to=_plain_back(request)
    )


def _done(request: StaffRequest, action: Action) -> HttpResponse:
    undo_url = reverse("screen-undo", args=[request.event.slug, action.pk])
    return action_response(request, action, undo_url=undo_url, go_to=_plain_back(request))


def _plain_back(request: StaffRequest) -> str:
    """Return the next page for a form without scripts; empty for htmx, which stays."""
    return "" if request.htmx else reverse("screens", args=[request.event.slug])


def _screens(request: StaffRequest) -> Any:
    """Return this director's screens."""
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
    """Return the possible contents of a screen at an event: only of what it has."""
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
