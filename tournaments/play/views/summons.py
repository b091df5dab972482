"""Calls for the director: one tap on the arbiter's phone, two on the director's laptop."""

from typing import Any

from django.http import HttpResponse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, undoable_response
from tournaments.models import Table
from tournaments.play.selectors.calls import WORDS, summons_of, word_of
from tournaments.play.services.calls import director_call, director_come, director_settle
from tournaments.seating.services.seats import live_table_by_number


@staff(Permission.SEE_FLOOR, people=True, methods=("POST",), accepts_offline=True)
def call(request: StaffRequest, number: int) -> HttpResponse:
    """Call the director to a table."""
    row = live_table_by_number(request.event, number)
    reason = request.POST.get("reason", "")
    return undoable_response(request, director_call(command_of(request), table=row, reason=reason))


@staff(Permission.MANAGE, people=True, methods=("POST",))
def come(request: StaffRequest, number: int) -> HttpResponse:
    """Record that the director is on the way."""
    row = live_table_by_number(request.event, number)
    return undoable_response(request, director_come(command_of(request), table=row))


@staff(Permission.SEE_FLOOR, people=True, methods=("POST",), accepts_offline=True)
def settle(request: StaffRequest, number: int) -> HttpResponse:
    """Record that the call is settled."""
    row = live_table_by_number(request.event, number)
    return undoable_response(request, director_settle(command_of(request), table=row))


def summons_shown(table: Table | None) -> dict[str, Any]:
    """Return a table's open call and the words to call with, for its page."""
    row = summons_of(table) if table is not None else None
    word = word_of(row.reason) if row is not None else ""
    return {"summons": row, "summons_word": word, "summons_words": list(WORDS.items())}
