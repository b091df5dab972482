"""One person at the desk: data sheet and check-in.

Each press is one change. Registering, correcting or paying on the way to check-in are several
changes in one transaction.
"""

from dataclasses import replace
from typing import Any
from uuid import uuid5

from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.changes.access import Actor, Permission, actor_of, allows, may_undo, roles_that_may
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import (
    hall_url,
    opens_only_here,
    qr_svg,
    secret_for,
    staff,
)
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    request_key,
    undoable_response,
    with_trigger,
)
from tournaments.door.selectors.desk import DeskLine, desk_line, plays_elsewhere
from tournaments.door.selectors.places import is_blinded
from tournaments.door.services.arrivals import NOSHOWS_BLINDED, PLAYS_ELSEWHERE, entry_check_in
from tournaments.door.services.confirming import link_renew
from tournaments.door.services.rates import rate_set
from tournaments.door.services.registration import (
    cash_guest_set,
    registration_correct,
    registration_withdraw,
)
from tournaments.event.selectors.event import money_reached
from tournaments.event.selectors.labels import money
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context
from tournaments.models import Action, Event, Grant, Mail, Registration, StaffDevice, Ticket
from tournaments.money.selectors.journal import offered_to, open_cents, owed_cents, paid_cents
from tournaments.money.selectors.receipts import receipts_named
from tournaments.money.selectors.tickets import tickets_for
from tournaments.money.services.fees import fee_pay
from tournaments.people.forms.person import FIELD_OF, ConfirmForm, PersonForm
from tournaments.people.selectors.people import contact_of, doubles_at_the_desk
from tournaments.post.selectors.mail import desk_mail as desk_mail_of
from tournaments.post.services.mail import mail_resend
from tournaments.seating.selectors.seat_cards import tables_to_draw

LONGEST_SEARCH = 200
GET_AND_POST = ("GET", "HEAD", "POST")


@staff(Permission.CHECK_IN, people=True, methods=GET_AND_POST)
def desk_check_in(request: StaffRequest, registration: int) -> HttpResponse:
    """Show a person's data; on POST, save corrections and check in."""
    row = registration_or_404(request.event, registration)
    if request.method != "POST":
        return person_sheet(request, "desk/person.html", _form_of(row), row)
    has_data = "name" in request.POST
    # Keep a ticked fee even if it was paid elsewhere meanwhile.
    fee = fee_taken(open_cents(row) or ("pays" in request.POST and request.event.fee_cents))
    form = ConfirmForm(request.POST, pays=fee) if has_data else None
    if form is not None and not form.is_valid():
        return person_sheet(request, "desk/person.html", form, row)
    command, owed = command_of(request), owed_cents(row)
    try:
        with transaction.atomic():
            if form is not None:
                _correct_if_changed(part_of(command, "before"), row, form)
                pay_if_ticked(command, row, form, owed=owed)
            elif "pays" in request.POST:
                fee_pay(part_of(command, "fee"), registration=row)
            action = entry_check_in(command, registration=row, plays_at_both=BOTH in request.POST)
    except Refused as refusal:
        if refusal.code == PLAYS_ELSEWHERE:
            return ask_elsewhere(request, refusal)
        if row.entries.live().exists():  # another device was first
            late = _who(desk_line(row))
            if not has_data:
                raise Refused(f"{_('Schon eingecheckt.')} {late}", code="cannot_check_in")
            return person_sheet(request, "desk/person.html", _form_of(row), row, late=late)
        return refused_beside(request, refusal, "desk/person.html", form or _form_of(row), row)
    return seat_shown(request, action, row)


BOTH = "both"  # of two events at which a person plays


def sheet(
    request: StaffRequest,
    template: str,
    context: dict[str, Any],
    *,
    page: str = "desk/sheet_page.html",
    status: int = 200,
) -> HttpResponse:
    """Return a sheet over the page, or a page of its own without scripts."""
    context = {"event": request.event, **context}
    if request.htmx:
        return render(request, template, context, status=status)
    whole = page_context(request, request.event, request.actor)
    return render(request, page, {**whole, **context, "sheet": template}, status=status)


def ask_elsewhere(request: StaffRequest, refusal: Refused) -> HttpResponse:
    """Ask whether a person still in at another event is to be checked in all the same."""
    fresh = {"csrfmiddlewaretoken", "idempotency_key"}
    typed = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in fresh
    ]
    context = {"reason": str(refusal), "typed": typed, "name": BOTH, "url": request.path}
    response = sheet(request, "desk/elsewhere.html", context, status=422)
    response["HX-Retarget"], response["HX-Reswap"] = "#sheet", "innerHTML"
    return response


