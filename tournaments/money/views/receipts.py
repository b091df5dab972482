"""A receipt for staff: to print on A6 or an 80 mm roll, and to mail."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import action_response
from tournaments.event.views.context import page_context
from tournaments.models import Receipt
from tournaments.money.selectors.receipts import receipt_shown
from tournaments.money.services.receipt_mail import receipt_mail
from tournaments.money.views.parts import of_money

ROLL = "bon"


def paper_of(request: HttpRequest, receipt: Receipt) -> dict[str, Any]:
    """Return the data of a receipt's page, for A6 or a roll."""
    return {"shown": receipt_shown(receipt), "is_roll": request.GET.get("papier") == ROLL}


@staff(Permission.TAKE_MONEY, people=True)
@of_money
def receipt(request: StaffRequest, receipt: int) -> HttpResponse:
    """Show a receipt, ready to print."""
    row = _receipt(request, receipt)
    context = page_context(request, request.event, request.actor) | paper_of(request, row)
    context |= {"back_url": reverse("drawer", args=[request.event.slug])}
    context["may_mail"] = bool(row.registration.email) and not request.event.is_sample
    return render(request, "cash/receipt.html", context)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_money
def mailed(request: StaffRequest, receipt: int) -> HttpResponse:
    """Mail the receipts of this receipt's person."""
    row = _receipt(request, receipt)
    action = receipt_mail(command_of(request), registration=row.registration)
    return action_response(request, action)


def _receipt(request: StaffRequest, pk: int) -> Receipt:
    rows = Receipt.objects.select_related("registration__person", "event__club", "drawer")
    return get_object_or_404(rows.select_related("counters", "action"), event=request.event, pk=pk)
