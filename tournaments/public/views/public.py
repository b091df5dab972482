"""The public pages: the list of tournaments, and each tournament."""

from __future__ import annotations

import uuid
from functools import cache
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from clock.realtime import hub
from clock.servertime import server_time
from krru import __version__
from krru.background import schedule
from tournaments.cashgame.selectors.own import cash_evening
from tournaments.changes.access import WORK, Permission, actor_of, allows
from tournaments.changes.views.decorators import event_or_404, open_to_all
from tournaments.changes.views.requests import present
from tournaments.door.selectors.places import noshow_planned_at, noshows_are_blinded
from tournaments.door.views.poster import shown_token
from tournaments.event.selectors.chips import stack_pieces
from tournaments.event.selectors.event import average_stack, chips_in_play
from tournaments.event.selectors.labels import GAMES, LIMITS, late_until
from tournaments.event.selectors.schedule import level_minutes, schedule_lines
from tournaments.event.views.context import page_context, spread_ms
from tournaments.models import Club, Draw, Event, Grant, League, StaffDevice
from tournaments.payouts.selectors.prizes_in_words import prizes_in_words
from tournaments.prizes.selectors.plans import paid_places
from tournaments.public.forms.own import RegisterForm
from tournaments.public.selectors.posters import (
    Poster,
    people_listed,
    poster_of,
    posters_current,
    posters_past,
)
from tournaments.public.views.previews import head_of, head_of_club, public_url
from tournaments.public.views.public_cache import cached_page, is_stranger
from tournaments.rules.selectors.rule_history import rule_state_number
from tournaments.rules.selectors.rule_texts import rules_shown

Places = frozenset[tuple[int | None, str]]

MOST_PAST = 30


@open_to_all()
def home(request: Any) -> HttpResponse:
    """Show the club's tournaments: running, next, past."""
    current, samples = posters_current(present())
    past = posters_past(MOST_PAST)
    places = _work_places(request.device)
    offers = [_offer(poster, places) for poster in current]
    club = _club_with_leagues()
    is_for_practice = request.device is not None or not (current or past)
    context = {
        "club": club,
        "preview": head_of_club(request, club),
        **_feed(request),
        "first": offers[0] if offers else None,
        "others": offers[1:],
        "past": [_offer(poster, places) for poster in past],
        # Sample evenings are for trying the program, never beside real ones.
        "samples": [_offer(poster, places) for poster in samples] if is_for_practice else [],
        "may_manage": allows(actor_of(request.device, None), Permission.MANAGE),
        "is_signed_in": request.device is not None,
    }
    return render(request, "public/home.html", context)


def _club_with_leagues() -> Club | None:
    """Return the club, with `has_leagues` if there are public season tables."""
    leagues = League.objects.filter(club=OuterRef("pk"), is_public=True, removed_by=None)
    return Club.objects.annotate(has_leagues=Exists(leagues)).order_by("pk").first()


@open_to_all()
@never_cache
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the poster's content, and one button."""
    template = "public/tournament.html"

    def context(event: Event) -> dict[str, Any]:
        return tournament_page(request, event, RegisterForm())

    found = cache(lambda: event_or_404(slug, request))
    if is_stranger(request):
        part = shown_token(request, slug)
        return HttpResponse(cached_page(request, slug, template, found, context, part=part))
    return render(request, template, context(found()))


@open_to_all()
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Tell whether the program reaches its database; public content only.

    Without Redis all goes on, but changes by other processes reach screens up to 1 s later.
    """
    mode = "embedded" if settings.EMBEDDED else "full"
    health = {"ok": True, "version": __version__, "mode": mode, "streams": hub.stream_count}
    # Above zero if the computer's clock was set back and the evening keeps its own time.
    health["time_ahead_s"] = round(server_time.ahead().total_seconds())
    if not settings.EMBEDDED:
        health["redis"] = hub.is_bus_up
        health["changes_through"] = "redis" if hub.is_bus_up else "database"
    try:
        Event.objects.exists()
        age = schedule.age()
        health["schedule_age_s"] = None if age is None else round(age.total_seconds())
    except DatabaseError:
        return JsonResponse({**health, "ok": False}, status=503)
    return JsonResponse(health)


def tournament_page(request: Any, event: Event, form: RegisterForm) -> dict[str, Any]:
    """Return the tournament page's context, with its form's input."""
    now = present(event)
    names, others = people_listed(event)
    places = _work_places(request.device)
    chips, is_exact = chips_in_play(event)
    poster, lines = poster_of(event, now), schedule_lines(event, now)
    return {
        **page_context(request, event, actor_of(request.device, event)),
        "offer": _offer(poster, places),
        "preview": head_of(request, event),
        "page_url": public_url(request, event.get_absolute_url()),
        "spread_ms": spread_ms(event),
        "form": form,
        "key": uuid.uuid4(),
        "poster_token": shown_token(request, event.slug),
        "game": GAMES.get(event.game, event.game),
        "limit": LIMITS.get(event.limit, event.limit),
        "lines": lines,
        "has_breaks": any(line.level.is_break for line in lines),
        "minutes": level_minutes(event),
        "late_until": late_until(event),
        "here_by": None if event.has_started else noshow_planned_at(event),
        "is_blinded": noshows_are_blinded(event),
        "pieces": stack_pieces(event),
        "names": names,
        "others": others,
        "has_draws": Draw.objects.filter(event=event).exists(),
        "cash": cash_evening(event, now) if event.has_cash_game else None,
        "average": average_stack(chips, poster.left),
        "average_is_exact": is_exact,
        "prizes": prizes_in_words(event, now),
        "rules": rules_shown(event, paid=paid_places(event)),
        "rule_state": 0 if event.is_clock_only else rule_state_number(event),
    }


def _feed(request: HttpRequest) -> dict[str, str]:
    """Return the addresses of the club's calendar: the file, and the subscription."""
    feed = public_url(request, reverse("calendar-feed"))
    return {"feed": feed, "feed_subscribed": f"webcal:{feed.partition(':')[2]}"}


def _work_places(device: StaffDevice | None) -> Places:
    """Return a device's roles as (event, role); without an event for the whole club."""
    if device is None:
        return frozenset()
    grants = Grant.objects.filter(device=device, revoked_at=None)
    return frozenset(grants.values_list("event", "role"))


def _offer(poster: Poster, places: Places) -> dict[str, Any]:
    """Return a poster with a link to this device's work at the event, if any."""
    roles = {role for event, role in places if event in (None, poster.event.pk)}
    work = next((work for role, work in WORK.items() if role in roles), None)
    return {
        "poster": poster,
        "event": poster.event,
        "work_url": reverse(work.home, args=[poster.event.slug]) if work else "",
        "work_label": work.way if work else "",
    }
