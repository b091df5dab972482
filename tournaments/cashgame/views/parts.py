"""Shared by the cash game's pages: whether there is one, typed amounts."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.requests import StaffRequest, View
from tournaments.event.domain.money import cents_of
from tournaments.event.views.context import adds_to_navigation
from tournaments.models import CashSeat, CashTable, Event
from tournaments.money.domain.means import Means


def of_cash_game(view: View) -> View:
    """Answer 404 for an event without a cash game. Goes below `@staff`."""

    @wraps(view)
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.event.has_cash_game:
            raise Http404(_("An diesem Abend gibt es kein Cash Game."))
        return view(request, *args, **kwargs)

    return run


@adds_to_navigation
def cash_game_page(event: Event, actor: Actor) -> tuple[str, str] | None:
    """Return the cash tables page, if there are any."""
    if not event.has_cash_game or event.is_clock_only or not allows(actor, Permission.SEE_FLOOR):
        return None
    return _("Cash Game"), reverse("cash-game", args=[event.slug])


def table_or_404(event: Event, pk: int) -> CashTable:
    row = get_object_or_404(CashTable.objects.live(), event=event, pk=pk)
    row.event = event
    return row


def seat_or_404(table: CashTable, seat: int) -> CashSeat:
    rows = CashSeat.objects.live().select_related("registration__person", "table")
    return get_object_or_404(rows, table=table, seat=seat)


def cents_sent(request: StaffRequest, name: str) -> int | None:
    """Return a typed amount in cents; None for an empty field.

    :raises Refused: It is no amount.
    """
    raw = request.POST.get(name, "").strip()
    if not raw:
        return None
    is_below = raw[0] in "-−"
    try:
        cents = cents_of(raw[1:] if is_below else raw)
    except ValueError as problem:
        raise Refused(_("Bitte einen Betrag wie 12,50 eingeben."), code="bad_amount") from problem
    return -cents if is_below else cents


def cents_needed(request: StaffRequest, name: str) -> int:
    """Return a required typed amount.

    :raises Refused: The field is empty.
    """
    found = cents_sent(request, name)
    if found is None:
        raise Refused(_("Bitte einen Betrag wie 12,50 eingeben."), code="bad_amount")
    return found


def means_sent(request: StaffRequest) -> Means:
    raw = request.POST.get("means", "")
    return Means(raw) if raw in set(Means) else Means.CASH
