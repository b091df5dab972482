"""Payments among players at tables on account: for staff, on paper, by a public link."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.cashgame.selectors.labels import BEARERS
from tournaments.cashgame.selectors.settling import link_of, settling_of
from tournaments.cashgame.services.settling import cash_debt_pay, cash_link_make
from tournaments.cashgame.views.pages import of_cash_game
from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import hall_url, open_to_all, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    optional_number,
    present,
    undoable_response,
    whole_number,
)
from tournaments.event.views.context import page_context
from tournaments.models import CashLink, Registration


@never_cache
@staff(Permission.TAKE_MONEY, people=True)
@of_cash_game
def page(request: StaffRequest) -> HttpResponse:
    """Show the payments, and the link for the players."""
    event = request.event
    made = link_of(event, present(event))
    context: dict[str, Any] = page_context(request, event, request.actor)
    context |= {"settling": settling_of(event), "shows_results": True, "is_staff": True}
    if made is not None:
        context["link"] = hall_url(request, reverse("cash-settling-shared", args=[made.token]))
        context["until"] = made.until
    context["bearers"] = BEARERS.items() if allows(request.actor, Permission.MANAGE) else []
    return render(request, "cashgame/settling.html", context)


@never_cache
@open_to_all()
def shared(request: HttpRequest, share: str) -> HttpResponse:
    """Show the payments to anybody with the link, until it ends."""
    rows = CashLink.objects.live().select_related("event__club", "event__clock")
    made = rows.filter(token=share).first()
    if made is None or made.until <= present(made.event):
        raise Http404(_("Diesen Link gibt es nicht mehr. Einen neuen hat die Leitung."))
    event = made.event
    context: dict[str, Any] = page_context(request, event)
    context |= {
        "settling": settling_of(event, to_staff=False),
        "shows_results": event.shows_cash_results,
    }
    return render(request, "cashgame/settling.html", context)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def renew(request: StaffRequest) -> HttpResponse:
    """Make a new link; the old one ends."""
    action = cash_link_make(command_of(request))
    return action_response(
        request, action, go_to=reverse("cash-settling", args=[request.event.slug])
    )


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def paid(request: StaffRequest) -> HttpResponse:
    """Tick a payment as done."""
    rows = Registration.objects.filter(event=request.event)
    payer, payee = (
        get_object_or_404(rows, pk=pk) if (pk := optional_number(request, name)) else None
        for name in ("payer", "payee")
    )
    cents = whole_number(request, "cents")
    action = cash_debt_pay(command_of(request), payer=payer, payee=payee, cents=cents)
    return undoable_response(request, action)
