"""The stack of each player: its chips, the number of sets, the colour-ups."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.selectors import clock_levels
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of, present
from tournaments.event.selectors.chips import chips_leaving, dealing_of, levels_with_plan
from tournaments.event.selectors.clock import rows_begun
from tournaments.event.selectors.settings.door import CAPACITY_LIMIT
from tournaments.event.services.chip_sets import event_chips_choose
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.event.views.context import page_context
from tournaments.models import ChipSet


@never_cache
@staff(Permission.MANAGE, people=False)
def chips(request: StaffRequest) -> HttpResponse:
    """Show each player's stack for the requested number of players."""
    event = request.event
    players, leaving = _players(request), chips_leaving(event)
    context = page_context(request, event, request.actor) | {
        "tab": "chips",
        "players": players,
        "dealing": dealing_of(event, players),
        "leaving": leaving,
        "is_unplanned": not all(row.is_planned for row in leaving),
        "chip_sets": ChipSet.objects.filter(club=event.club_id).order_by("name"),
    }
    return render(request, "events/chips.html", context)


@never_cache
@staff(Permission.CHECK_IN, people=False)
def sheet(request: StaffRequest) -> HttpResponse:
    """Show the stacks to lay out, on paper."""
    event, players = request.event, _players(request)
    dealing = dealing_of(event, players)
    context = page_context(request, event, request.actor) | {
        "dealing": dealing,
        "lines": [
            (row, row.count * event.seats_per_table, row.count * players)
            for row in (dealing.pieces if dealing else ())
        ],
        "leaving": chips_leaving(event),
    }
    return render(request, "print/chips.html", context)


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def choose(request: StaffRequest) -> HttpResponse:
    """Choose another of the club's chip sets."""
    typed = request.POST.get("chips", "")
    is_number = typed.isascii() and typed.isdecimal()
    row = ChipSet.objects.filter(pk=int(typed)).first() if is_number else None
    if row is None:
        raise Refused(_("Diese Chips gibt es nicht mehr."), code="gone")
    action = event_chips_choose(command_of(request), chip_set=row)
    return action_response(request, action, go_to=_here(request))


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def plan(request: StaffRequest) -> HttpResponse:
    """Write the colour-ups into the schedule."""
    event = request.event
    _position, begun = rows_begun(event, present(event))
    wanted = levels_with_plan(event, begun)
    seen = [level.id for level in clock_levels(event.clock)]
    action = schedule_edit(command_of(request), levels=wanted, based_on=seen)
    return action_response(request, action, go_to=_here(request))


def _here(request: StaffRequest) -> str:
    return reverse("event-chips", args=[request.event.slug])


def _players(request: StaffRequest) -> int:
    """Return the requested number of players, else the capacity."""
    typed = request.GET.get("spieler", "")
    asked = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 7 else 0
    return min(asked, CAPACITY_LIMIT) or request.event.capacity
