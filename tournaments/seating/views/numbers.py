"""The director asks the hall for the number of a draw of many: frozen, collected, closed, drawn."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import optional_number, reason_given
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import action_response, undoable_response, with_trigger
from tournaments.models import Action, Event, FrozenDraw
from tournaments.seating.selectors.draw_tries import taken_back_so_far
from tournaments.seating.selectors.hall_numbers import frozen_in_vain, frozen_open, number_asked
from tournaments.seating.services.frozen import draw_call_off, draw_freeze, numbers_close
from tournaments.seating.services.seats import live_table_by_number


@staff(Permission.RESEAT, people=True)
def number_sheet(request: StaffRequest) -> HttpResponse:
    """Show what is frozen, how many phones gave a number, and what comes next."""
    return render(request, "director/number.html", _context(request.event))


@staff(Permission.RESEAT, people=True, methods=("POST",))
def freeze(request: StaffRequest) -> HttpResponse:
    """Fix what is going to be drawn, and show it."""
    number = optional_number(request, "table")
    table = live_table_by_number(request.event, number) if number is not None else None
    action = draw_freeze(
        command_of(request),
        purpose=request.POST.get("purpose", ""),
        table=table,
        reason=reason_given(request),
    )
    return _shown(request, action)


@staff(Permission.RESEAT, people=True, methods=("POST",))
def close(request: StaffRequest) -> HttpResponse:
    """Fix the list of those who gave a number; their phones open them now."""
    return _shown(request, numbers_close(command_of(request), frozen=_frozen(request)))


@staff(Permission.RESEAT, people=True, methods=("POST",))
def call_off(request: StaffRequest) -> HttpResponse:
    """Give up what is frozen."""
    return undoable_response(request, draw_call_off(command_of(request), frozen=_frozen(request)))


def bound_of(request: StaffRequest) -> dict[str, Any]:
    """Return what a form says of the frozen draw that is to be made; nothing without one."""
    frozen = _frozen(request)
    return {"frozen": frozen, "number": request.POST.get("number", "").strip()} if frozen else {}


def number_of(event: Event, kind: str, table: int = 0) -> dict[str, Any]:
    """Return what a sheet says before a draw of many: is its number asked for, how many tries."""
    frozen = frozen_open(event)
    return {
        "is_asked": frozen is not None and (frozen.kind, frozen.table) == (kind, table),
        "is_other": frozen is not None and (frozen.kind, frozen.table) != (kind, table),
        "taken_back": taken_back_so_far(event, kind, table),
        "in_vain": sum((row.kind, row.table) == (kind, table) for row in frozen_in_vain(event)),
    }


def _frozen(request: StaffRequest) -> int:
    return optional_number(request, "frozen") or 0


def _shown(request: StaffRequest, action: Action) -> HttpResponse:
    """Answer with the sheet as it is now; to a plain form with the director's page."""
    event = request.event
    if not request.headers.get("HX-Request"):
        return action_response(request, action, go_to=reverse("director", args=[event.slug]))
    event.refresh_from_db()
    return with_trigger(render(request, "director/number.html", _context(event)), action)


def _context(event: Event) -> dict[str, Any]:
    asked = number_asked(event, with_names=True)
    context: dict[str, Any] = {"event": event, "asked": asked}
    if asked:
        texts = getattr(asked.frozen.made_by, "text", None)
        context["reason"] = texts.data.get("reason", "") if texts else ""
        context["draw_url"] = _draw_url(event, asked.frozen)
    return context


def _draw_url(event: Event, frozen: FrozenDraw) -> str:
    if frozen.kind == "break":
        return reverse("table-break", args=[event.slug, frozen.table])
    names = {"field": "seats-draw", "redraw": "tables-redraw", "final": "final-table"}
    return reverse(names[frozen.kind], args=[event.slug])
