"""Break a table, redraw all seats, draw the final table: first a preview, then the change.

A preview lists the players but not their new seats: these are drawn on POST.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import number_given, reason_given
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.event.selectors.event import final_seats
from tournaments.models import Event, Seating
from tournaments.seating.selectors.draw_tries import taken_back_so_far
from tournaments.seating.selectors.move_targets import break_shares
from tournaments.seating.selectors.tables import table_counts, tables_live
from tournaments.seating.services.breaking import (
    final_table_draw,
    next_broken,
    obstacle_to_break,
    obstacle_to_final_table,
    obstacle_to_redraw,
    table_break,
    tables_for_redraw,
    tables_redraw,
)
from tournaments.seating.services.seats import live_table_by_number

GET_AND_POST = ("GET", "HEAD", "POST")
MOST_NAMES = 120


@staff(Permission.RESEAT, people=True, methods=GET_AND_POST)
def break_table(request: StaffRequest, number: int) -> HttpResponse:
    """Show the players and the number for each other table; on POST, break the table."""
    event = request.event
    table = live_table_by_number(event, number)
    if request.method == "POST":
        own = {"reason": reason_given(request), "number": number_given(request)}
        action = table_break(command_of(request), table=table, **own)
        return undoable_response(request, action)
    obstacle = over(event) or obstacle_to_break(event, table)
    shares = [] if obstacle else break_shares(event, table)
    first = next_broken(event, table_counts(event))
    context = {
        "event": event,
        "table": table,
        "obstacle": obstacle,
        "shares": shares,
        "players": sum(share.takes for share in shares),
        "names": _names(event, table=table),
        "first": first if first != table.number else None,
        "taken_back": taken_back_so_far(event, "break", table.number),
    }
    return render(request, "director/break.html", context)


@staff(Permission.RESEAT, people=True, methods=GET_AND_POST)
def redraw(request: StaffRequest) -> HttpResponse:
    """Show the players and the tables to be closed; on POST, redraw."""
    event = request.event
    if request.method == "POST":
        return undoable_response(
            request, tables_redraw(command_of(request), number=number_given(request))
        )
    obstacle = over(event) or obstacle_to_redraw(event)
    kept = [] if obstacle else tables_for_redraw(event)
    closed = [table.number for table in tables_live(event) if table.number not in kept]
    context = {
        "event": event,
        "obstacle": obstacle,
        "kept": kept,
        "closed": closed if kept else [],
        "taken_back": taken_back_so_far(event, "redraw"),
        **_everybody(event, obstacle),
    }
    return render(request, "director/redraw.html", context)


@staff(Permission.RESEAT, people=True, methods=GET_AND_POST)
def final_table(request: StaffRequest) -> HttpResponse:
    """Show the players; on POST, draw the seats of the final table."""
    event = request.event
    if request.method == "POST":
        action = final_table_draw(command_of(request), number=number_given(request))
        return undoable_response(request, action)
    obstacle = over(event) or obstacle_to_final_table(event)
    context = {
        "event": event,
        "obstacle": obstacle,
        "size": final_seats(event),
        "taken_back": taken_back_so_far(event, "final"),
        **_everybody(event, obstacle),
    }
    return render(request, "director/final_table.html", context)


def over(event: Event) -> str | None:
    """Return the refusal for an event that is over, or None."""
    return _("Das Turnier ist beendet.") if event.is_over else None


def _everybody(event: Event, obstacle: str | None) -> dict[str, Any]:
    players = Seating.objects.live().filter(event=event).count()
    return {"players": players, "names": [] if obstacle else _names(event)}


def _names(event: Event, **where: Any) -> list[str]:
    """Return the players by table and seat; in a large hall only the first."""
    rows = Seating.objects.live().filter(event=event, **where).order_by("table__number", "seat")
    return list(rows.values_list("entry__registration__person__name", flat=True)[:MOST_NAMES])
