"""A player's own page, opened by a link that only he has: from the list to the place."""

from __future__ import annotations

import uuid
from functools import wraps
from types import SimpleNamespace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.selectors import clock_levels
from tournaments.access import Actor, Role
from tournaments.domain.betting import LimitKind, shows_big_bet
from tournaments.domain.chips import average_stack
from tournaments.domain.errors import Refused
from tournaments.models import Event, Registration, Seating
from tournaments.selectors.event import (
    chips_in_play,
    entries_live_count,
    players_left,
    registrations_live_count,
)
from tournaments.selectors.people import PlayerPicture, player_picture
from tournaments.services.conduct import seating_arrive
from tournaments.services.registration import registration_withdraw
from tournaments.views.context import page_context
from tournaments.views.frame import View, acted, news, open_to_all, present, request_key
from tournaments.views.links import hall_url, qr_svg


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


@open_to_all()
@private
def player(request: HttpRequest, token: str) -> HttpResponse:
    """Show the whole page."""
    registration = _registration_or_404(token)
    link = hall_url(request, reverse("player", args=[token]))
    context = _card(registration) | page_context(request, registration.event)
    context |= {"link": link, "qr": qr_svg(link)}
    return render(request, "player/player.html", context)


@open_to_all()
@private
def player_card(request: HttpRequest, token: str) -> HttpResponse:
    """Show the card alone, for a page that was told that something changed."""
    return render(request, "player/card.html", _card(_registration_or_404(token)))


@open_to_all(methods=("GET", "HEAD", "POST"))
@private
def player_withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether he means it; then withdraw."""
    registration = _registration_or_404(token)
    event, back = registration.event, reverse("player", args=[token])
    if request.method != "POST":
        if not _may_withdraw(registration, player_picture(registration, present(event))):
            return HttpResponseRedirect(back)
        return _ask(request, registration)
    try:
        action = registration_withdraw(
            event=event,
            by=Actor(role=Role.PLAYER, registration_id=registration.pk),
            at=present(event),
            key=request_key(request),
            registration=registration,
        )
    except Refused as refusal:
        return _ask(request, registration, refusal)
    return acted(request, action, sentence=_("Du bist abgemeldet."), go_to=back)


@open_to_all(methods=("POST",))
@private
def player_arrived(request: HttpRequest, token: str) -> HttpResponse:
    """Record that he sits where he was sent; the seat is the one the page showed."""
    registration = _registration_or_404(token)
    event, raw = registration.event, request.POST.get("seating", "")
    shown = int(raw) if raw.isdecimal() and len(raw) < 16 else 0
    action = seating_arrive(
        event=event,
        by=Actor(role=Role.PLAYER, registration_id=registration.pk),
        at=present(event),
        key=request_key(request),
        seatings=[Seating(pk=shown)],
    )
    if not request.headers.get("HX-Request"):
        back = reverse("player", args=[token])
        return acted(request, action, sentence=_("Danke, du bist angekommen."), go_to=back)
    return news(render(request, "player/card.html", _card(registration)), action)


def _ask(
    request: HttpRequest, registration: Registration, refusal: Refused | None = None
) -> HttpResponse:
    context = page_context(request, registration.event) | {
        "token": registration.link_token,
        "name": registration.person.name,
        "key": uuid.uuid4(),
        "reason": refusal and str(refusal),
    }
    return render(request, "player/withdraw.html", context, status=422 if refusal else 200)


def _registration_or_404(token: str) -> Registration:
    rows = Registration.objects.select_related("person", "event__clock", "event__club")
    row = rows.filter(link_token=token).first()
    if row is None:
        raise Http404
    return row


def _card(registration: Registration) -> dict[str, Any]:
    event = registration.event
    picture = player_picture(registration, present(event))
    left = players_left(event)
    chips, is_exact = chips_in_play(event)
    return {
        "event": event,
        "token": registration.link_token,
        "picture": picture,
        "name": registration.person.name,
        "seats": _seats(event, picture),
        "left": left,
        "entries": entries_live_count(event),
        "registered": registrations_live_count(event),
        "average": average_stack(chips, left),
        "average_is_exact": is_exact,
        "has_breaks": any(level.is_break for level in clock_levels(event.clock)),
        "phones_at_table": event.rules.get("phones_at_table", True),
        "may_withdraw": _may_withdraw(registration, picture),
        "show_big_bet": shows_big_bet(LimitKind(event.limit)),
    }


def _may_withdraw(registration: Registration, picture: PlayerPicture) -> bool:
    return picture.face == "registered" and not registration.event.is_over


def _seats(event: Event, picture: PlayerPicture) -> list[SimpleNamespace]:
    """Return the player's table: his own seat and, before play, the first dealer's."""
    if picture.seating is None:
        return []
    dealer = None if event.has_started else picture.dealer_seat
    return [
        SimpleNamespace(number=seat, is_me=seat == picture.seating.seat, is_button=seat == dealer)
        for seat in range(1, picture.seating.table.seats + 1)
    ]
