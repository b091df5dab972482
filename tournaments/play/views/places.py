"""The director decides: a place by hand, with a reason; the time of a late tap."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
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
from tournaments.models import LateTap
from tournaments.play.selectors.late_taps import late_questions
from tournaments.play.selectors.ranking import place_of
from tournaments.play.services.late_taps import late_tap_accept, late_tap_refuse
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


@staff(Permission.MANAGE, people=True, methods=("GET", "HEAD", "POST"))
def late_tap(request: StaffRequest, tap: int) -> HttpResponse:
    """Show what the claimed time would pass; on POST, decide."""
    if request.method == "POST":
        does = late_tap_accept if request.POST.get("decision") == "accept" else late_tap_refuse
        return undoable_response(request, does(command_of(request), tap=LateTap(pk=tap)))
    get_object_or_404(LateTap, event=request.event, pk=tap)
    found = [one for one in late_questions(request.event) if one.tap.pk == tap]
    context = {"event": request.event, "question": found[0] if found else None}
    return render(request, "director/late_tap.html", context)
