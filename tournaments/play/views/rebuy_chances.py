"""A player with a held seat declines the re-buy: eliminated."""

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.changes.access import Permission
from tournaments.changes.domain.numbers import numbers_in
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    undoable_response,
    with_trigger,
)
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.play.views.eliminations import sheet, stacks_asked
from tournaments.play.views.floor_context import entry_or_404


@staff(Permission.ELIMINATE, people=True, methods=("POST",), accepts_offline=True)
def decline(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that a player declines the re-buy; `other` are further players of that hand.

    The answer asks for open details: takers, or another player's re-buy.
    """
    row = entry_or_404(request.event, entry)
    others = [entry_or_404(request.event, one) for one in numbers_in(request.POST.getlist("other"))]
    action = rebuy_decline(command_of(request), entry=row, others=others)
    if not request.htmx:
        return undoable_response(request, action)
    shown = request.POST.copy()
    shown.setlist("entry", list(dict.fromkeys([str(entry), *shown.getlist("with")])))
    asked = stacks_asked(request.event, shown)
    context = sheet(request, asked)
    is_told = any(line["is_on"] for line in context["takers"])
    if not asked.held and (is_told or not context["takers"]):
        return undoable_response(request, action)
    return with_trigger(render(request, "floor/out.html", context), action)
