"""Payments and refunds: one tap for the usual case, a sheet for the rest."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, undoable_response
from tournaments.door.selectors.desk import desk_line
from tournaments.door.selectors.paying import credit_cents, open_items, overpaid, owing
from tournaments.door.views.desk_people import (
    GET_AND_POST,
    LONGEST_SEARCH,
    registration_or_404,
    sheet,
)
from tournaments.event.selectors.labels import money
from tournaments.event.selectors.settings.entries import OF_AN_ENTRY
from tournaments.event.services.settings import refuse_bad_terms
from tournaments.event.views.clock import Consequence, tells_before_saving
from tournaments.event.views.context import page_context
from tournaments.models import Event, Registration, Ticket
from tournaments.money.domain.accounts import handed_over
from tournaments.money.forms.paying import PayForm, RefundForm
from tournaments.money.selectors.journal import open_cents, paid_cents, repricing_of
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.money.services.tickets import ticket_redeem
from tournaments.money.views.drawers import at_a_drawer, of_money

MOST_ROWS = 60


@tells_before_saving
def another_price(event: Event, changed: Mapping[str, Any]) -> Consequence | None:
    """Return the effect of a new price on paid registrations, before it is saved."""
    if not OF_AN_ENTRY & changed.keys():
        return None
    would = copy(event)
    for name, value in changed.items():
        setattr(would, name, value)
    try:
        refuse_bad_terms(would)
    except Refused:
        return None  # saving reports the error
    found = repricing_of(event, would)
    if found is None:
        return None
    return Consequence(template="cash/repricing.html", found=found, seen=found.seen)


@staff(Permission.TAKE_MONEY, people=True, methods=GET_AND_POST)
@at_a_drawer
def pay(request: StaffRequest, registration: int) -> HttpResponse:
    """Show the open amount and the means; POST without amount pays all of it in cash."""
    row = registration_or_404(request.event, registration)
    if request.method != "POST":
        still_open = open_cents(row)
        initial = {"amount": still_open, "open_seen": still_open}
        return _pay_sheet(request, row, PayForm(club=request.event.club, initial=initial))
    if "amount" not in request.POST:
        return undoable_response(request, fee_pay(command_of(request), registration=row))
    form = PayForm(request.POST, club=request.event.club)
    if not form.is_valid():
        return _pay_sheet(request, row, form)
    data = form.cleaned_data
    action = fee_pay(
        command_of(request),
        registration=row,
        amount_cents=data["amount"],
        means=form.means_chosen,
        payer=data["payer"],
        open_seen=data["open_seen"],
    )
    sentence = _("%(name)s: %(amount)s kassiert.") % {
        "name": row.person.name,
        "amount": money(data["amount"]),
    }
    if form.back_cents:
        sentence += " " + _("Zurück: %(back)s.") % {"back": money(form.back_cents)}
    return undoable_response(request, action, sentence)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@at_a_drawer
def redeem(request: StaffRequest, registration: int, ticket: int) -> HttpResponse:
    row = registration_or_404(request.event, registration)
    return undoable_response(
        request, ticket_redeem(command_of(request), registration=row, ticket=Ticket(pk=ticket))
    )


@staff(Permission.TAKE_MONEY, people=True)
@of_money
def change_back(request: StaffRequest) -> HttpResponse:
    """Show the change for the cash handed over, while typing."""
    form = PayForm({**request.GET.dict(), "means": "cash"}, club=request.event.club)
    context = {"back": form.back_cents if form.is_valid() else None, "form": form}
    return render(request, "cash/pay_change.html", context)


@staff(Permission.TAKE_MONEY, people=True, methods=GET_AND_POST)
@at_a_drawer
def refund(request: StaffRequest, registration: int) -> HttpResponse:
    """Show the effect of a refund; on POST, book it: all of it without an amount."""
    row = registration_or_404(request.event, registration)
    data, paid = request.POST if request.method == "POST" else None, paid_cents(row)
    credit = credit_cents(row)
    form = RefundForm(data, club=request.event.club, initial={"amount": credit or paid})
    if data is None or not form.is_valid():
        context = {"line": desk_line(row), "form": form, "paid": paid, "credit": credit}
        return _sheet(request, "cash/refund.html", context)
    action = fee_refund(
        command_of(request),
        registration=row,
        amount_cents=form.cleaned_data["amount"] if "amount" in request.POST else None,
        means=form.means_chosen,
        after_the_draw="after_the_draw" in request.POST,
    )
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True)
@at_a_drawer
def open_fees(request: StaffRequest) -> HttpResponse:
    """Show the open amounts, for a device with a drawer away from the desk."""
    search = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    found, back = owing(request.event, search), overpaid(request.event)
    context = page_context(request, request.event, request.actor) | {
        "rows": found[:MOST_ROWS],
        "found": len(found),
        "sum": sum(cents for _row, cents in found),
        "back": back[:MOST_ROWS],
        "back_sum": sum(cents for _row, cents in back),
        "search": search,
    }
    return render(request, "cash/open_fees.html", context)


def _pay_sheet(request: StaffRequest, row: Registration, form: PayForm) -> HttpResponse:
    still_open = open_cents(row)
    context = {
        "line": desk_line(row),
        "form": form,
        "items": open_items(row),
        "open": still_open,
        "handed_over": handed_over(still_open),
        "may_add_means": allows(actor_of(request.device, None), Permission.MANAGE),
    }
    return _sheet(request, "cash/pay.html", context)


def _sheet(request: StaffRequest, template: str, own: dict[str, Any]) -> HttpResponse:
    status = 422 if own["form"].errors else 200
    context = own | {"at_the_desk": allows(request.actor, Permission.CHECK_IN)}
    return sheet(request, template, context, page="cash/sheet_page.html", status=status)
