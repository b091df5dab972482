"""The sheet for entering each player's seat card at one table."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.event.domain.cards import seat_cards as run_of
from tournaments.models import Event, Table
from tournaments.seating.selectors.seat_cards import were_drawn
from tournaments.seating.selectors.tables import locks_of, sittings_at
from tournaments.seating.services.seat_cards import obstacle_to_cards, seats_draw_by_cards
from tournaments.seating.services.seats import live_table_by_number

PREFIX = "card-"


@staff(Permission.DRAW_DEALER, people=True, methods=("GET", "HEAD", "POST"))
def seat_cards(request: StaffRequest, number: int) -> HttpResponse:
    """Show the players of a table with the possible cards; on POST, seat them."""
    table = live_table_by_number(request.event, number)
    if request.method == "POST":
        cards = _cards_sent(request)
        action = seats_draw_by_cards(command_of(request), table=table, cards=cards)
        return undoable_response(request, action)
    return render(request, "floor/seat_cards.html", _sheet(request.event, table))


def _cards_sent(request: StaffRequest) -> dict[int, str]:
    """Return the posted card letter by entry."""
    named = ((name.removeprefix(PREFIX), name) for name in request.POST if name.startswith(PREFIX))
    return {
        int(entry): request.POST[name]
        for entry, name in named
        if entry.isascii() and entry.isdecimal() and len(entry) < 12
    }


def _sheet(event: Event, table: Table) -> dict[str, Any]:
    locked = locks_of(event, [table.pk]).get(table.pk, frozenset())
    players = list(sittings_at(event, [table.pk], is_named=True))
    drawing = [row for row in players if row.seat not in locked]
    obstacle = obstacle_to_cards(event, table, len(drawing))
    return {
        "event": event,
        "number": table.number,
        "obstacle": str(obstacle) if obstacle else "",
        "players": drawing,
        "staying": [row for row in players if row.seat in locked],
        "run": [
            {"seat": seat, "letter": card.letter, "label": card.label}
            for seat, card in enumerate(run_of(table.seats), start=1)
            if seat not in locked
        ],
        "is_again": were_drawn(event, table),
    }