@staff(Permission.CHECK_IN, people=True, methods=GET_AND_POST)
def desk_correct(request: StaffRequest, registration: int) -> HttpResponse:
    """Show a person's data in any state; on POST, correct them."""
    row = registration_or_404(request.event, registration)
    if request.method != "POST":
        return person_sheet(request, "desk/person.html", _form_of(row), row)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        return person_sheet(request, "desk/person.html", form, row)
    try:
        action = registration_correct(command_of(request), registration=row, **form.arguments)
    except Refused as refusal:
        return refused_beside(request, refusal, "desk/person.html", form, row)
    return undoable_response(request, action)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def desk_withdraw(request: StaffRequest, registration: int) -> HttpResponse:
    """Withdraw a registration; the toast offers the undo and names the money to be given back."""
    row = registration_or_404(request.event, registration)
    action = registration_withdraw(command_of(request), registration=row)
    paid = paid_cents(row)
    words = _("Abgemeldet: %(name)s. Zurückzugeben sind %(amount)s.")
    sentence = words % {"name": row.person.name, "amount": money(paid)} if paid else ""
    return undoable_response(request, action, sentence)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def desk_cash_guest(request: StaffRequest, registration: int) -> HttpResponse:
    """Record that a person plays only at cash tables, or in the tournament after all."""
    row, is_guest = registration_or_404(request.event, registration), "plays" not in request.POST
    action = cash_guest_set(command_of(request), registration=row, is_cash_guest=is_guest)
    return undoable_response(request, action)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def desk_rate(request: StaffRequest, registration: int) -> HttpResponse:
    """Set which price by person somebody has, and show what that is."""
    row = registration_or_404(request.event, registration)
    action = rate_set(command_of(request), registration=row, rate=request.POST.get("rate", ""))
    if not request.htmx:
        return undoable_response(request, action)
    row = registration_or_404(request.event, registration)
    return with_trigger(person_sheet(request, "desk/person.html", _form_of(row), row), action)


def seat_context(line: DeskLine, actor: Actor) -> dict[str, Any]:
    """Return the data of the large seat, with its undo if permitted."""
    assert line.entry is not None
    made_by = line.entry.made_by
    event = line.registration.event
    address = reverse("action-undo", args=[event.slug, made_by.pk])
    is_noshow = made_by.kind == NOSHOWS_BLINDED.name and is_blinded(event, line.entry)
    return {
        "line": line,
        # Of several no-shows one press seated all: only one stack is taken away here.
        "undo_url": address if may_undo(actor, made_by) and not is_noshow else "",
        "is_noshow": is_noshow,
        "elsewhere": plays_elsewhere(line.registration),
        "is_to_draw": line.table in tables_to_draw(line.registration.event),
        "tickets": _tickets(line),
    }


def _tickets(line: DeskLine) -> list[Ticket]:
    """Return the tickets that may pay what is open."""
    event = line.registration.event
    if line.open_cents <= 0 or event.is_over:
        return []
    return tickets_for(line.registration, present(event))


def seat_shown(request: StaffRequest, action: Action, row: Registration) -> HttpResponse:
    """Answer a check-in: the seat, large, above the list; without scripts, redirect there."""
    line = desk_line(registration_or_404(request.event, row.pk))
    if not request.htmx:
        desk = reverse("desk", args=[request.event.slug])
        return HttpResponseRedirect(f"{desk}?shown={row.pk}")
    context = {"event": request.event, **seat_context(line, request.actor)}
    context["undo_url"] = reverse("action-undo", args=[request.event.slug, action.pk])
    response = render(request, "desk/desk_seat.html", context)
    response["HX-Retarget"] = "#desk-seat"
    response["HX-Reswap"] = "innerHTML show:window:top"
    return with_trigger(response, action, closes=True)


def _who(line: DeskLine) -> str:
    assert line.entry is not None
    made_by = line.entry.made_by
    at = timezone.localtime(made_by.at).strftime("%H:%M")
    if made_by.device is None:
        return _("Das war um %(at)s.") % {"at": at}
    return _("Das hat „%(device)s“ um %(at)s gemacht.") % {"device": made_by.device.name, "at": at}


def person_sheet(
    request: StaffRequest,
    template: str,
    form: PersonForm,
    row: Registration | None = None,
    *,
    late: str = "",
) -> HttpResponse:
    """Return a form with what is known of its person, as a sheet."""
    status = 422 if late or (form.is_bound and form.errors) else 200
    context: dict[str, Any] = {
        "form": form,
        "search": "",
        "late": late,
        "in_the_money": money_reached(request.event) is not None,
        "may_let_in": allows(request.actor, Permission.MANAGE),
    }
    if row is not None:
        context.update(_person(request, row))
    return sheet(request, template, context, status=status)


def _person(request: StaffRequest, row: Registration) -> dict[str, Any]:
    line = desk_line(row)
    seat = seat_context(line, request.actor) if line.entry else {}
    return {
        "registration": row,
        "line": line,
        "is_gone": row.voided_by_id is not None,
        "doubles": doubles_at_the_desk(row),
        "has_money": event_has_money(request.event),
        "receipts": receipts_named(row),
        "rates": offered_to(row),
        "tickets": _tickets(line),
        "now": present(request.event),
        "may_place": allows(request.actor, Permission.MANAGE),
        **seat,
    }


