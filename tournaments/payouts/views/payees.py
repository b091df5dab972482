"""Payouts: one amount for each player; the sheet to sign."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    undoable_response,
    whole_number,
)
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context
from tournaments.models import Registration, Ticket
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.services.payees import payout_pay, payout_settle
from tournaments.prizes.selectors.plans import prizes_frozen


@never_cache
@staff(Permission.CHECK_IN, people=True)
def payouts(request: StaffRequest) -> HttpResponse:
    """Show what each player gets, with paid and open amounts."""
    return render(request, "money/payouts.html", _payouts(request))


@never_cache
@staff(Permission.CHECK_IN, people=True)
def sheet(request: StaffRequest) -> HttpResponse:
    """Show the sheet on which players sign for what they get."""
    return render(request, "print/payouts.html", _payouts(request))


def _payouts(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    rows = payees(event)
    may_all = allows(request.actor, Permission.MANAGE)
    won = Ticket.objects.live().filter(event=event) if event.prize_plan.seats_for else ()
    return page_context(request, event, request.actor) | {
        "rows": rows,
        "tickets": won,
        "frozen": prizes_frozen(event),
        "has_money": event_has_money(event),
        "may_decide": may_all,
        "most": 0 if may_all else event.prize_plan.desk_cents,
        "open": sum(row.amount for row in rows),
        "paid": sum(row.given for row in rows),
    }


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def pay(request: StaffRequest, registration: int) -> HttpResponse:
    """Pay a player the amount shown."""
    row, cents = Registration(pk=registration), whole_number(request, "amount_cents")
    action = payout_pay(command_of(request), registration=row, amount_cents=cents)
    return undoable_response(request, action)


@staff(Permission.MANAGE, people=True, methods=("POST",))
def settle(request: StaffRequest, registration: int) -> HttpResponse:
    """Record that an overpayment was returned or kept."""
    row, is_kept = Registration(pk=registration), "kept" in request.POST
    action = payout_settle(command_of(request), registration=row, is_kept=is_kept)
    return undoable_response(request, action)
