"""The big screen: one page that gets everything once and then runs by itself, and its refresher."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clock.selectors import clock_payload
from clock.stream import stream_url
from tournaments.audit import topic_of
from tournaments.models import Event
from tournaments.selectors.event import screen_figures
from tournaments.views.frame import event_or_404, present


@require_safe
@never_cache
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event's clock to a hall."""
    event = event_or_404(slug)
    setup = {
        "language": get_language(),
        "zone": settings.TIME_ZONE,
        "state_url": reverse("screen-state", args=[event.slug]),
        "time_url": "/stream/now/",
        "texts": _texts(),
    }
    state = _state(event)
    return render(request, "clock/screen.html", {"event": event, "setup": setup, "state": state})


@require_safe
@never_cache
def screen_state(request: HttpRequest, slug: str) -> JsonResponse:
    """Return what the page was given at first, as it is now."""
    return JsonResponse(_state(event_or_404(slug)))


def _state(event: Event) -> dict[str, Any]:
    now = present(event)
    return {
        "version": event.version,
        "clock": clock_payload(event.clock, now),
        "figures": screen_figures(event, now),
        "stream": stream_url(topic_of(event)),
    }


def _texts() -> dict[str, str]:
    """Return the sentences that the page fills by itself. `{name}` is filled in the browser."""
    return {
        "level": _("Stufe {number}"),
        "break": _("Pause"),
        "next": _("Nächste Stufe"),
        "first": _("Erste Stufe"),
        "after": _("Danach"),
        "time": _("{time} Uhr"),
        "starts_at": _("Beginn um {time} Uhr"),
        "starts_on": _("Beginn am {date} um {time} Uhr"),
        "soon": _("Gleich geht es los"),
        "back_at": _("Zurück um {time}"),
        "known_at": _("Stand {time}"),
        "hour_and_more": _("{hours} h {minutes} min"),
        "minutes": _("{minutes} min"),
        "less_than_a_minute": _("unter 1 min"),
        "days": _("{days} Tage"),
        "ante": _("Ante {amount}"),
        "bring_in": _("Bring-in {amount}"),
        "big_bet": _("Großer Einsatz {amount}"),
        "left_of": _("von {entries}"),
        "average_bb": _("{blinds} BB"),
        "about": _("≈ {amount}"),
    }
