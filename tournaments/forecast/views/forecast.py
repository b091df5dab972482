"""The forecast page: present end, alternatives, earlier forecasts."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of, present
from tournaments.event.selectors.event import registrations_live_count
from tournaments.event.services.schedule.own import event_schedule_plan
from tournaments.event.views import events
from tournaments.event.views.context import page_context
from tournaments.forecast.domain.course import HEIGHT, MINUTE, WIDTH, picture_of
from tournaments.forecast.domain.end import usual_minutes
from tournaments.forecast.forms.forecast import MinutesForm, WishForm
from tournaments.forecast.selectors.forecast import (
    club_past,
    course_of,
    ended_at,
    forecast_from,
    forecasts_until,
    hall_of,
    insteads_of,
    why_unforeseen,
)
from tournaments.forecast.selectors.planner import planned_for, wish_begun
from tournaments.models import Event, What
from tournaments.rebuys.selectors.offers import good_of

SHORTER = 5
EVERY = timedelta(minutes=20)
LONGEST_SHOWN = timedelta(hours=16)


@never_cache
@staff(Permission.MANAGE, people=False)
def forecast(request: StaffRequest) -> HttpResponse:
    """Show the forecast end, possible changes to it, and earlier forecasts."""
    event = request.event
    now = present(event)
    hall = None if event.is_over else hall_of(event, now)
    found = None if hall is None else forecast_from(event, hall, now)
    usual = None if hall is None else usual_minutes(hall)
    form = None
    if found and usual:
        typed: Any = request.GET if "minutes" in request.GET else None
        form = MinutesForm(typed or {"minutes": max(1, usual - SHORTER)})
    minutes = form.cleaned_data["minutes"] if form and form.is_valid() else None
    context = {
        "forecast": found,
        "usual": usual,
        "form": form,
        "insteads": insteads_of(event, hall, found, minutes) if hall and found else [],
        "club": club_past(event) if found else None,
        "has_add_on": good_of(event, What.ADDON).offer.last is not None,
        "why": "" if found else why_unforeseen(event, now),
        **_past(event, now),
    }
    status = events.WRONG if form and form.errors else 200
    page = page_context(request, event, request.actor) | context
    return render(request, "forecast/forecast.html", page, status=status)


def _past(event: Event, now: datetime) -> dict[str, Any]:
    began = course_of(event).began_at
    if began is None:
        return {"rows": [], "picture": None, "ended": None}
    ended = ended_at(event)
    rows = list(forecasts_until(event, min(ended or now, now, began + LONGEST_SHOWN), EVERY))
    picture = picture_of(
        [
            (
                (row.at - began) / MINUTE,
                (row.earliest - began) / MINUTE,
                (row.ends_at - began) / MINUTE,
                (row.latest - began) / MINUTE,
            )
            for row in rows
        ],
        None if ended is None else (ended - began) / MINUTE,
    )
    right = [row.earliest <= ended <= row.latest for row in rows] if ended else []
    return {
        "rows": [
            {
                "forecast": row,
                "off": None if ended is None else round((row.ends_at - ended) / MINUTE),
            }
            for row in rows
        ],
        "picture": picture,
        "width": WIDTH,
        "height": HEIGHT,
        "ended": ended,
        "held": sum(right),
    }


# --- Plan an evening from figures: the schedule beside them, and its adoption


@never_cache
@staff(Permission.MANAGE, people=False, methods=events.FORM_METHODS)
def plan(request: StaffRequest) -> HttpResponse:
    """Show the planned schedule; before the start, adopt it."""
    event = request.event
    begun = wish_begun(event, registrations_live_count(event))
    sent = request.POST if request.method == "POST" else begun
    form = WishForm(sent, begins_at=event.starts_at)
    planned = planned_for(event, form.wish()) if form.is_valid() else {}
    if request.method == "POST" and "preview" not in request.POST:
        answer = _take_over(request, form, planned)
        if answer:
            return answer
    context = page_context(request, event, request.actor) | {
        "tab": "schedule",
        "form": form,
        "planned": planned,
        "obstacle": events.obstacles_of(event).get("schedule", ""),
    }
    if request.headers.get("HX-Request") and "preview" in request.POST:
        return render(request, "events/planner_result.html", context)
    return render(
        request, "events/planner.html", context, status=events.WRONG if form.errors else 200
    )


def _take_over(
    request: StaffRequest, form: WishForm, planned: dict[str, Any]
) -> HttpResponse | None:
    """Set it as the tournament's schedule; None with the reason if refused."""
    event, evening = request.event, planned.get("evening")
    if evening is None:
        if planned:
            form.add_error(None, planned["reason"])
        return None
    end = f"{form.cleaned_data['ends_at']:%H:%M}"
    action = events.attempt(
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
    events.speak_beforehand(event)
    return action_response(request, action, go_to=reverse("event-schedule", args=[event.slug]))
