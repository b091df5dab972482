"""Remove the sample event in one click."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, club_command_of
from tournaments.changes.views.responses import action_response
from tournaments.practice.services.sample import sample_remove


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def sample_gone(request: StaffRequest) -> HttpResponse:
    """Delete the sample event."""
    action = sample_remove(club_command_of(request), event=request.event)
    return action_response(request, action, go_to=reverse("home"))
