"""The buttons of a rehearsal's self-play."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import whole_number
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import action_response, undoable_response
from tournaments.practice.domain.pace import SPEEDS, USUAL_SPEED
from tournaments.practice.selectors.self_play import last_speed, self_play_of
from tournaments.practice.services.self_play import evening_halt, evening_play, evening_step


def self_play_shown(request: StaffRequest) -> dict[str, Any]:
    """Return the self-play's data for the director's page."""
    event = request.event
    speed = self_play_of(event)
    chosen = speed or last_speed(event) or USUAL_SPEED
    return {"is_playing": speed is not None, "chosen": chosen, "speeds": SPEEDS}


@staff(Permission.MANAGE, people=False, methods=("POST",))
def play(request: StaffRequest) -> HttpResponse:
    """Start the self-play at a speed."""
    speed = whole_number(request, "speed")
    return action_response(request, evening_play(command_of(request), speed=speed))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def halt(request: StaffRequest) -> HttpResponse:
    """Stop the self-play."""
    return action_response(request, evening_halt(command_of(request)))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def step(request: StaffRequest) -> HttpResponse:
    """Do the next deed, once."""
    return undoable_response(request, evening_step(command_of(request)))
