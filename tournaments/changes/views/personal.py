"""What pages opened by a personal link share: finding the registration, acting as that player."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache

from clock.snapshot import snapshot
from tournaments.changes.access import Actor, Role
from tournaments.changes.views.requests import View
from tournaments.models import Registration, with_link


def private(view: View) -> View:
    """Keep the link to oneself: no other site is told it, no cache and no search engine keeps it.

    Not "no-referrer": with that, browsers post forms under the origin "null", which is refused.
    """

    @never_cache
    @wraps(view)
    def run(*args: Any, **kwargs: Any) -> HttpResponse:
        response = view(*args, **kwargs)
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return run


def own_registration(token: str, *, is_shown: bool = False) -> Registration:
    """Return the registration whose link this is, or answer 404; `is_shown` by a page."""
    rows = Registration.objects.select_related("person", "made_by", "event__clock", "event__club")
    row = with_link(rows, token).first()
    if row is None:
        raise Http404
    if is_shown:
        snapshot(row.event, row.event.clock)
    return row


def player_actor(registration: Registration) -> Actor:
    return Actor(role=Role.PLAYER, registration_id=registration.pk)
