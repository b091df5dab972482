"""Common parts of personal pages: find the registration, act as that player."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from clock.snapshot import snapshot
from tournaments.changes.access import Actor, Role
from tournaments.changes.views.requests import View
from tournaments.models import Registration, link_hash, with_link

GONE = 410


class LinkReplaced(Exception):
    """The link has been replaced by a new one."""


def private(view: View) -> View:
    """Keep the link private: no referrer to other sites, no cache, no search engine.

    Not "no-referrer": browsers would then post forms with the origin "null", which is refused.
    """

    @never_cache
    @wraps(view)
    def run(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except LinkReplaced:
            forgotten = {"url": request.path, "until": 0, "isForgotten": True}
            context = {"own_page": forgotten}
            response = render(request, "player/replaced.html", context, status=GONE)
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return run


def own_registration(token: str, *, is_shown: bool = False) -> Registration:
    """Return the registration of a link, or answer 404; `is_shown` for a page to display.

    :raises LinkReplaced: When it was one's link before.
    """
    rows = Registration.objects.select_related("person", "made_by", "event__clock", "event__club")
    row = with_link(rows, token).first()
    if row is None:
        if Registration.objects.filter(replaced_link_hash=link_hash(token)).exists():
            raise LinkReplaced
        raise Http404
    if is_shown:
        snapshot(row.event, row.event.clock)
    return row


def player_actor(registration: Registration) -> Actor:
    return Actor(role=Role.PLAYER, registration_id=registration.pk)
