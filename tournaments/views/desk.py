"""The desk at the door: who is registered, who is here, check-in with its seat.

A sheet shows one person's data to be confirmed; every action on it is one service call, or two in
one transaction where data are corrected, or a person registered, on the way to checking in.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid5

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.access import Actor, Permission, may_undo
from tournaments.domain.errors import Refused
from tournaments.forms.registration import FIELD_OF, ConfirmForm, DeskForm, PersonForm
from tournaments.models import Action, Event, Registration
from tournaments.selectors.people import DeskRow, desk_found, desk_numbers, desk_row, desk_rows
from tournaments.services.registration import (
    entry_check_in,
    registration_correct,
    registration_create,
    registration_withdraw,
)
from tournaments.views.context import page_context
from tournaments.views.frame import StaffRequest, news, said, staff
from tournaments.views.undo import done

MOST_ROWS = 100
LONGEST_SEARCH = 200
GET_AND_POST = ("GET", "HEAD", "POST")


@staff(Permission.CHECK_IN)
def desk(request: StaffRequest) -> HttpResponse:
    """Show the registrations, with the search and what can be done at the door."""
    context = {**page_context(request, request.event, request.actor), **_list(request)}
    return render(request, "desk/desk.html", context)


@staff(Permission.CHECK_IN)
def desk_list(request: StaffRequest) -> HttpResponse:
    """Show the list alone, with the numbers and the seat last drawn as they are now."""
    context = {"event": request.event, "is_update": True, **_list(request), **_shown(request)}
    return render(request, "desk/desk_list.html", context)


@staff(Permission.CHECK_IN, methods=GET_AND_POST)
def desk_register(request: StaffRequest) -> HttpResponse:
    """Register somebody at the door and, unless only that was asked for, check him in at once."""
    if request.method != "POST":
        name = request.GET.get("name", "")[:LONGEST_SEARCH]
        return _sheet(request, "desk/newcomer.html", DeskForm(initial={"name": name}))
    form = DeskForm(request.POST)
    if not form.is_valid():
        return _sheet(request, "desk/newcomer.html", form)
    given = said(request)
    try:
        with transaction.atomic():
            action = registration_create(**_before(given), **form.cleaned_data)
            row = Registration.objects.get(pk=action.payload["registration"])
            if "only" not in request.POST:
                action = entry_check_in(**given, registration=row)
    except Refused as refusal:
        return _refused(request, refusal, "desk/newcomer.html", form)
    if "only" in request.POST:
        return done(request, action)
    return _seat_shown(request, action, row)


@staff(Permission.CHECK_IN, methods=GET_AND_POST)
def desk_check_in(request: StaffRequest, registration: int) -> HttpResponse:
    """Show a person's data to be confirmed; posted, correct what was changed and check in."""
    row = _registration_or_404(request.event, registration)
    if request.method != "POST":
        return _sheet(request, "desk/person.html", _form_of(row), row)
    has_data = "name" in request.POST
    form = ConfirmForm(request.POST) if has_data else _form_of(row)
    if has_data and not form.is_valid():
        return _sheet(request, "desk/person.html", form, row)
    given = said(request)
    try:
        with transaction.atomic():
            if has_data:
                _correct_if_changed(_before(given), row, form)
            action = entry_check_in(**given, registration=row)
    except Refused as refusal:
        return _refused(request, refusal, "desk/person.html", form, row)
    return _seat_shown(request, action, row)


@staff(Permission.CHECK_IN, methods=GET_AND_POST)
def desk_correct(request: StaffRequest, registration: int) -> HttpResponse:
    """Show a person's data, whatever the state; posted, correct them."""
    row = _registration_or_404(request.event, registration)
    if request.method != "POST":
        return _sheet(request, "desk/person.html", _form_of(row), row)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        return _sheet(request, "desk/person.html", form, row)
    try:
        action = registration_correct(**said(request), registration=row, **form.cleaned_data)
    except Refused as refusal:
        return _refused(request, refusal, "desk/person.html", form, row)
    return done(request, action)


@staff(Permission.CHECK_IN, methods=("POST",))
def desk_withdraw(request: StaffRequest, registration: int) -> HttpResponse:
    """Take somebody off the list; undone in the toast."""
    row = _registration_or_404(request.event, registration)
    return done(request, registration_withdraw(**said(request), registration=row))


