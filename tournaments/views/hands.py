"""The tap for the next hand at a table, and which level is in force there."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.access import Permission, allows
from tournaments.models import Event, Table
from tournaments.selectors.calls import call_open_at
from tournaments.selectors.inforce import blinds_of, reason_of, table_in_force, tables_behind
from tournaments.services.hands import hand_begin
from tournaments.services.seats import live_table_by_number
from tournaments.views.frame import StaffRequest, present, said, staff
from tournaments.views.undo import done


@staff(Permission.RUN_HANDS, methods=("POST",))
def begin(request: StaffRequest, number: int) -> HttpResponse:
    """Record that the next hand begins at a table; the toast takes it back."""
    row = live_table_by_number(request.event, number)
    return done(request, hand_begin(**said(request), table=row))


@staff(Permission.SEE_FLOOR)
def in_force(request: StaffRequest, number: int) -> HttpResponse:
    """Say which level is in force at a table, and why."""
    row = live_table_by_number(request.event, number)
    return render(request, "floor/floor_in_force.html", in_force_shown(request, row))


def in_force_shown(request: StaffRequest, table: Table) -> dict[str, Any]:
    """Return a table's level in force with its reason, as the panel shows it."""
    event = request.event
    answer = table_in_force(event, table, present(event))
    return {
        "event": event,
        "number": table.number,
        "in_force": answer,
        "blinds": blinds_of(answer.level, event),
        "reason": reason_of(answer),
        "call": call_open_at(event, table),
        "may_tap": allows(request.actor, Permission.RUN_HANDS) and not event.is_over,
    }


def behind_shown(event: Event) -> list[dict[str, Any]]:
    """Return the tables that still play another level than the announced one."""
    return [
        {
            "number": number,
            "level": answer.level.number,
            "blinds": blinds_of(answer.level, event),
            "reason": reason_of(answer),
        }
        for number, answer in tables_behind(event, present(event))
    ]
