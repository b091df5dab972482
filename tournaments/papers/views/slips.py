"""Seat slips: one for every taken seat, or a single one; on A4 or on labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.links import hall_url, qr_svg
from tournaments.changes.views.requests import StaffRequest
from tournaments.event.views.context import page_context
from tournaments.models import Action, Entry, Seating
from tournaments.papers.selectors.papers import entries_seated
from tournaments.seating.selectors.seat_cards import tables_to_draw
from tournaments.seating.selectors.tables import table_counts

LABEL = "etikett"
MOST_SLIPS = 200  # a QR code takes some milliseconds


@dataclass(slots=True)
class Batch:
    """Tables with slips printed together."""

    tables: list[int]
    players: int = 0
    is_shown: bool = False


@staff(Permission.CHECK_IN, people=True)
def slips(request: StaffRequest) -> HttpResponse:
    """Show the slips for printing, one batch of tables at a time, or of one table."""
    batches = _batches(request)
    wanted = request.GET.get("from", "")
    shown = next((batch for batch in batches if str(batch.tables[0]) == wanted), None)
    shown = shown or next(iter(batches), None)
    if shown:
        shown.is_shown = True
    seatings = entries_seated(request.event, shown.tables) if shown else []
    context: dict[str, Any] = {"slips": _slips(request, seatings), "batches": batches}
    context["first_table"] = shown.tables[0] if shown and len(batches) > 1 else None
    return render(request, "desk/slips.html", {**_page(request), **context})


@staff(Permission.CHECK_IN, people=True)
def slip(request: StaffRequest, entry: int) -> HttpResponse:
    """Show one player's slip, ready to print."""
    row = get_object_or_404(Entry.objects.live(), event=request.event, pk=entry)
    seatings = Seating.objects.live().filter(entry=row)
    seating = seatings.select_related("table", "entry__registration__person").first()
    context = {"slips": _slips(request, [seating] if seating else []), "is_single": True}
    return render(request, "desk/slips.html", {**_page(request), **context})


@staff(Permission.CHECK_IN, people=True)
def moved(request: StaffRequest, action: int) -> HttpResponse:
    """Show the slips of players moved by one action and still there."""
    row = get_object_or_404(Action, event=request.event, pk=action)
    seatings = Seating.objects.live().filter(event=request.event, made_by=row)
    ordered = seatings.select_related("table", "entry__registration__person")
    found = list(ordered.order_by("table__number", "seat")[:MOST_SLIPS])
    return render(request, "desk/slips.html", {**_page(request), "slips": _slips(request, found)})


def _page(request: StaffRequest) -> dict[str, Any]:
    """Return the context of all slip pages; for A4 or for a label printer."""
    context = page_context(request, request.event, request.actor)
    return context | {"is_label": request.GET.get("papier") == LABEL}


def _batches(request: StaffRequest) -> list[Batch]:
    """Return the tables with players in batches for one print."""
    batches: list[Batch] = []
    for count in table_counts(request.event):
        if not count.players:
            continue
        if not batches or batches[-1].players + count.players > MOST_SLIPS:
            batches.append(Batch([]))
        batches[-1].tables.append(count.number)
        batches[-1].players += count.players
    return batches


def _slips(request: StaffRequest, seatings: list[Seating]) -> list[dict[str, Any]]:
    base = hall_url(request, "/")
    to_draw = tables_to_draw(request.event)
    found = []
    for seating in seatings:
        registration = seating.entry.registration
        link = base + reverse("player", args=[registration.link_token]).removeprefix("/")
        found.append(
            {
                "player": registration.person.name,
                "table": seating.table.number,
                "seat": seating.seat,
                "is_to_draw": seating.table.number in to_draw,
                "qr": qr_svg(link),
            }
        )
    return found
