"""Actions at a seat of a cash table, and on its waiting list."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.cashgame.services.fees import cash_fee_pay
from tournaments.cashgame.services.line import cash_offer, cash_unwait, cash_wait
from tournaments.cashgame.services.presence import cash_away, cash_back, cash_leave_announce
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit, cash_top_up
from tournaments.cashgame.views.parts import (
    cents_needed,
    cents_sent,
    means_sent,
    of_cash_game,
    seat_or_404,
    table_or_404,
)
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import optional_number, place, whole_number
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import undoable_response
from tournaments.models import CashTable, Registration


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def sit(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Seat a player with bought chips."""
    row = table_or_404(request.event, cash_table)
    action = cash_sit(
        command_of(request),
        registration=_guest(request),
        table=row,
        seat=cash_seat,
        cents=cents_needed(request, "amount"),
        largest_cents=cents_sent(request, "largest"),
        means=means_sent(request),
    )
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def chips(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Sell more chips, cash out, or take the time fee."""
    seat_row = seat_or_404(table_or_404(request.event, cash_table), cash_seat)
    guest, means, what = seat_row.registration, means_sent(request), request.POST.get("what")
    if what == "more":
        action = cash_top_up(
            command_of(request),
            registration=guest,
            cents=cents_needed(request, "amount"),
            stack_cents=cents_sent(request, "stack") or 0,
            largest_cents=cents_sent(request, "largest"),
            means=means,
        )
    elif what == "out":
        cents = cents_needed(request, "amount")
        action = cash_out(command_of(request), registration=guest, cents=cents, means=means)
    elif what == "fee":
        action = cash_fee_pay(command_of(request), registration=guest, means=means)
    else:
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def move(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Move a player to another seat, here or at another cash table."""
    seat_row = seat_or_404(table_or_404(request.event, cash_table), cash_seat)
    wanted = place(request, "to")
    if wanted is None:
        raise Refused(_("Bitte einen Platz wählen."), code="no_seat")
    to = get_object_or_404(CashTable.objects.live(), event=request.event, number=wanted[0])
    action = cash_move(
        command_of(request),
        registration=seat_row.registration,
        table=to,
        seat=wanted[1],
        stack_cents=cents_sent(request, "stack"),
    )
    return undoable_response(request, action)


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",))
@of_cash_game
def presence(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Record that a player is away, is back, or leaves in so many minutes."""
    seat_row = seat_or_404(table_or_404(request.event, cash_table), cash_seat)
    guest, what = seat_row.registration, request.POST.get("what")
    if what == "back":
        action = cash_back(command_of(request), registration=guest)
    elif what == "away":
        minutes = whole_number(request, "minutes")
        action = cash_away(command_of(request), registration=guest, minutes=minutes)
    elif what == "leaves":
        later = timedelta(minutes=whole_number(request, "minutes"))
        at = present(request.event) + later
        action = cash_leave_announce(command_of(request), registration=guest, leaves_at=at)
    else:
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    return undoable_response(request, action)


@staff(Permission.ASK_PURCHASE, people=True, methods=("POST",))
@of_cash_game
def wait(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Put a player on a table's waiting list, or take the player off it."""
    row, guest = table_or_404(request.event, cash_table), _guest(request)
    own: dict[str, Any] = {"registration": guest, "table": row}
    if request.POST.get("what") == "drop":
        action = cash_unwait(command_of(request), **own)
    else:
        action = cash_wait(command_of(request), **own, any_table="any" in request.POST)
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def offer(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Offer a free seat to the next in line."""
    row = table_or_404(request.event, cash_table)
    return undoable_response(request, cash_offer(command_of(request), table=row))


def _guest(request: StaffRequest) -> Registration:
    number = optional_number(request, "guest")
    if number is None:
        raise Refused(_("Bitte jemanden wählen."), code="nobody")
    return get_object_or_404(Registration, event=request.event, pk=number)
