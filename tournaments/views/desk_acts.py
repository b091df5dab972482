"""What the desk does with one tap: a place for who waits, who is here, the fee, no-shows."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from tournaments.access import Permission
from tournaments.models import Registration
from tournaments.services.arrivals import noshows_settle, registration_arrive
from tournaments.services.fees import fee_pay, fee_refund
from tournaments.services.waiting import offer_accept, place_give
from tournaments.views.frame import StaffRequest, command_of, staff
from tournaments.views.undo import done


@staff(Permission.MANAGE, people=True, methods=("POST",))
def place(request: StaffRequest, registration: int) -> HttpResponse:
    """Give somebody who waits a place out of turn."""
    return done(request, place_give(command_of(request), registration=_row(request, registration)))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def accept(request: StaffRequest, registration: int) -> HttpResponse:
    """Take the place that is held for somebody, for him: he stands here, or has called."""
    return done(
        request, offer_accept(command_of(request), registration=_row(request, registration))
    )


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def arrived(request: StaffRequest, registration: int) -> HttpResponse:
    """Note that somebody has come."""
    row = _row(request, registration)
    return done(request, registration_arrive(command_of(request), registration=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def pay(request: StaffRequest, registration: int) -> HttpResponse:
    """Book what is still open of the fee."""
    return done(request, fee_pay(command_of(request), registration=_row(request, registration)))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def refund(request: StaffRequest, registration: int) -> HttpResponse:
    """Book that somebody got everything back."""
    return done(request, fee_refund(command_of(request), registration=_row(request, registration)))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def release(request: StaffRequest) -> HttpResponse:
    """Free the places of whoever has not come in time, or seat them to pay blinds, by rule."""
    return done(request, noshows_settle(command_of(request)))


def _row(request: StaffRequest, pk: int) -> Registration:
    return get_object_or_404(Registration, event=request.event, pk=pk)
