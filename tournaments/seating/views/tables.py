"""The director's work on the floor: draw seats, open and close tables, move players.

Moves of many players and other serious steps are shown in a sheet first. A sheet without anything
to do says why.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import (
    number_given,
    optional_number,
    place,
    reason_given,
    whole_number,
)
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import undoable_response
from tournaments.event.selectors.event import entries_live_count, entry_names
from tournaments.models import Entry, Event
from tournaments.seating.selectors.balancing import next_step
from tournaments.seating.selectors.draw_tries import taken_back_so_far
from tournaments.seating.selectors.move_targets import MOST_TABLES, tables_open_to
from tournaments.seating.selectors.tables import seating_of, tables_live
from tournaments.seating.services.seats import (
    draw_hall_number_set,
    live_table_by_number,
    seats_draw,
)
from tournaments.seating.services.tables import balance_step, entry_move, table_close, table_open
from tournaments.seating.views.breaking import over

BAD_STACK = gettext_lazy("Ein Stapel ist eine ganze Zahl von Chips.")


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def draw_seats(request: StaffRequest) -> HttpResponse:
    """Show how many entries need a seat; on POST, draw all their seats."""
    event = request.event
    if request.method == "POST":
        return undoable_response(
            request, seats_draw(command_of(request), number=number_given(request))
        )
    context = {
        "event": event,
        "obstacle": over(event),
        "players": entries_live_count(event),
        "taken_back": taken_back_so_far(event, "field"),
    }
    return render(request, "director/seats_draw.html", context)


@staff(Permission.MANAGE, people=True, methods=("POST",))
def hall_number(request: StaffRequest) -> HttpResponse:
    """Bind the number called out in the hall for all later draws."""
    action = draw_hall_number_set(command_of(request), number=number_given(request))
    return undoable_response(request, action)


@staff(Permission.RESEAT, people=True, methods=("POST",))
def open_table(request: StaffRequest) -> HttpResponse:
    """Open one table, or `count` tables."""
    count = optional_number(request, "count")
    return undoable_response(
        request, table_open(command_of(request), count=1 if count is None else count)
    )


@staff(Permission.RESEAT, people=True, methods=("POST",))
def close_table(request: StaffRequest, number: int) -> HttpResponse:
    """Close an empty table."""
    table = live_table_by_number(request.event, number)
    return undoable_response(request, table_close(command_of(request), table=table))


@staff(Permission.RESEAT, people=True, methods=("POST",))
def balance(request: StaffRequest) -> HttpResponse:
    """Carry out the next suggested move, as shown."""
    action = balance_step(
        command_of(request),
        entry=entry_or_404(request.event, whole_number(request, "entry")),
        from_table=whole_number(request, "from_table"),
        to_table=whole_number(request, "to_table"),
        to_seat=whole_number(request, "to_seat"),
    )
    return undoable_response(request, action)


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def move(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the free seats of the hall; on POST, move the player to the chosen one."""
    row = entry_or_404(request.event, entry)
    if request.method == "POST":
        return _moved(request, row)
    return render(request, "director/move.html", _move_choices(request, row))


def _moved(request: StaffRequest, entry: Entry) -> HttpResponse:
    target = place(request, "to")
    if target is None:
        raise Refused(_("Bitte einen freien Platz wählen."), code="no_seat")
    number, seat = target
    action = entry_move(
        command_of(request),
        entry=entry,
        table=live_table_by_number(request.event, number),
        seat=seat,
        reason=reason_given(request),
        moved_from=place(request, "moved_from"),
    )
    return undoable_response(request, action)


def _move_choices(request: StaffRequest, entry: Entry) -> dict[str, Any]:
    event, seating = request.event, seating_of(entry)
    asked = request.GET.get("table", "").strip()
    number = int(asked) if asked.isdecimal() and len(asked) <= 6 else None
    step = next_step(event, present(event)) if not event.is_over else None
    asks = step.asks if step else ()
    obstacle = over(event)
    if seating is None:
        obstacle = obstacle or _("Dieser Teilnehmer sitzt an keinem Tisch.")
    choices = [] if obstacle or seating is None else tables_open_to(event, seating, number=number)
    return {
        "event": event,
        "entry": entry,
        "seating": seating,
        "obstacle": obstacle,
        "choices": choices,
        "step": None if asks else step,
        "asks": asks,
        "is_due": step is not None and not asks and step.entry == entry.pk,
        "step_name": entry_names({step.entry}).get(step.entry, "") if step else "",
        "asked": asked,
        "is_large": len(tables_live(event)) > MOST_TABLES,
    }


def entry_or_404(event: Event, pk: int) -> Entry:
    rows = Entry.objects.live().select_related("registration__person")
    return get_object_or_404(rows, event=event, pk=pk)
