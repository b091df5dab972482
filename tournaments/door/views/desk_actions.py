"""One-tap actions of the desk: give a place, record an arrival, settle no-shows."""

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
    """Give a waiting player a place out of turn."""
    return undoable_response(
        request, place_give(command_of(request), registration=_row(request, registration))
    )


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def accept(request: StaffRequest, registration: int) -> HttpResponse:
    """Accept the offered place for a player who is here or has called."""
    return undoable_response(
        request, offer_accept(command_of(request), registration=_row(request, registration))
    )


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def arrived(request: StaffRequest, registration: int) -> HttpResponse:
    """Record an arrival."""
    row = _row(request, registration)
    return undoable_response(request, registration_arrive(command_of(request), registration=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def release(request: StaffRequest) -> HttpResponse:
    """Release the places of no-shows, or blind them off, by rule."""
    return undoable_response(request, noshows_settle(command_of(request)))


def _row(request: StaffRequest, pk: int) -> Registration:
    return get_object_or_404(Registration, event=request.event, pk=pk)
