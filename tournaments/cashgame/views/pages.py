"""The pages of the cash game: all tables, one table on a phone, one seat in a sheet."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.timezone import localtime
from django.views.decorators.cache import never_cache

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.forms.tables import OpenForm
from tournaments.cashgame.selectors.books import balances_noted, open_tables, tables_closed
from tournaments.cashgame.selectors.closed import closed_tables
from tournaments.cashgame.selectors.due import cash_due
from tournaments.cashgame.selectors.ending import end_of, last_hands_of
from tournaments.cashgame.selectors.feeding import main_tables
from tournaments.cashgame.selectors.line import tables_alike
from tournaments.cashgame.selectors.pictures import tables_shown
from tournaments.cashgame.views.parts import of_cash_game, table_or_404
from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.views.context import page_context
from tournaments.models import CashSeat, CashTable, Event, Registration
from tournaments.money.selectors.means import means_taken

MOST_GUESTS = 400


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def overview(request: StaffRequest) -> HttpResponse:
    """Show all cash tables, with the director's forms to open one and set the end."""
    event = request.event
    initial = {"game": event.game, "limit": event.limit, "seats": event.seats_per_table}
    form = OpenForm(initial=initial, event=event, mains=main_tables(event))
    context = page_context(request, event, request.actor) | _overview(request)
    return render(request, "cashgame/overview.html", context | {"form": form})


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def overview_panel(request: StaffRequest) -> HttpResponse:
    """Show only the tables, for an open page."""
    return render(request, "cashgame/overview_panel.html", _overview(request))


def _overview(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, present(request.event)
    ends_at, tables = end_of(event), tables_shown(event, open_tables(event), now)
    return {
        "event": event,
        "tables": tables,
        "due": cash_due(event, tables, now),
        "ends_at": ends_at,
        "ends_typed": localtime(ends_at).strftime("%H:%M") if ends_at else "",
        "last": last_hands_of(event),
        "closed": closed_tables(event),
        "is_noted": bool(balances_noted(event)),
        "leads": allows(request.actor, Permission.MANAGE),
        "may_offer": allows(request.actor, Permission.TAKE_MONEY),
    }


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def table(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Show one table: hand, seats, waiting list, counts."""
    row = table_or_404(request.event, cash_table)
    context = page_context(request, request.event, request.actor) | _table(request, row)
    own = {"guests": _guests(request.event), "has_alike": len(tables_alike(row)) > 1}
    return render(request, "cashgame/table.html", context | own)


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def table_panel(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Show only the table, for an open page."""
    row = table_or_404(request.event, cash_table)
    return render(request, "cashgame/table_panel.html", _table(request, row))


def _table(request: StaffRequest, row: CashTable) -> dict[str, Any]:
    event, now = request.event, present(request.event)
    is_closed = bool(tables_closed([row.pk]))
    (shown,) = tables_shown(event, [row], now)
    actor = request.actor
    return {
        "event": event,
        "shown": shown,
        "due": [] if is_closed else [one for one in cash_due(event, [shown], now) if one.table],
        "is_closed": is_closed,
        "asks_pot": row.fee_way == FeeWay.POT,
        "may_tap": allows(actor, Permission.RUN_HANDS),
        "may_sell": allows(actor, Permission.TAKE_MONEY),
        "may_count": allows(actor, Permission.COUNT_HEADS),
        "leads": allows(actor, Permission.MANAGE),
    }


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def seat(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Show the actions of a seat: sit down, or buy, change, leave."""
    event = request.event
    row = table_or_404(event, cash_table)
    context = _table(request, row)
    found = [one for one in context["shown"].seats if one.number == cash_seat]
    others = tables_shown(event, open_tables(event), present(event))
    free = [(one.row, place.number) for one in others for place in one.seats if place.row is None]
    sitting = found[0].row if found else None
    must = [one for table in others for one in table.moves if one.seat == sitting]
    # For a feeder's player the main table's seats come first.
    free.sort(key=lambda one: not (must and one[0] == must[0].main))
    own = {
        "place": found[0] if found else None,
        "number": cash_seat,
        "guests": _guests(event, context["shown"].line),
        "free": free,
        "must": must[0] if must else None,
        "means": means_taken(event.club),
        "may_note": allows(request.actor, Permission.NOTE_ABSENCE),
    }
    return render(request, "cashgame/seat.html", context | own)


def _guests(event: Event, line: Any = ()) -> list[Registration]:
    """Return the people who can sit down: the waiting list first, then by name."""
    sitting = CashSeat.objects.live().filter(event=event).values("registration")
    rows = Registration.objects.live().filter(event=event).exclude(pk__in=sitting)
    found = list(rows.select_related("person").order_by("person__sort_name", "pk")[:MOST_GUESTS])
    first = {one.row.registration_id: one.place for one in line}
    return sorted(found, key=lambda row: first.get(row.pk, MOST_GUESTS))
