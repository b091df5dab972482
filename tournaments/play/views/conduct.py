"""Away, back, arrived, warned, penalised, on the clock: one tap each, on the arbiter's phone."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clock.domain import instant_ms
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    undoable_response,
    with_trigger,
)
from tournaments.models import ClockCall, ClockCallEnd, Event, Penalty, Seating
from tournaments.play.domain.calls import outcomes_at_zero
from tournaments.play.selectors.calls import call_rule, times_of
from tournaments.play.services.calls import (
    clock_call_run_out,
    clock_call_start,
    clock_call_stop,
    director_call,
    director_come,
    director_settle,
)
from tournaments.play.services.conduct import (
    entry_leave,
    entry_return,
    penalty_give,
    penalty_serve,
    seating_arrive,
    stack_bring,
)
from tournaments.play.views.floor_context import entry_or_404, picture_or_404
from tournaments.seating.selectors.conduct import penalties_of, walking
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.services.seats import live_table_by_number

# Common incidents, most frequent first; "" asks for free text.
MOST_OF_A_PENALTY = 9999
REASONS = {
    "out_of_turn": gettext_lazy("Außer der Reihe gehandelt"),
    "talking": gettext_lazy("Über die laufende Hand geredet"),
    "device": gettext_lazy("Handy am Tisch"),
    "cards": gettext_lazy("Karten gezeigt"),
    "slow": gettext_lazy("Spiel verzögert"),
    "manner": gettext_lazy("Umgangston"),
    "chips": gettext_lazy("Chips verdeckt oder vom Tisch genommen"),
    "instruction": gettext_lazy("Anweisung nicht befolgt"),
}
HANDS = (1, 2, 3, 5)
ROUNDS = (1, 2, 3, 4)


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",), accepts_offline=True)
def leave(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that a player left the seat."""
    row = entry_or_404(request.event, entry)
    return undoable_response(request, entry_leave(command_of(request), entry=row))


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",), accepts_offline=True)
def back(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that a player is back at the seat."""
    row = entry_or_404(request.event, entry)
    return undoable_response(request, entry_return(command_of(request), entry=row))


@staff(Permission.CONFIRM_SEAT, people=True, methods=("POST",), accepts_offline=True)
def arrived(request: StaffRequest, seating: int) -> HttpResponse:
    """Record that a player has arrived at the new seat."""
    row = _seating_or_404(request, seating)
    return undoable_response(request, seating_arrive(command_of(request), seatings=[row]))


@staff(Permission.CONFIRM_SEAT, people=True, methods=("POST",))
def all_arrived(request: StaffRequest, number: int) -> HttpResponse:
    """Record that all players sent to a table have arrived."""
    picture = picture_or_404(request.event, number)
    there = [seat.entry for seat in picture.seats if seat.entry]
    coming = walking(request.event, there)
    if not coming:
        raise Refused(_("An diesen Tisch ist niemand mehr unterwegs."), code="nobody")
    return undoable_response(request, seating_arrive(command_of(request), seatings=coming))


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",))
def stack(request: StaffRequest, seating: int) -> HttpResponse:
    """Record that an absent player's stack is at the new seat."""
    row = _seating_or_404(request, seating)
    return undoable_response(request, stack_bring(command_of(request), seating=row))


@staff(Permission.PENALISE, people=True, methods=("GET", "HEAD", "POST"), accepts_offline=True)
def penalty(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the warnings and penalties; on POST, give one with its reason."""
    row = entry_or_404(request.event, entry)
    if request.method == "POST":
        given = _amount(request.POST.get("give", ""))
        tapped, typed = REASONS.get(request.POST.get("reason", "")), request.POST.get("text", "")
        reason = ": ".join(str(part) for part in (tapped, typed.strip()) if part)
        action = penalty_give(command_of(request), entry=row, reason=reason, **given)
        return undoable_response(request, action)
    hands = [
        (f"hands-{count}", ngettext("%(count)d Hand", "%(count)d Hände", count) % {"count": count})
        for count in HANDS
    ]
    laps = ((count, ngettext("%(count)d Umlauf", "%(count)d Umläufe", count)) for count in ROUNDS)
    rounds = [(f"rounds-{count}", words % {"count": count}) for count, words in laps]
    context = {
        "event": request.event,
        "entry": row,
        "name": row.registration.person.name,
        "seating": seating_of(row),
        "penalties": penalties_of([row.pk]).get(row.pk, []),
        "is_warning": request.GET.get("give") == Penalty.Kind.WARNING,
        "amounts": [*hands, *rounds],  # the mildest first
        "reasons": REASONS.items(),
    }
    return render(request, "floor/penalty.html", context)


@staff(Permission.PENALISE, people=True, methods=("POST",))
def serve(request: StaffRequest, penalty: int) -> HttpResponse:
    """Record one missed hand at a table without taps."""
    row = get_object_or_404(Penalty, event=request.event, pk=penalty)
    left = whole(request.POST.get("left", ""), most=MOST_OF_A_PENALTY)
    if left is None:
        raise Refused(_("Die Anfrage ist unvollständig. Bitte neu laden."), code="bad_request")
    return undoable_response(request, penalty_serve(command_of(request), penalty=row, left=left))


def _amount(given: str) -> dict[str, Any]:
    kind, _dash, amount = given.partition("-")
    if kind == Penalty.Kind.WARNING and not amount:
        return {"kind": kind}
    hands = whole(amount, most=MOST_OF_A_PENALTY)
    if hands is None:
        raise Refused(_("Bitte wählen, wie viele Hände oder Umläufe."), code="bad_amount")
    return {"kind": kind, "amount": hands}


def _seating_or_404(request: StaffRequest, pk: int) -> Seating:
    row = Seating.objects.filter(event=request.event, pk=pk).first()
    if row is None:
        raise Http404(_("Diesen Platz gibt es hier nicht."))
    return row


# --- A player on the clock: start and outcome are taps, the phone counts


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
        "may_check": ClockCallEnd.Outcome.CHECK in outcomes_at_zero(call_rule(event)),
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
