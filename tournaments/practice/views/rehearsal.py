"""Open a rehearsal, and show the scenes at its tables."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import club_staff, staff
from tournaments.changes.views.requests import StaffRequest, club_command_of
from tournaments.changes.views.responses import action_response
from tournaments.event.views.events import WRONG, attempt
from tournaments.models import Event, Table
from tournaments.practice.forms.rehearsal import RehearsalForm
from tournaments.practice.selectors.rehearsal import scene_of
from tournaments.practice.services.rehearsal import rehearsal_open


@never_cache
@club_staff(Permission.MANAGE, methods=("GET", "HEAD", "POST"))
def rehearse(request: StaffRequest) -> HttpResponse:
    """Open an event with seated invented people, and go to its page."""
    sent = request.POST if request.method == "POST" else None
    form = RehearsalForm(sent)
    if sent is not None and form.is_valid():
        asked = dict(form.cleaned_data)
        are_here = not asked.pop("are_to_come")
        action = attempt(
            form, lambda: rehearsal_open(club_command_of(request), are_here=are_here, **asked)
        )
        if action:
            slug = Event.objects.values_list("slug", flat=True).get(pk=action.payload["event"])
            return action_response(request, action, go_to=reverse("director", args=[slug]))
    return render(
        request, "events/rehearsal.html", {"form": form}, status=WRONG if form.errors else 200
    )


@never_cache
@staff(Permission.SEE_FLOOR, people=False)
def scene(request: StaffRequest, number: int) -> HttpResponse:
    """Show the scene of a table's hand; empty for a real event."""
    return render(request, "floor/rehearsal.html", shown(request.event, number))


def shown(event: Event, number: int) -> dict[str, Any]:
    """Return a table's scene for its page; none for an event that is no rehearsal."""
    table = Table.objects.live().filter(event=event, number=number).first()
    is_played = event.is_sample and event.has_started and not event.is_over
    picture = scene_of(event, table) if is_played and table is not None else None
    return {"event": event, "number": number, "scene": picture}
