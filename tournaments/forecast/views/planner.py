"""Plan an evening from figures: the schedule beside them, and its adoption."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import action_response
from tournaments.event.selectors.event import registrations_live_count
from tournaments.event.services.schedule.planned import event_schedule_plan
from tournaments.event.views.context import page_context
from tournaments.event.views.events import (
    FORM_METHODS,
    WRONG,
    attempt,
    obstacles_of,
    speak_beforehand,
)
from tournaments.forecast.forms.planner import WishForm
from tournaments.forecast.selectors.planner import Planned, planned_for, wish_begun


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def plan(request: StaffRequest) -> HttpResponse:
    """Show the planned schedule; before the start, adopt it."""
    event = request.event
    begun = wish_begun(event, registrations_live_count(event))
    sent = request.POST if request.method == "POST" else begun
    form = WishForm(sent, begins_at=event.starts_at)
    planned = planned_for(event, form.wish()) if form.is_valid() else Planned()
    if request.method == "POST" and "preview" not in request.POST:
        answer = _take_over(request, form, planned)
        if answer:
            return answer
    context = page_context(request, event, request.actor) | {
        "tab": "schedule",
        "form": form,
        "planned": planned,
        "obstacle": obstacles_of(event).get("schedule", ""),
    }
    if request.headers.get("HX-Request") and "preview" in request.POST:
        return render(request, "events/planner_result.html", context)
    return render(request, "events/planner.html", context, status=WRONG if form.errors else 200)


def _take_over(request: StaffRequest, form: WishForm, planned: Planned) -> HttpResponse | None:
    """Set it as the tournament's schedule; None with the reason if refused."""
    event, evening = request.event, planned.evening
    if evening is None:
        if planned.reason:
            form.add_error(None, planned.reason)
        return None
    end = f"{form.cleaned_data['ends_at']:%H:%M}"
    action = attempt(
        form,
        lambda: event_schedule_plan(
            command_of(request),
            levels=evening.levels,
            name=_("Plan bis %(end)s") % {"end": end},
            starting_stack=form.cleaned_data["stack"],
        ),
    )
    if action is None:
        return None
    speak_beforehand(event)
    return action_response(request, action, go_to=reverse("event-schedule", args=[event.slug]))
