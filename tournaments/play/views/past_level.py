"""The screens and a table's level in force at a past instant."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.forms.schedule import InstantForm
from tournaments.event.selectors.clock import clock_at
from tournaments.event.selectors.level_words import level_in_words
from tournaments.event.views.context import page_context
from tournaments.event.views.events import WRONG
from tournaments.models import Event
from tournaments.play.selectors.level_in_force import in_force_then, reason_of


@never_cache
@staff(Permission.SEE_FLOOR, people=False)
def at(request: StaffRequest) -> HttpResponse:
    """Show what the screens showed at an instant, and a table's level in force then."""
    event = request.event
    # A link may give only the table; the time is still to be typed.
    is_asked = "time" in request.GET
    form = InstantForm(request.GET if is_asked else None, initial=request.GET.dict())
    answer, there = None, None
    if form.is_valid() and (found := _past_instant(form, present(event))) is not None:
        answer = clock_at(event, found)
        there = _in_force(form, event, found)
    context = page_context(request, event, request.actor) | {
        "tab": "schedule",
        "may_manage": allows(request.actor, Permission.MANAGE),
        "instant_form": form,
        "answer": None if form.errors else answer,
        "there": there,
    }
    template = "events/clock_at_answer.html" if request.htmx else "events/clock_at.html"
    return render(request, template, context, status=WRONG if form.errors else 200)


def _past_instant(form: InstantForm, now: datetime) -> datetime | None:
    try:
        found = form.instant(timezone.localdate(now), now)
    except forms.ValidationError:
        form.add_error("time", _("Diese Uhrzeit gibt es an diesem Tag nicht eindeutig."))
        return None
    if found > now:
        form.add_error("time", _("Dieser Zeitpunkt kommt erst noch."))
        return None
    return found


def _in_force(form: InstantForm, event: Event, at: datetime) -> dict[str, Any] | None:
    """Return the level in force at the chosen table, with its reason."""
    number = form.cleaned_data["table"]
    if number is None or event.is_clock_only:
        return None
    found = in_force_then(event, number, at)
    if found is None:
        form.add_error("table", _("Diesen Tisch gab es zu diesem Zeitpunkt nicht."))
        return None
    return {
        "table": number,
        "level": found.level.number,
        "blinds": level_in_words(found.level, event),
        "is_behind": found.is_behind,
        "reason": reason_of(found),
    }
