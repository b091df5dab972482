"""The bubble for director and arbiters: hand-for-hand, head counts, the money."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from clock.selectors import clock_state
from clock.tasks import speech_make
from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    present,
    undoable_response,
    whole_number,
)
from tournaments.event.domain.games import MOST_SEATS
from tournaments.event.forms.schedule import InstantForm
from tournaments.event.selectors.clock import clock_at
from tournaments.event.selectors.event import without_chips
from tournaments.event.selectors.level_words import level_in_words
from tournaments.event.views.context import page_context
from tournaments.event.views.events import WRONG
from tournaments.models import Action, Event, Seating
from tournaments.play.domain.bubble import HeadState
from tournaments.play.selectors.bubble import (
    Bubble,
    TableState,
    bubble_of,
    difference,
    tables_named,
    waits_for_break,
    why_not_in_the_money,
)
from tournaments.play.selectors.level_in_force import in_force_then, reason_of
from tournaments.play.selectors.rooms import common_round, other_rooms, rooms_behind, rooms_together
from tournaments.play.services.bubble import (
    hand_for_hand_begin,
    hand_for_hand_end,
    heads_check,
    money_reach,
    obstacle_to_hand_for_hand,
    obstacle_to_release,
    round_release,
    table_report,
)
from tournaments.play.services.places import closing_announce
from tournaments.post.selectors.announcements import in_each_language, said_by
from tournaments.rebuys.selectors.offers import may_come_in
from tournaments.seating.selectors.conduct import walking
from tournaments.seating.services.seats import live_table_by_number

INCOMPLETE = lazy("Die Anfrage ist unvollständig. Bitte neu laden.")
MOST_COUNTED = 999_999
MOST_TABLES = 24  # limit for listing tables one by one


@staff(Permission.LEAD_BUBBLE, people=True, methods=("POST",))
def begin(request: StaffRequest) -> HttpResponse:
    """Announce hand-for-hand in the hall."""
    by_itself, rooms = "by_itself" in request.POST, "rooms" in request.POST
    action = hand_for_hand_begin(command_of(request), by_itself=by_itself, rooms=rooms)
    return _spoken_response(request, action)


@staff(Permission.LEAD_BUBBLE, people=True, methods=("POST",))
def release(request: StaffRequest) -> HttpResponse:
    """Release the next hand to all tables; with `all` those that still play are reported done."""
    after = whole_number(request, "after", str(INCOMPLETE), most=MOST_COUNTED)
    all_done = "all" in request.POST
    action = round_release(command_of(request), after=after, all_done=all_done)
    return _spoken_response(request, action)


@staff(Permission.LEAD_BUBBLE, people=True, methods=("POST",))
def end(request: StaffRequest) -> HttpResponse:
    """End hand-for-hand."""
    return _spoken_response(request, hand_for_hand_end(command_of(request)))


@staff(Permission.LEAD_BUBBLE, people=True, methods=("POST",))
def money(request: StaffRequest) -> HttpResponse:
    """Announce that all remaining players are paid."""
    return _spoken_response(request, money_reach(command_of(request)))


@staff(Permission.RUN_HANDS, people=True, methods=("POST",), accepts_offline=True)
def reported(request: StaffRequest, number: int) -> HttpResponse:
    """Record that a table has finished its hand; the toast offers the undo."""
    row = live_table_by_number(request.event, number)
    command = command_of(request)
    finished = whole_number(request, "round", str(INCOMPLETE), most=MOST_COUNTED)
    action = table_report(command, table=row, number=finished)
    return _spoken_response(request, action)


@staff(Permission.COUNT_HEADS, people=True, methods=("POST",), accepts_offline=True)
def heads(request: StaffRequest, number: int) -> HttpResponse:
    """Record a table's head count."""
    row = live_table_by_number(request.event, number)
    players = whole_number(request, "players", str(INCOMPLETE), most=MOST_COUNTED)
    return undoable_response(request, heads_check(command_of(request), table=row, players=players))


@staff(Permission.SEE_FLOOR, people=True)
def floor_panel(request: StaffRequest, number: int) -> HttpResponse:
    """Return a table's panel near the money, for an open page."""
    return render(request, "floor/hand_for_hand.html", floor_shown(request, number))


def floor_shown(request: StaffRequest, number: int) -> dict[str, Any]:
    """Return the data of a table's panel near the money; empty before that."""
    event, actor = request.event, request.actor
    bubble = bubble_of(event, [number])
    table = next((row for row in bubble.tables if row.number == number), None)
    own = table if table and not event.is_over else None
    # In no hand that may eliminate, once all are in.
    counts = bubble.is_near and bool(own) and allows(actor, Permission.COUNT_HEADS)
    if counts and bubble.round is None:
        counts = not may_come_in(event, present(event))
    elif own and own.is_awaited:
        counts = False
    all_done = bubble.round is not None and not bubble.awaited
    return {
        "event": event,
        "number": number,
        "bubble": bubble,
        "own": own,
        "awaited": tables_named([other for other in bubble.awaited if other != number]),
        "stays": waits_for_break(event, present(event)) if all_done else "",
        "may_report": allows(actor, Permission.RUN_HANDS),
        "may_eliminate": allows(actor, Permission.ELIMINATE),
        "heads": _heads(event, own) if own and counts else None,
    }


