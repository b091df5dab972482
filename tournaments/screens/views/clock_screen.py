"""The big screen: one page that loads everything once and then runs by itself, and its refresh."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clock.domain.wording import Language
from clock.selectors import clock_levels, clock_payload
from clock.signals import SIGNALS, signal_wav
from clock.snapshot import snapshot
from clock.sounds import sounds_key, sounds_payload
from clock.speech import speak, text_of
from clock.stream import stream_url
from tournaments.changes.club import club_get
from tournaments.changes.domain.logchain import head_of
from tournaments.changes.views.decorators import event_or_404
from tournaments.changes.views.links import hall_url, opens_only_here, qr_svg
from tournaments.changes.views.requests import present
from tournaments.club.selectors.theme import club_theme
from tournaments.event.domain.betting import LimitKind, shows_big_bet
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.event import event_last_late_position, screen_figures
from tournaments.models import Event
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.prizes.selectors.plans import paid_places
from tournaments.screens.selectors.cash import hall_cash, hall_cash_end
from tournaments.screens.selectors.ends import (
    screen_dealt,
    screen_free,
    screen_podium,
)
from tournaments.screens.selectors.evening import event_of_evening
from tournaments.screens.selectors.forecast import screen_end
from tournaments.screens.selectors.prizes import first_prize
from tournaments.screens.selectors.screens import (
    chip_colours,
    screen_draws,
    screen_hand_for_hand,
    screen_money,
)

READ_SECONDS = 4
ASKED_AGAIN_SECONDS = 30


@require_safe
@never_cache
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event's clock to a hall; for a missing event the way to this evening's."""
    try:
        event = event_or_404(slug, request)
    except Http404:
        return _gone(request)
    return render(request, "clock/screen.html", screen_context(request, event))


def _gone(request: HttpRequest) -> HttpResponse:
    """Tell that the event is gone, and go on to this evening's as soon as there is one."""
    club = club_get()
    instead = event_of_evening(club, present(club))
    go_to = reverse("screen", args=[instead.slug]) if instead else request.path
    wait = READ_SECONDS if instead else ASKED_AGAIN_SECONDS
    context = {"instead": instead, "go_to": go_to, "wait": wait}
    return render(request, "screens/gone.html", context, status=404)


def screen_context(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the context of a screen's page, paired or public."""
    snapshot(event, event.clock)
    setup = {
        "language": get_language(),
        "zone": settings.TIME_ZONE,
        "state_url": reverse("screen-state", args=[event.slug]),
        "time_url": "/stream/now/",
    }
    address = hall_url(request, reverse("tournament", args=[event.slug]))
    qr = "" if opens_only_here(address) else qr_svg(address)
    link = {"screen": {"shows": "cash"}, "hall_url": reverse("screen-cash", args=[event.slug])}
    state = screen_payload(event)
    return {"event": event, "setup": setup, "state": state, "qr": qr, "cash_link": link}


@require_safe
@never_cache
def screen_cash(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the cash tables for the public screen, without names."""
    event = event_or_404(slug, request)
    rows = hall_cash(event, present(event), with_names=False)
    return JsonResponse({"version": event.version, "rows": rows} | hall_cash_end(event))


@require_safe
@never_cache
def screen_state(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the page's initial data as of now."""
    return JsonResponse(screen_payload(event_or_404(slug, request)))


def screen_payload(event: Event) -> dict[str, Any]:
    """Return all data of a screen: the clock, the figures beside it, the stream."""
    now = present(event)
    clock = clock_payload(event.clock, now, planned_start(event))
    figures = screen_figures(event, now)
    return {
        "version": event.version,
        "head": [event.log_sequence, head_of(event.log_hash)],
        "clock": clock,
        "figures": figures,
        "hand_for_hand": screen_hand_for_hand(event),
        "money": screen_money(event),
        "paid": paid_places(event),
        "first_prize": first_prize(event, now),
        "free": screen_free(event, figures["registrations"]),
        "dealt": screen_dealt(event),
        "podium": screen_podium(event, now, has_winner=figures["winner"] is not None),
        "late": event_last_late_position(event),
        "end": screen_end(event, now),
        "chips": chip_colours(event),
        "draws": screen_draws(event),
        "theme": club_theme(event.club),
        "stream": stream_url(event.stream_topic),
        "sounds": {
            "key": sounds_key(clock["levels"], shows_big_bet=figures["shows_big_bet"]),
            "urls": {
                language.value: reverse("screen-sounds", args=[event.slug, language.value])
                for language in Language
            },
        },
    } | announcement_payload(event, now)


@require_safe
@never_cache
def screen_sounds(request: HttpRequest, slug: str, language: str) -> JsonResponse:
    """Return a screen's sounds: addresses and their texts."""
    event, spoken = event_or_404(slug, request), _language_or_404(language)
    shown = shows_big_bet(LimitKind(event.limit))
    return JsonResponse(sounds_payload(clock_levels(event.clock), spoken, shows_big_bet=shown))


@require_safe
def speech(request: HttpRequest, language: str, signed: str) -> HttpResponse:
    """Speak a text chosen by the server; 404 without a voice."""
    spoken = _language_or_404(language)
    try:
        sound = speak(text_of(signed, spoken), spoken)
    except BadSignature:
        raise Http404 from None
    return _sound_or_404(sound)


@require_safe
def signal(request: HttpRequest, name: str) -> HttpResponse:
    """Return a signal. Its address contains its version, so that browsers keep it."""
    return _sound_or_404(signal_wav(name) if name in SIGNALS else None)


def _language_or_404(language: str) -> Language:
    try:
        return Language(language)
    except ValueError:
        raise Http404 from None


def _sound_or_404(sound: bytes | None) -> HttpResponse:
    if sound is None:
        raise Http404
    answer = HttpResponse(sound, content_type="audio/wav")
    answer["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer
