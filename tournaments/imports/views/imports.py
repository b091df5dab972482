"""Import a list of people from a file: choose, preview, import in one action."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of, present
from tournaments.door.selectors.desk import emails_registered
from tournaments.door.services.registration import registrations_import
from tournaments.door.services.waiting_list import admission_at
from tournaments.door.views.desk import registered_many
from tournaments.event.views.context import page_context
from tournaments.imports.domain.listing import Line, is_same_person
from tournaments.imports.forms.imports import PeopleForm, packed
from tournaments.imports.views.previews import (
    Judge,
    Verdict,
    people_accepted,
    preview_asked,
    preview_shown,
    row_doubt,
    row_fault,
)
from tournaments.models import Event
from tournaments.people.domain.naming import normal_name
from tournaments.people.selectors.people import person_matches


@staff(Permission.CHECK_IN, people=True, methods=("GET", "HEAD", "POST"))
def import_file(request: StaffRequest) -> HttpResponse:
    """Preview a file. Registrations are made only on confirmation."""
    event = request.event
    scope = _scope(event)
    preview, file_form, columns = preview_asked(request, scope, _judge(event, present(event)))
    if preview is None or columns is None:
        status = 422 if file_form.errors else 200
        return _page(request, "desk/import.html", form=file_form, status=status)
    form = PeopleForm(scope=scope, initial={"people": packed(scope, preview.people)})
    status = 422 if preview.listing.layout is None else 200
    context = preview_shown(preview, columns, form)
    return _page(request, "desk/import_preview.html", **context, status=status)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def import_confirm(request: StaffRequest) -> HttpResponse:
    """Register all people of a preview in one action."""
    form = PeopleForm(request.POST, scope=_scope(request.event))
    accepted = people_accepted(form)
    is_listed = form.cleaned_data["is_listed"]
    people = [{**person, "is_listed": is_listed} for person in accepted]
    try:
        action = registrations_import(command_of(request), people=people)
    except Refused as refusal:
        if refusal.code != "duplicate":
            raise
        again = _("%(reason)s „So lesen“ zeigt die Vorschau neu.") % {"reason": refusal}
        raise Refused(again, code=refusal.code)
    go_to = reverse("desk", args=[request.event.slug])
    return action_response(
        request, action, sentence=registered_many(action, len(people)), go_to=go_to
    )


def _page(
    request: StaffRequest, template: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    page = page_context(request, request.event, request.actor)
    return render(request, template, {**page, **context}, status=status)


def _scope(event: Event) -> str:
    return f"event:{event.pk}"


def _judge(event: Event, now: datetime) -> Judge:
    """Return a function that predicts the result of `registrations_import` for a row."""
    registered, door = emails_registered(event), admission_at(event, now)
    known = person_matches(event.club)

    def judge(line: Line) -> Verdict:
        reason = row_fault(line)
        there = registered.get(normal_name(line.name), []) if not reason else []
        if any(is_same_person(email, line.email) for email in there):
            reason = _("Ist schon angemeldet.")
        if reason:
            return Verdict(line=line, reason=reason)
        met, doubt = known.meant(line.name, line.email), row_doubt(line)
        alike = known.alike(line.name) if met is None else ""
        if doubt or alike:
            return Verdict(line=line, doubt=doubt, is_known=met is not None, alike=alike)
        is_member = bool(line.is_member) or (met is not None and met.is_member)
        waits = not door.lets(is_member=is_member)
        return Verdict(line=line, waits=waits, is_known=met is not None)

    return judge