def _list(request: StaffRequest) -> dict[str, Any]:
    search = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    only_missing = request.GET.get("missing") == "1"
    event = request.event
    return {
        "search": search,
        "only_missing": only_missing,
        "rows": desk_rows(event, search=search, only_missing=only_missing, most=MOST_ROWS),
        "found": desk_found(event, search, only_missing=only_missing).count(),
        "most": MOST_ROWS,
        "numbers": desk_numbers(event),
    }


def _shown(request: StaffRequest) -> dict[str, Any]:
    """Return the seat the page shows large, as it is now: moved, or taken back."""
    raw = request.GET.get("shown", "")
    if not raw.isdecimal():
        return {}
    found = Registration.objects.live().filter(event=request.event, pk=int(raw[:18]))
    row = found.select_related("event", "person").first()
    line = desk_row(row) if row else None
    if line is None or line.entry is None:
        return {"gone": raw[:18]}
    seat = _seat(line, request.actor)
    return {"line_shown": line, "undo_url": seat["undo_url"]}


def _seat(line: DeskRow, actor: Actor) -> dict[str, Any]:
    """Return what the large seat shows, with its undo if this device may."""
    assert line.entry is not None
    made_by = line.entry.made_by
    return {
        "line": line,
        "undo_url": _undo_url(line.registration.event, made_by) if may_undo(actor, made_by) else "",
    }


def _seat_shown(request: StaffRequest, action: Action, row: Registration) -> HttpResponse:
    """Answer a check-in: the seat, large, above the list; a plain form goes back to the list."""
    line = desk_row(_registration_or_404(request.event, row.pk))
    sentence = _sentence(line)
    if not request.headers.get("HX-Request"):
        return done(request, action, sentence)
    undo_url = _undo_url(request.event, action)
    context = {"event": request.event, "sentence": sentence, **_seat(line, request.actor)}
    response = render(request, "desk/checked_in.html", {**context, "undo_url": undo_url})
    response["HX-Retarget"] = "#desk-seat"
    response["HX-Reswap"] = "innerHTML show:window:top"
    return news(response, action, closes=True)


def _sentence(line: DeskRow) -> str:
    if line.table is not None:
        return _("%(name)s sitzt an Tisch %(table)s, Platz %(seat)s.") % {
            "name": line.name,
            "table": line.table,
            "seat": line.seat,
        }
    return _("%(name)s ist eingecheckt. Der Platz wird später ausgelost.") % {"name": line.name}


def _sheet(
    request: StaffRequest, template: str, form: PersonForm, row: Registration | None = None
) -> HttpResponse:
    """Show a form in the page's sheet, or as a page of its own where there is no script."""
    status = 422 if form.is_bound and form.errors else 200
    context: dict[str, Any] = {"event": request.event, "form": form, "search": ""}
    if row is not None:
        context.update(_person(request, row))
    if request.headers.get("HX-Request"):
        return render(request, template, context, status=status)
    page = {**page_context(request, request.event, request.actor), **context, "sheet": template}
    return render(request, "desk/sheet_page.html", page, status=status)


def _person(request: StaffRequest, row: Registration) -> dict[str, Any]:
    line = desk_row(row)
    seat = _seat(line, request.actor) if line.entry else {}
    return {"registration": row, "line": line, "is_gone": row.voided_by_id is not None, **seat}


def _refused(
    request: StaffRequest,
    refusal: Refused,
    template: str,
    form: PersonForm,
    row: Registration | None = None,
) -> HttpResponse:
    """Put a refusal beside the field it is about, with what was typed; others go to the frame."""
    if not form.is_bound or refusal.code not in FIELD_OF:
        raise refusal
    form.refuse(refusal)
    return _sheet(request, template, form, row)


def _before(given: dict[str, Any]) -> dict[str, Any]:
    """Return what the first of two services is told: a key of its own, made from the request's."""
    key = given["key"]
    return {**given, "key": uuid5(key, "before") if key else None}


def _undo_url(event: Event, action: Action) -> str:
    return reverse("action-undo", args=[event.slug, action.pk])


def _form_of(row: Registration) -> ConfirmForm:
    person = row.person
    initial = {"name": person.name, "email": person.email, "is_listed": row.is_listed}
    return ConfirmForm(initial=initial)


def _correct_if_changed(given: dict[str, Any], row: Registration, form: PersonForm) -> None:
    if row.entries.live().exists():
        return  # a request that comes a second time must not put old data back
    try:
        registration_correct(**given, registration=row, **form.cleaned_data)
    except Refused as refusal:
        if refusal.code != "nothing_changed":
            raise


def _registration_or_404(event: Event, pk: int) -> Registration:
    rows = Registration.objects.select_related("person", "event")
    return get_object_or_404(rows, event=event, pk=pk)
