"""The club's evenings for its own website: a small page for a frame, and JSON.

Public content without cookies or forms, so that any site may show it.
"""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt

from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.requests import present
from tournaments.event.selectors.labels import GAMES, LIMITS
from tournaments.models import Club
from tournaments.public.selectors.posters import Poster, posters_current
from tournaments.public.views.previews import public_url
from tournaments.rebuys.selectors.announced import costs_announced, prices_in_a_line

MOST = 20
KEPT = "public, max-age=60"


@xframe_options_exempt
@csp_update({"frame-ancestors": ["*"]})
@open_to_all()
def embed(request: HttpRequest) -> HttpResponse:
    """Show running and planned evenings in a frame of another site."""
    posters, _samples = posters_current(present())
    club = Club.objects.order_by("pk").first()
    evenings = [
        (poster, _page(request, poster), prices_in_a_line(poster.event))
        for poster in posters[:MOST]
    ]
    context = {"club": club, "evenings": evenings, "home": public_url(request, "/")}
    response = render(request, "public/embed.html", context)
    response["Cache-Control"] = KEPT
    response["X-Robots-Tag"] = "noindex"
    return response


@open_to_all()
def evenings_json(request: HttpRequest) -> HttpResponse:
    """Send the same as JSON; any site may ask."""
    posters, _samples = posters_current(present())
    data = {"evenings": [_as_json(request, poster) for poster in posters[:MOST]]}
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Cache-Control"] = KEPT
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _page(request: HttpRequest, poster: Poster) -> str:
    return public_url(request, poster.event.get_absolute_url())


def _as_json(request: HttpRequest, poster: Poster) -> dict[str, Any]:
    event, about = poster.event, poster.event.about
    return {
        "name": event.name,
        "slug": event.slug,
        "url": _page(request, poster),
        "starts_at": event.starts_at.isoformat(),
        "status": event.status,
        "door": poster.door,
        "game": str(GAMES.get(event.game, event.game)),
        "limit": str(LIMITS.get(event.limit, event.limit)),
        "fee_cents": event.fee_cents,
        "costs": costs_announced(event),
        "places": poster.places,
        "free": poster.free,
        "venue": about.venue,
        "address": about.address,
        "description": about.description,
    }
