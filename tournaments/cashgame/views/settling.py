"""Payments among players at tables on account: for staff, on paper, by a public link."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.views.parts import of_cash_game
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import open_to_all, staff
from tournaments.changes.views.links import hall_url
from tournaments.changes.views.requests import StaffRequest
from tournaments.event.views.context import page_context
from tournaments.models import Event

SALT = "cash-settling"


@never_cache
@staff(Permission.TAKE_MONEY, people=True)
@of_cash_game
def page(request: StaffRequest) -> HttpResponse:
    """Show the payments, and the link for the players."""
    event = request.event
    share = signing.dumps(event.pk, salt=SALT)
    link = hall_url(request, reverse("cash-settling-shared", args=[share]))
    context: dict[str, Any] = page_context(request, event, request.actor)
    context |= {"settling": settling_of(event), "link": link, "shows_results": True}
    return render(request, "cashgame/settling.html", context)


@never_cache
@open_to_all()
def shared(request: HttpRequest, share: str) -> HttpResponse:
    """Show the payments to anybody with the link."""
    try:
        pk = signing.loads(share, salt=SALT)
    except signing.BadSignature as problem:
        raise Http404(_("Diesen Link gibt es nicht.")) from problem
    event = Event.objects.filter(pk=pk).select_related("club", "clock").first()
    if event is None:
        raise Http404(_("Diesen Link gibt es nicht."))
    context: dict[str, Any] = page_context(request, event)
    context |= {"settling": settling_of(event), "shows_results": event.shows_cash_results}
    return render(request, "cashgame/settling.html", context)
