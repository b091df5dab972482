"""Overlays for a stream: transparent pages that show the evening as it was told some time ago."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from clock.snapshot import snapshot
from tournaments.changes.access import actor_of
from tournaments.changes.views.decorators import hall_url, open_to_all
from tournaments.changes.views.requests import present
from tournaments.event.views.context import page_context
from tournaments.models import Event
from tournaments.public.forms.overlay import OverlayForm
from tournaments.public.selectors.told import (
    delayed,
    told_left,
    told_outs,
    told_prizes,
    told_seats,
)

MOST_OUTS = 9
MOST_PRIZES = 9
WRONG = 422


def _left(event: Event, at: datetime, _table: int) -> dict[str, Any]:
    left, entries = told_left(event, at)
    return {"left": left, "entries": entries}


def _payouts(event: Event, at: datetime, _table: int) -> dict[str, Any]:
    prizes, (left, _entries) = told_prizes(event, at), told_left(event, at)
    shown = list(enumerate(prizes[:MOST_PRIZES], 1))
    return {"prizes": shown, "next_place": min(left, len(prizes)), "left": left}


def _seats(event: Event, at: datetime, table: int) -> dict[str, Any]:
    return {"table": table, "seats": told_seats(event, at, table)}


def _ticker(event: Event, at: datetime, _table: int) -> dict[str, Any]:
    return {"outs": told_outs(event, at, MOST_OUTS)}


def _nothing(_event: Event, _at: datetime, _table: int) -> dict[str, Any]:
    return {}


# What an overlay shows: its name, and what it reads beside the clock.
ELEMENTS: Mapping[str, tuple[Any, Callable[[Event, datetime, int], dict[str, Any]]]] = {
    "clock": (_("Uhr"), _nothing),
    "blinds": (_("Blinds"), _nothing),
    "left": (_("Spieler im Turnier"), _left),
    "payouts": (_("Preise"), _payouts),
    "seats": (_("Ein Tisch"), _seats),
    "ticker": (_("Zuletzt ausgeschieden"), _ticker),
}


LISTS = {"payouts", "seats", "ticker"}


@never_cache
@open_to_all(people=True)
def overlays(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the addresses of all overlays, and each as it looks now."""
    event: Event = request.event  # type: ignore[attr-defined]
    form = OverlayForm(request.GET or None, initial={"delay": event.stream_delay})
    query = request.GET.urlencode() if form.is_bound and form.is_valid() else ""
    lines = []
    for element, (label, _read) in ELEMENTS.items():
        path = reverse("overlay", args=[slug, element]) + (f"?{query}" if query else "")
        lines.append(
            {
                "label": label,
                "path": path,
                "url": hall_url(request, path),
                "is_list": element in LISTS,
            }
        )
    actor = actor_of(request.device, event)  # type: ignore[attr-defined]
    context = page_context(request, event, actor) | {"form": form, "lines": lines}
    return render(request, "public/overlays.html", context, status=WRONG if form.errors else 200)


@never_cache
@open_to_all(people=True)
def overlay(request: HttpRequest, slug: str, element: str) -> HttpResponse:
    """Show one element as it was told `delay` seconds ago."""
    if element not in ELEMENTS:
        raise Http404
    event: Event = request.event  # type: ignore[attr-defined]
    form = OverlayForm({**_usual(event), **request.GET.dict()})
    if not form.is_valid():
        return HttpResponse(form.errors.as_text(), status=WRONG, content_type="text/plain")
    chosen, now = form.cleaned_data, present(event)
    snapshot(event, event.clock)
    delay = timedelta(seconds=chosen["delay"])
    label, read = ELEMENTS[element]
    context = {
        **page_context(request, event),
        **delayed(event, now, delay),
        "label": label,
        "template": f"public/overlay_{element}.html",
        "theme": chosen["theme"],
        "is_list": element in LISTS,
        **read(event, now - delay, chosen["table"]),
    }
    return render(request, "public/overlay.html", context)


def _usual(event: Event) -> dict[str, Any]:
    usual = {name: field.initial for name, field in OverlayForm.base_fields.items()}
    return usual | {"delay": event.stream_delay}
