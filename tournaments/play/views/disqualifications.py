"""Disqualify a player, and count the stack taken out."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import optional_number, reason_given, whole_number
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.event.selectors.event import players_left
from tournaments.models import ChipMovement, Elimination
from tournaments.play.selectors.ranking import place_of
from tournaments.play.services.elimination_details import obstacle_to_disqualify, out_disqualify
from tournaments.play.services.eliminations import (
    disqualification_count,
    entry_disqualify,
    obstacle_to_eliminate,
)
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.views.breaking import over
from tournaments.seating.views.tables import BAD_STACK, entry_or_404


@staff(Permission.DISQUALIFY, people=True, methods=("GET", "HEAD", "POST"))
def disqualify(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the effects of a disqualification; on POST, disqualify with a reason."""
    event, row = request.event, entry_or_404(request.event, entry)
    gone = Elimination.objects.live().filter(entry=row).first()
    if request.method == "POST" and gone is not None:
        reason = reason_given(request)
        action = out_disqualify(command_of(request), entry=row, reason=reason)
        return undoable_response(request, action)
    if request.method == "POST":
        action = entry_disqualify(
            command_of(request),
            entry=row,
            reason=reason_given(request),
            stack=optional_number(request, "stack", str(BAD_STACK)),
        )
        return undoable_response(request, action)
    if gone is not None:
        obstacle = obstacle_to_disqualify(row, gone)
    else:
        obstacle = over(event) or obstacle_to_eliminate(event, row)
    context = {
        "event": event,
        "entry": row,
        "seating": seating_of(row),
        "obstacle": obstacle,
        "place": place_of(event, row) if gone else players_left(event),
        "is_out": gone is not None,
    }
    return render(request, "director/disqualify.html", context)


@staff(Permission.DISQUALIFY, people=True, methods=("GET", "HEAD", "POST"))
def count_stack(request: StaffRequest, entry: int) -> HttpResponse:
    """Ask for and record the uncounted stack of a disqualified player."""
    row = entry_or_404(request.event, entry)
    if request.method == "POST":
        stack = whole_number(request, "stack", str(BAD_STACK))
        return undoable_response(
            request, disqualification_count(command_of(request), entry=row, stack=stack)
        )
    taken = ChipMovement.objects.live().filter(
        entry=row, reason=ChipMovement.Reason.DISQUALIFICATION
    )
    if not taken.exists():
        raise Http404(_("Hier ist kein Stapel zu zählen."))
    counted = not taken.filter(amount=None).exists()
    context = {
        "event": request.event,
        "entry": row,
        "obstacle": _("Dieser Stapel ist schon gezählt.") if counted else None,
    }
    return render(request, "director/count_stack.html", context)
