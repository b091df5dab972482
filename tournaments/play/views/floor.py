"""The arbiter's pages: tables, one table from above, one player; one tap each for their conduct.

Their data comes from `floor_context`; eliminations are in `eliminations`.
"""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clock.domain import instant_ms
from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Service
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
from tournaments.event.selectors.event import is_stage
from tournaments.event.views.context import page_context
from tournaments.models import ClockCall, ClockCallEnd, Event, Penalty, Seating
from tournaments.play.domain.calls import outcomes_at_zero
from tournaments.play.selectors.calls import times_of
from tournaments.play.selectors.stacks import race_due
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
from tournaments.play.views import floor_context as shown
from tournaments.play.views.bubble import floor_shown as bubble_shown
from tournaments.seating.selectors.conduct import penalties_of, walking
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.services.seats import live_table_by_number
from tournaments.seating.services.tables import dealer_draw_make, dealers_draw


@staff(Permission.SEE_FLOOR, people=True)
def tables(request: StaffRequest) -> HttpResponse:
    """Show all tables with their number of players, and a search field.

    Without a tournament, show the cash tables.
    """
    if request.event.is_cash_only:
        return redirect("cash-game", request.event.slug)
    context = page_context(request, request.event, request.actor)
    may_announce = allows(request.actor, Permission.ANNOUNCE)
    context |= {"may_announce": may_announce, **shown.tables(request)}
    context["takes_bags"] = is_stage(request.event)
    context["race"] = race_due(request.event, present(request.event))
    return render(request, "floor/tables.html", context)


@staff(Permission.SEE_FLOOR, people=True)
def table_list(request: StaffRequest) -> HttpResponse:
    """Return the list of tables, for an open page."""
    return render(request, "floor/floor_tables.html", shown.tables(request))


@staff(Permission.SEE_FLOOR, people=True)
def find(request: StaffRequest) -> HttpResponse:
    """Find players by parts of their names, and tables by number."""
    context = shown.found(request.event, request.GET.get("q", ""))
    return render(request, "floor/found.html", context)


@staff(Permission.SEE_FLOOR, people=True)
def table(request: StaffRequest, number: int) -> HttpResponse:
    """Show one table from above, every seat a target for the thumb."""
    context = page_context(request, request.event, request.actor)
    context |= {**shown.table(request, number), **bubble_shown(request, number)}
    context["reasons"] = REASONS.items()
    return render(request, "floor/table.html", context)


@staff(Permission.SEE_FLOOR, people=True)
def table_panel(request: StaffRequest, number: int) -> HttpResponse:
    """Return the panel of a table, for an open page."""
    context = {**shown.table(request, number), "is_swapped": True}
    return render(request, "floor/floor_table.html", context)


@staff(Permission.SEE_FLOOR, people=True)
def player(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the actions for one player, and the devices allowed to do the rest."""
    return render(request, "floor/player.html", shown.player(request, entry))


@staff(Permission.DRAW_DEALER, people=True, methods=("POST",))
def dealer(request: StaffRequest, number: int) -> HttpResponse:
    """Draw the first dealer of a table and show the cards."""
    row = shown.picture_or_404(request.event, number).table
    action = dealer_draw_make(command_of(request), table=row)
    if not request.htmx:
        return action_response(request, action)
    context = shown.cards(request.event, row, undo=action)
    return with_trigger(render(request, "floor/cards.html", context), action)


@staff(Permission.DRAW_DEALER, people=True, methods=("POST",))
def dealers(request: StaffRequest) -> HttpResponse:
    """Draw the first dealer of every table without one, and show them table by table."""
    action = dealers_draw(command_of(request))
    if not request.htmx:
        return action_response(request, action)
    context = shown.dealers(request.event, action)
    return with_trigger(render(request, "floor/dealers.html", context), action)


@staff(Permission.SEE_FLOOR, people=True)
def cards(request: StaffRequest, number: int) -> HttpResponse:
    """Show the cards of a table's first-dealer draw again."""
    row = shown.picture_or_404(request.event, number).table
    return render(request, "floor/cards.html", shown.cards(request.event, row))


# --- Away, back, arrived, warned, penalised


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
    return _act(request, entry_leave, entry=shown.entry_or_404(request.event, entry))


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",), accepts_offline=True)
def back(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that a player is back at the seat."""
    return _act(request, entry_return, entry=shown.entry_or_404(request.event, entry))


@staff(Permission.CONFIRM_SEAT, people=True, methods=("POST",), accepts_offline=True)
def arrived(request: StaffRequest, seating: int) -> HttpResponse:
    """Record that a player has arrived at the new seat."""
    return _act(request, seating_arrive, seatings=[_seating_or_404(request, seating)])


@staff(Permission.CONFIRM_SEAT, people=True, methods=("POST",))
def all_arrived(request: StaffRequest, number: int) -> HttpResponse:
    """Record that all players sent to a table have arrived."""
    picture = shown.picture_or_404(request.event, number)
    there = [seat.entry for seat in picture.seats if seat.entry]
    coming = walking(request.event, there)
    if not coming:
        raise Refused(_("An diesen Tisch ist niemand mehr unterwegs."), code="nobody")
    return _act(request, seating_arrive, seatings=coming)


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",))
def stack(request: StaffRequest, seating: int) -> HttpResponse:
    """Record that an absent player's stack is at the new seat."""
    return _act(request, stack_bring, seating=_seating_or_404(request, seating))


@staff(Permission.PENALISE, people=True, methods=("GET", "HEAD", "POST"), accepts_offline=True)
def penalty(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the warnings and penalties; on POST, give one with its reason."""
    row = shown.entry_or_404(request.event, entry)
    if request.method == "POST":
        given = _amount(request.POST.get("give", ""))
        tapped, typed = REASONS.get(request.POST.get("reason", "")), request.POST.get("text", "")
        reason = ": ".join(str(part) for part in (tapped, typed.strip()) if part)
        return _act(request, penalty_give, entry=row, reason=reason, **given)
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
    return _act(request, penalty_serve, penalty=row, left=left)


def _act(request: StaffRequest, service: Service[Any], **own: Any) -> HttpResponse:
    return undoable_response(request, service(command_of(request), **own))


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
    row = shown.entry_or_404(request.event, entry)
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
    return _act(request, clock_call_stop, call=_call_or_404(request.event, call))


@staff(Permission.CALL_CLOCK, people=True, methods=("POST",))
def run_out(request: StaffRequest, call: int) -> HttpResponse:
    """Record the outcome after time ran out."""
    row, outcome = _call_or_404(request.event, call), request.POST.get("outcome", "")
    return _act(request, clock_call_run_out, call=row, outcome=outcome)


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
        "may_check": ClockCallEnd.Outcome.CHECK in outcomes_at_zero(event.rule_set.clock),
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
    return _act(request, director_call, table=row, reason=request.POST.get("reason", ""))


@staff(Permission.MANAGE, people=True, methods=("POST",))
def come(request: StaffRequest, number: int) -> HttpResponse:
    """Record that the director is on the way."""
    return _act(request, director_come, table=live_table_by_number(request.event, number))


@staff(Permission.SEE_FLOOR, people=True, methods=("POST",), accepts_offline=True)
def settle(request: StaffRequest, number: int) -> HttpResponse:
    """Record that the call is settled."""
    return _act(request, director_settle, table=live_table_by_number(request.event, number))