def refused_beside(
    request: StaffRequest,
    refusal: Refused,
    template: str,
    form: PersonForm,
    row: Registration | None = None,
) -> HttpResponse:
    """Put a refusal beside its field with the typed data; others go to the frame."""
    if not form.is_bound or refusal.code not in FIELD_OF:
        raise refusal
    form.refuse(refusal)
    return person_sheet(request, template, form, row)


def part_of(command: Command, name: str) -> Command:
    """Return the command for one of several services, with a key derived from the request's."""
    return replace(command, key=uuid5(command.key, name) if command.key else None)


def pay_if_ticked(
    command: Command, row: Registration, form: ConfirmForm, *, owed: int | None = None
) -> None:
    """Book the fee that was ticked.

    :param owed: The price then, if this form may have changed it since.
    """
    if form.cleaned_data.get("pays"):
        less = 0 if owed is None else owed - owed_cents(row)
        is_open = open_cents(row) if less else 0
        amount = is_open + less if is_open > 0 else None
        fee_pay(part_of(command, "fee"), registration=row, amount_cents=amount)


def _correct_if_changed(command: Command, row: Registration, form: ConfirmForm) -> None:
    if row.entries.live().exists():
        return  # a repeated request must not restore old data
    try:
        registration_correct(command, registration=row, **form.arguments)
    except Refused as refusal:
        if refusal.code != "nothing_changed":
            raise


def _form_of(row: Registration) -> ConfirmForm:
    kept = {
        **contact_of(row, with_person=True),
        "remark": row.remark,
        "is_member": row.person.is_member,
        "is_listed": row.is_listed,
    }
    line = desk_line(row)
    return ConfirmForm(initial=kept, pays=fee_taken(line.open_cents if line.may_check_in else 0))


def fee_taken(cents: int) -> str:
    """Return the label of a taken fee; empty without a fee."""
    return _("%(amount)s Startgeld kassiert") % {"amount": money(cents)} if cents else ""


def registration_or_404(event: Event, pk: int) -> Registration:
    rows = Registration.objects.select_related("person", "event__head")
    return get_object_or_404(rows, event=event, pk=pk)


# --- A player's QR code opened on a device of the desk: leads to check-in


def door_of(device: StaffDevice | None, registration: Registration) -> dict[str, Any] | None:
    """Return the desk's data on the person of this link; None for any other device.

    The desk of another event, the latest of several, gets the name of this event.
    """
    if device is None:
        return None
    event = registration.event
    if event.is_clock_only:
        return None
    if not allows(actor_of(device, event), Permission.CHECK_IN):
        desks = roles_that_may(Permission.CHECK_IN)
        grants = Grant.objects.filter(device=device, revoked_at=None, role__in=desks)
        served = grants.filter(event__isnull=False).select_related("event__head")
        latest = served.order_by("-pk").first()
        return {"event": event, "elsewhere": latest.event} if latest else None
    is_gone = registration.voided_by_id is not None
    return {
        "event": event,
        "line": None if is_gone else desk_line(registration),
        "is_gone": is_gone,
        "url": reverse("desk-check-in", args=[event.slug, registration.pk]),
        "desk_url": reverse("desk", args=[event.slug]),
    }


# --- Mail at the desk: retry failed mails; show or replace a personal link


@staff(Permission.CHECK_IN, people=True)
def desk_mail(request: StaffRequest) -> HttpResponse:
    """Show the mails not sent, as a polled panel."""
    context = {"event": request.event, "desk_mail": desk_mail_of(request.event)}
    return render(request, "mail/desk_mail.html", context)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def resend(request: StaffRequest, mail: int) -> HttpResponse:
    row = get_object_or_404(Mail, registration__event=request.event, pk=mail)
    return action_response(request, mail_resend(command_of(request), mail=row))


@staff(Permission.CHECK_IN, people=True, methods=("GET", "HEAD", "POST"))
def personal_link(request: StaffRequest, registration: int) -> HttpResponse:
    """Show a personal link as a large code; on POST, replace it and show the new one."""
    row = registration_or_404(request.event, registration)
    if request.method != "POST":
        return _link_sheet(request, row)
    token = secret_for("personal", row.pk, key=request_key(request))
    action = link_renew(command_of(request), registration=row, token=token)
    if not request.htmx:
        return HttpResponseRedirect(reverse("link-renew", args=[request.event.slug, row.pk]))
    row = registration_or_404(request.event, registration)
    return with_trigger(_link_sheet(request, row, is_new=True), action)


def _link_sheet(request: StaffRequest, row: Registration, *, is_new: bool = False) -> HttpResponse:
    url = hall_url(request, reverse("player", args=[row.link_token]))
    context = {
        "registration": row,
        "url": url,
        "qr": qr_svg(url),
        "is_only_here": opens_only_here(url),
        "is_new": is_new,
    }
    return sheet(request, "desk/link.html", context)
