"""The director sets a place by hand, with a reason."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    reason_given,
    undoable_response,
    whole_number,
)
from tournaments.play.selectors.ranking import place_of
from tournaments.play.services.places import place_overrule
from tournaments.play.views.floor_context import entry_or_404


@staff(Permission.OVERRULE, people=True, methods=("GET", "HEAD", "POST"))
def overrule(request: StaffRequest, entry: int) -> HttpResponse:
    """Ask for an eliminated entry's place, and set it."""
    row = entry_or_404(request.event, entry)
    if request.method == "POST":
        action = place_overrule(
            command_of(request),
            entry=row,
            place=whole_number(request, "place", _("Ein Platz ist eine ganze Zahl.")),
            is_shared="shared" in request.POST,
            reason=reason_given(request),
        )
        return undoable_response(request, action)
    context = {"event": request.event, "entry": row, "place": place_of(request.event, row)}
    return render(request, "director/overrule.html", context)
