"""The pages for everybody: which tournaments there are, what one offers, registering for it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from krru import __version__
from tournaments.access import VISITOR, Permission, actor_of, allows
from tournaments.domain.errors import Refused
from tournaments.forms.registration import RegisterForm
from tournaments.models import Event, Registration
from tournaments.selectors.event import (
    entries_live_count,
    event_accepts_late,
    events_public,
    players_left,
    registration_is_open,
    registrations_live_count,
)
from tournaments.selectors.people import people_listed
from tournaments.selectors.schedule import schedule_lines, stack_pieces
from tournaments.selectors.words import COLOURS, GAMES, LIMITS
from tournaments.services.registration import registration_create
from tournaments.views.context import page_context
from tournaments.views.frame import event_or_404, open_to_all, present, request_key

MOST_PAST = 30


@open_to_all()
def home(request: Any) -> HttpResponse:
    """Show the club's tournaments: running, next, past."""
    actor = actor_of(request.device, None)
    events = list(events_public())
    planned = [event for event in events if event.status == "planned"]
    context = {
        "running": [event for event in events if event.status == "running"],
        "planned": sorted(planned, key=lambda event: event.starts_at),
        "past": [event for event in events if event.is_over][:MOST_PAST],
        "may_manage": allows(actor, Permission.MANAGE),
        "has_events": bool(events),
    }
    return render(request, "public/home.html", context)


@open_to_all()
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a poster says, and one button."""
    event = event_or_404(slug)
    return render(request, "public/tournament.html", _poster(request, event, RegisterForm()))


@open_to_all(methods=("POST",))
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Register a visitor, and show him his own page."""
    event = event_or_404(slug)
    form = RegisterForm(request.POST)
    if form.is_valid():
        wanted = {name: form.cleaned_data[name] for name in ("name", "email", "is_listed")}
        try:
            action = registration_create(
                event=event, by=VISITOR, at=present(event), key=request_key(request), **wanted
            )
        except Refused as refusal:
            form.refuse(refusal)
        else:
            made = Registration.objects.get(pk=action.payload["registration"])
            return HttpResponseRedirect(reverse("player", args=[made.link_token]))
    return render(request, "public/tournament.html", _poster(request, event, form), status=422)


@open_to_all()
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Answer that the program runs and reaches its database."""
    Event.objects.exists()
    mode = "embedded" if settings.EMBEDDED else "full"
    return JsonResponse({"ok": True, "version": __version__, "mode": mode})


def _poster(request: Any, event: Event, form: RegisterForm) -> dict[str, Any]:
    now = present(event)
    registered = registrations_live_count(event)
    free = max(event.capacity - registered, 0)
    names, others = people_listed(event)
    return {
        **page_context(request, event, actor_of(request.device, event)),
        "form": form,
        "game": GAMES.get(event.game, event.game),
        "limit": LIMITS.get(event.limit, event.limit),
        "lines": schedule_lines(event, now),
        "pieces": [(piece, COLOURS.get(piece.colour, "")) for piece in stack_pieces(event)],
        "registered": registered,
        "free": free,
        "names": names,
        "others": others,
        "is_open": registration_is_open(event, now),
        "is_late": event_accepts_late(event, now),
        "entries": entries_live_count(event),
        "left": players_left(event),
        "rules_name": event.rules.get("name", ""),
    }
