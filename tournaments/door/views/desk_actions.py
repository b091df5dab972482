"""What the desk does with one tap: a place for who waits, who is here, no-shows."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.door.services.arrivals import noshows_settle, registration_arrive
from tournaments.door.services.waiting_list import offer_accept, place_give
from tournaments.models import Registration


@staff(Permission.MANAGE, people=True, methods=("POST",))
def place(request: StaffRequest, registration: int) -> HttpResponse:
    """Give somebody who waits a place out of turn."""
    return undoable_response(
        request, place_give(command_of(request), registration=_row(request, registration))
    )


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def accept(request: StaffRequest, registration: int) -> HttpResponse:
    """Take the place that is held, for a player who stands at the desk or has called."""
    return undoable_response(
        request, offer_accept(command_of(request), registration=_row(request, registration))
    )


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def arrived(request: StaffRequest, registration: int) -> HttpResponse:
    """Note that somebody has come."""
    row = _row(request, registration)
    return undoable_response(request, registration_arrive(command_of(request), registration=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def release(request: StaffRequest) -> HttpResponse:
    """Free the places of players who have not come in time, or seat them to pay blinds, by rule."""
    return undoable_response(request, noshows_settle(command_of(request)))


def _row(request: StaffRequest, pk: int) -> Registration:
    return get_object_or_404(Registration, event=request.event, pk=pk)
