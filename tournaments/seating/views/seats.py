"""Seats by hand: move a player to a seat of the plan, swap two players, lock a seat."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    PLACE,
    StaffRequest,
    command_of,
    place,
    present,
    reason_given,
    undoable_response,
    whole_number,
)
from tournaments.event.domain.cards import seat_cards as run_of
from tournaments.models import Event, Seating, SeatLock, Table
from tournaments.seating.selectors.balancing import next_step
from tournaments.seating.selectors.seat_cards import were_drawn
from tournaments.seating.selectors.tables import locks_of, seating_of, sittings_at
from tournaments.seating.services.chairs import seat_lock, seat_unlock
from tournaments.seating.services.seat_cards import obstacle_to_cards, seats_draw_by_cards
from tournaments.seating.services.seats import live_table_by_number
from tournaments.seating.services.tables import (
    balance_step,
    deviation,
    obstacle_to_seat,
    seats_swap,
)
from tournaments.seating.views.tables import entry_or_404


@staff(Permission.RESEAT, people=True, methods=("POST",))
def put(request: StaffRequest, entry: int) -> HttpResponse:
    """Move a player to a seat of the plan: at once, or through a sheet that asks for a reason.

    A move that matches the suggested one is recorded as such. Any other move needs a reason; on an
    occupied seat it becomes a swap.
    """
    row, target = entry_or_404(request.event, entry), place(request, "to")
    if target is None:
        raise Refused(_("Bitte einen Platz wählen."), code="no_seat")
    table = live_table_by_number(request.event, target[0])
    mover = seating_of(row)
    if mover is None:
        raise Refused(_("Dieser Teilnehmer sitzt an keinem Tisch."), code="not_seated")
    holder = Seating.objects.live().filter(table=table, seat=target[1]).first()
    if holder is not None and holder.entry_id != row.pk:
        both = {"event": request.event, "mover": mover, "holder": holder}
        return render(request, "director/swap.html", both)
    obstacle = obstacle_to_seat(table, target[1], mover)
    if obstacle:
        raise Refused(obstacle, code="seat_unfit")
    lock = _lock_of(table, target[1])
    step = next_step(request.event, present(request.event))
    found = deviation(step, row.pk, *target)
    if step is not None and not found and lock is None:
        own = {"from_table": step.from_table, "to_table": step.to_table, "to_seat": step.to_seat}
        return undoable_response(request, balance_step(command_of(request), entry=row, **own))
    context = {
        "event": request.event,
        "seating": mover,
        "number": table.number,
        "seat": target[1],
        "why": _("Dieser Platz ist gesperrt.") if lock else found,
        "lock": lock,
    }
    return render(request, "director/reason.html", context)


@staff(Permission.RESEAT, people=True, methods=("POST",))
def swap(request: StaffRequest, entry: int) -> HttpResponse:
    row = entry_or_404(request.event, entry)
    other = entry_or_404(request.event, whole_number(request, "other"))
    here, there = place(request, "here"), place(request, "there")
    action = seats_swap(
        command_of(request),
        first=row,
        second=other,
        reason=reason_given(request),
        places=(here, there) if here and there else None,
    )
    return undoable_response(request, action)


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def lock(request: StaffRequest, place: str) -> HttpResponse:
    """Show a free or locked seat; lock or unlock it."""
    found = PLACE.fullmatch(place)
    if found is None:
        raise Http404(_("Diesen Platz gibt es nicht."))
    table, seat = live_table_by_number(request.event, int(found[1])), int(found[2])
    if request.method == "POST":
        command = command_of(request)
        own: dict[str, Any] = {"table": table, "seat": seat}
        if request.POST.get("do") == "unlock":
            return undoable_response(request, seat_unlock(command, **own))
        return undoable_response(request, seat_lock(command, **own, reason=reason_given(request)))
    if not 1 <= seat <= table.chairs:
        raise Http404(_("Diesen Platz gibt es nicht."))
    context = {
        "event": request.event,
        "table": table,
        "seat": seat,
        "place": place,
        "lock": _lock_of(table, seat),
    }
    return render(request, "director/seat.html", context)


def _lock_of(table: Table, seat: int) -> dict[str, Any] | None:
    row = SeatLock.objects.live().filter(table=table, seat=seat)
    found = row.select_related("made_by__text").first()
    if found is None:
        return None
    texts = found.made_by.text.data if hasattr(found.made_by, "text") else {}
    return {"reason": texts.get("reason", ""), "at": found.made_by.at}


# --- The sheet for entering each player's seat card at one table


PREFIX = "card-"


@staff(Permission.DRAW_DEALER, people=True, methods=("GET", "HEAD", "POST"))
def seat_cards(request: StaffRequest, number: int) -> HttpResponse:
    """Show the players of a table with the possible cards; on POST, seat them."""
    table = live_table_by_number(request.event, number)
    if request.method == "POST":
        sent = ((name, card) for name, card in request.POST.items() if PREFIX in name)
        named = ((whole(name.removeprefix(PREFIX)), str(card)) for name, card in sent)
        cards = {entry: card for entry, card in named if entry is not None}
        action = seats_draw_by_cards(command_of(request), table=table, cards=cards)
        return undoable_response(request, action)
    return render(request, "floor/seat_cards.html", _sheet(request.event, table))


def _sheet(event: Event, table: Table) -> dict[str, Any]:
    locked = locks_of(event, [table.pk]).get(table.pk, frozenset())
    players = list(sittings_at(event, [table.pk]))
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
            for seat, card in enumerate(run_of(table.chairs), start=1)
            if seat not in locked
        ],
        "is_again": were_drawn(event, table),
    }
