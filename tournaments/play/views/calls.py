"""A player on the clock: start and outcome are taps, the phone counts."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from clock.domain import instant_ms
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    undoable_response,
    with_trigger,
)
from tournaments.models import ClockCall, ClockCallEnd, Event
from tournaments.play.domain.calls import Outcome, outcomes_at_zero
from tournaments.play.selectors.calls import call_rule, times_of
from tournaments.play.services.calls import (
    clock_call_run_out,
    clock_call_start,
    clock_call_stop,
    director_call,
    director_come,
    director_settle,
)
from tournaments.play.views.floor_context import entry_or_404
from tournaments.seating.services.seats import live_table_by_number


@staff(Permission.CALL_CLOCK, people=True, methods=("POST",))
def start(request: StaffRequest, entry: int) -> HttpResponse:
    """Put a player on the clock, and show the count."""
    row = entry_or_404(request.event, entry)
    has_watch = request.POST.get("watch") == "1"
    action = clock_call_start(command_of(request), entry=row, has_watch=has_watch)
    if not request.htmx:
        return action_response(request, action)
    call = ClockCall.objects.filter(made_by=action).first()
    if call is None:
        raise Http404
    return with_trigger(render(request, "floor/call.html", _shown(request.event, call)), action)


@staff(Permission.SEE_FLOOR, people=True)
def count(request: StaffRequest, call: int) -> HttpResponse:
    """Show the countdown of an open call."""
    row = _call_or_404(request.event, call)
    return render(request, "floor/call.html", _shown(request.event, row))


@staff(Permission.CALL_CLOCK, people=True, methods=("POST",))
def stop(request: StaffRequest, call: int) -> HttpResponse:
    """Record that the player acted."""
    row = _call_or_404(request.event, call)
    return undoable_response(request, clock_call_stop(command_of(request), call=row))


@staff(Permission.CALL_CLOCK, people=True, methods=("POST",))
def run_out(request: StaffRequest, call: int) -> HttpResponse:
    """Record the outcome after time ran out."""
    row = _call_or_404(request.event, call)
    outcome = request.POST.get("outcome", "")
    return undoable_response(
        request, clock_call_run_out(command_of(request), call=row, outcome=outcome)
    )


def _shown(event: Event, call: ClockCall) -> dict[str, Any]:
    """Return a call with the instants of its countdown, in the phone's milliseconds."""
    times = times_of(call, event)
    end = ClockCallEnd.objects.live().filter(call=call).first()
    return {
        "event": event,
        "call": call,
        "name": call.entry.registration.person.name,
        "now": instant_ms(present(event)),
        "thinking_from": instant_ms(times.thinking_from),
        "counting_from": instant_ms(times.counting_from),
        "ends_at": instant_ms(times.ends_at),
        "may_check": Outcome.CHECK in outcomes_at_zero(call_rule(event)),
        "is_ended": end is not None or call.voided_by_id is not None,
    }


def _call_or_404(event: Event, pk: int) -> ClockCall:
    rows = ClockCall.objects.select_related("entry__registration__person", "table")
    row = get_object_or_404(rows, event=event, pk=pk)
    if row.voided_by_id is not None:
        raise Http404(_("Das wurde inzwischen zurückgenommen."))
    return row


# --- Calls for the director: one tap on the arbiter's phone, two on the director's laptop


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
