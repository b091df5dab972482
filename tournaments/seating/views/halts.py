"""A table that is far short: halt it or let it play on (TDA 2024 11-D)."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import undoable_response
from tournaments.seating.selectors.halts import table_far_short
from tournaments.seating.services.locks import table_halt
from tournaments.seating.services.seats import live_table_by_number


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def halt(request: StaffRequest, number: int) -> HttpResponse:
    """Show how far short the table is; record the director's decision."""
    table = live_table_by_number(request.event, number)
    if request.method == "POST":
        is_waived = request.POST.get("decision") == "waive"
        return undoable_response(
            request, table_halt(command_of(request), table=table, is_waived=is_waived)
        )
    state = table_far_short(request.event, number, present(request.event))
    context = {"event": request.event, "table": table, "state": state}
    return render(request, "director/halt.html", context)
