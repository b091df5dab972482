"""The blind schedule with its times. Another one can be chosen until the tournament begins."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.access import Permission
from tournaments.forms.event import ScheduleForm
from tournaments.selectors.plans import level_minutes_of
from tournaments.selectors.schedule import schedule_lines
from tournaments.services.lifecycle import event_schedule_set
from tournaments.views.context import page_context
from tournaments.views.events import FORM_METHODS, WRONG, attempt, obstacles_of
from tournaments.views.frame import StaffRequest, acted, present, said, staff


@never_cache
@staff(Permission.MANAGE, methods=FORM_METHODS)
def schedule(request: StaffRequest) -> HttpResponse:
    """Show every level and when it comes; before the start, choose another schedule."""
    event = request.event
    obstacle = obstacles_of(event).get("schedule", "")
    sent = request.POST if request.method == "POST" else None
    minutes = level_minutes_of(event.clock)
    form = ScheduleForm(sent, initial={"schedule": event.schedule_name, "level_minutes": minutes})
    if sent is not None and form.is_valid():
        action = attempt(
            form,
            lambda: event_schedule_set(
                **said(request),
                schedule=form.templates[form.cleaned_data["schedule"]],
                level_minutes=form.cleaned_data["level_minutes"],
            ),
        )
        if action:
            return acted(request, action, go_to=reverse("event-schedule", args=[event.slug]))
    context = page_context(request, event, request.actor) | {
        "form": form,
        "tab": "schedule",
        "lines": schedule_lines(event, present(event)),
        "obstacle": obstacle,
        "level_minutes": minutes,
    }
    return render(request, "events/schedule.html", context, status=WRONG if form.errors else 200)