def _heads(event: Event, table: TableState) -> dict[str, Any]:
    players = table.heads.players
    return {
        "players": players,
        "fewer": players - 1,
        "more": players + 1,
        "others": [n for n in range(MOST_SEATS + 1) if abs(n - players) > 1],
        "agrees": table.heads.state is HeadState.AGREES,
        "among": _among_the_seated(event, table.number),
        "difference": difference(table.heads) if table.heads.state is HeadState.DIFFERS else "",
    }


def _among_the_seated(event: Event, number: int) -> str:
    """Return how many counted at a table have no chips or are on the way; empty for none."""
    seated = Seating.objects.live().filter(event=event, table__number=number)
    entries = tuple(seated.order_by("seat").values_list("entry", flat=True))
    held = len(without_chips(event).keys() & set(entries))
    coming = len(walking(event, entries))
    told = [
        (held, ngettext("einer ohne Chips", "%(count)s ohne Chips", held)),
        (coming, ngettext("einer noch unterwegs", "%(count)s noch unterwegs", coming)),
    ]
    words = ", ".join(text % {"count": count} for count, text in told if count)
    return _("Davon %(words)s.") % {"words": words} if words else ""


def bubble_shown(request: StaffRequest) -> dict[str, Any]:
    """Return the bubble's data for the director's page."""
    event, now = request.event, present(request.event)
    bubble = bubble_of(event)
    is_shown = event.has_started and not event.is_over and (
        bubble.round is not None
        or (bubble.is_near and not bubble.is_reached and not may_come_in(event, now))
    )  # fmt: skip
    if not is_shown:
        return {"bubble": None}
    rooms = rooms_together(event)
    rows = [row for row in bubble.tables if _is_to_be_seen(bubble, row)]
    done = sum(row.has_reported for row in bubble.tables)
    state = clock_state(event.clock, now) if bubble.round is not None else None
    return {
        "bubble": bubble,
        "rows": rows[:MOST_TABLES],
        "more": max(0, len(rows) - MOST_TABLES),
        "done": done,
        "asked": len(bubble.awaited) + done,
        "no_begin": str(obstacle_to_hand_for_hand(event, now) or ""),
        "no_release": str(obstacle_to_release(event, bubble.awaited, now) or ""),
        "no_end": bubble.is_round_open or bool(rooms_behind(event)),
        "rooms": rooms,
        "common": common_round(rooms) if rooms else None,
        "others": [] if rooms else other_rooms(event),
        "runs": state is not None and state.is_running,
        "is_break": state is not None and state.level.is_break,
        "no_money": why_not_in_the_money(bubble),
    }


def _is_to_be_seen(bubble: Bubble, row: TableState) -> bool:
    """Tell whether to list a table; in a large hall only tables with something to do."""
    if row.heads.is_alone:
        return bubble.round is not None
    if len(bubble.tables) <= MOST_TABLES:
        return True
    return row.is_awaited or (bubble.is_near and row.heads.state is not HeadState.AGREES)


def _spoken_response(request: StaffRequest, action: Action) -> HttpResponse:
    if "says" in action.payload:
        for language, text in in_each_language(lambda _language: said_by(action)).items():
            speech_make.delay(text, language)
    return undoable_response(request, action)


# --- The screens and a table's level in force at a past instant


@never_cache
@staff(Permission.SEE_FLOOR, people=False)
def at(request: StaffRequest) -> HttpResponse:
    """Show what the screens showed at an instant, and a table's level in force then."""
    event = request.event
    # A link may give only the table; the time is still to be typed.
    is_asked = "time" in request.GET
    form = InstantForm(request.GET if is_asked else None, initial=request.GET.dict())
    answer, there = None, None
    if form.is_valid() and (found := _past_instant(form, present(event))) is not None:
        answer = clock_at(event, found)
        there = _in_force(form, event, found)
    context = page_context(request, event, request.actor) | {
        "tab": "schedule",
        "may_manage": allows(request.actor, Permission.MANAGE),
        "instant_form": form,
        "answer": None if form.errors else answer,
        "there": there,
    }
    template = "events/clock_at_answer.html" if request.htmx else "events/clock_at.html"
    return render(request, template, context, status=WRONG if form.errors else 200)


def _past_instant(form: InstantForm, now: datetime) -> datetime | None:
    try:
        found = form.instant(timezone.localdate(now), now)
    except forms.ValidationError:
        form.add_error("time", _("Diese Uhrzeit gibt es an diesem Tag nicht eindeutig."))
        return None
    if found > now:
        form.add_error("time", _("Dieser Zeitpunkt kommt erst noch."))
        return None
    return found


def _in_force(form: InstantForm, event: Event, at: datetime) -> dict[str, Any] | None:
    number = form.cleaned_data["table"]
    if number is None or event.is_clock_only:
        return None
    found = in_force_then(event, number, at)
    if found is None:
        form.add_error("table", _("Diesen Tisch gab es zu diesem Zeitpunkt nicht."))
        return None
    return {
        "table": number,
        "level": found.level.number,
        "blinds": level_in_words(found.level, event),
        "is_behind": found.is_behind,
        "reason": reason_of(found),
    }


# --- The director's announcement of closing time


@staff(Permission.MANAGE, people=False, methods=("POST",))
def announce(request: StaffRequest) -> HttpResponse:
    """Announce that stacks are counted after two more levels; the toast offers the undo."""
    return undoable_response(request, closing_announce(command_of(request)))
