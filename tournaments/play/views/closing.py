"""The director's announcement of closing time."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import get_language

from clock.domain.wording import Language
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.play.services.closing import closing_announce


@staff(Permission.MANAGE, people=False, methods=("POST",))
def announce(request: StaffRequest) -> HttpResponse:
    """Announce that stacks are counted after two more levels; the toast offers the undo."""
    language = Language.ENGLISH if get_language() == "en" else Language.GERMAN
    return undoable_response(request, closing_announce(command_of(request), language=language))
