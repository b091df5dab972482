"""Walk-ins: register a new or known person and check in."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.commands import was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import undoable_response
from tournaments.door.domain.places import DOORS_OPEN
from tournaments.door.selectors.regulars import (
    last_registration_of,
    people_not_registered,
    taken_again,
)
from tournaments.door.services.arrivals import registration_arrive
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.door.views.desk_people import (
    GET_AND_POST,
    LONGEST_SEARCH,
    amount_of,
    part_of,
    pay_if_ticked,
    person_sheet,
    refused_beside,
    seat_shown,
)
from tournaments.models import Action, Person, Registration
from tournaments.money.domain.accounts import price_cents
from tournaments.money.selectors.fees import price_now
from tournaments.people.forms.person import DeskForm
from tournaments.people.selectors.doubles import double_at_the_desk

NEWCOMER = "desk/newcomer.html"


@staff(Permission.CHECK_IN, people=True, methods=GET_AND_POST)
def desk_register(request: StaffRequest) -> HttpResponse:
    """Register a player at the door and check in, unless only registering is asked."""
    fee = amount_of(price_cents(price_now(request.event, present(request.event))))
    if request.method != "POST":
        name = request.GET.get("name", "")[:LONGEST_SEARCH]
        return person_sheet(request, NEWCOMER, DeskForm(initial={"name": name}, fee=fee))
    form = DeskForm(request.POST, fee=fee)
    if not form.is_valid():
        return person_sheet(request, NEWCOMER, form)
    try:
        _ask_if_double(request, form)
        return _taken_in(request, form.arguments, form)
    except Refused as refusal:
        return refused_beside(request, refusal, NEWCOMER, form)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def desk_known(request: StaffRequest, person: int) -> HttpResponse:
    """Register a known person and check in, unless only registering is asked."""
    row = get_object_or_404(Person, club=request.event.club, pk=person)
    key = part_of(command_of(request), "before").key
    if not was_served(request.actor, key):
        row = get_object_or_404(people_not_registered(request.event), pk=person)
    return _taken_in(request, taken_again(row, last_registration_of(row, request.event)))


def _taken_in(
    request: StaffRequest, arguments: dict[str, Any], form: DeskForm | None = None
) -> HttpResponse:
    """Do all in one transaction; answer with the seat, or with a toast if only registered.

    Without a free place the player goes on the waiting list, marked as arrived.
    """
    command, is_only = command_of(request), "only" in request.POST
    with transaction.atomic():
        action = registration_create(part_of(command, "before"), **arguments)
        row = Registration.objects.get(pk=action.payload["registration"])
        waits = action.payload.get("waits", False)
        if waits:
            _refuse_to_wait(is_only=is_only, form=form)
        if form is not None:
            pay_if_ticked(command, row, form)
        if not is_only:
            action = entry_check_in(command, registration=row)
        elif waits and command.at >= command.event.starts_at - DOORS_OPEN:
            registration_arrive(part_of(command, "here"), registration=row)
    if not is_only:
        return seat_shown(request, action, row)
    return undoable_response(request, action, _waits(action) if waits else "")


def _waits(action: Action) -> str:
    return _("%(name)s steht auf der Warteliste.") % {"name": action.text.data["name"]}


def _ask_if_double(request: StaffRequest, form: DeskForm) -> None:
    """Ask whether a similar person is the same; once answered, take the registration."""
    # On a repeated request, the person just registered would be found as similar.
    if was_served(request.actor, part_of(command_of(request), "before").key):
        return
    known = people_not_registered(request.event)
    double = double_at_the_desk(request.event, known, form.cleaned_data["name"])
    if double is None or form.is_somebody_else(double):
        return
    form.double = double
    if double.registration:
        sentence = _("%(name)s ist schon angemeldet.") % {"name": double.name}
    else:
        sentence = _("Der Verein kennt %(name)s.") % {"name": double.name}
    raise Refused(sentence, code="double")


def _refuse_to_wait(*, is_only: bool, form: DeskForm | None) -> None:
    """Refuse an action that needs a place if none is free; undo all of it."""
    if not is_only:
        raise Refused(
            _("Alle Plätze sind vergeben. „Nur anmelden“ setzt auf die Warteliste."), code="full"
        )
    if form is not None and form.cleaned_data.get("pays"):
        raise Refused(_("Wer auf der Warteliste steht, zahlt noch nichts."), code="waits")
