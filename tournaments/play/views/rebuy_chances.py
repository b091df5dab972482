"""A player who does not use the held seat: out."""

from __future__ import annotations

from django.http import HttpResponse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.play.views.floor_context import entry_or_404


@staff(Permission.ELIMINATE, people=True, methods=("POST",), accepts_offline=True)
def decline(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that somebody does not re-buy."""
    row = entry_or_404(request.event, entry)
    return undoable_response(request, rebuy_decline(command_of(request), entry=row))
