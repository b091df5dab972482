"""The tap for a table's next hand, and its level in force."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, allows
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
from tournaments.event.selectors.chips import stacks_counted_now
from tournaments.event.selectors.level_words import level_in_words
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Event, Table
from tournaments.play.forms.stacks import RaceForm, TableStacksForm
from tournaments.play.selectors.calls import call_open_at
from tournaments.play.selectors.level_in_force import reason_of, table_in_force, tables_behind
from tournaments.play.selectors.stacks import (
    counting_of,
    names_of_seats,
    race_due,
    race_made,
    race_seats,
    race_tables,
)
from tournaments.play.services.hands import button_mark, hand_begin, obstacle_to_play
from tournaments.play.services.stacks import chip_race, stacks_count
from tournaments.seating.selectors.button import Known, hand_to_come, old_in_s
from tournaments.seating.selectors.tables import tables_seated
from tournaments.seating.services.seats import live_table_by_number


@staff(Permission.RUN_HANDS, people=True, methods=("POST",), accepts_offline=True)
def begin(request: StaffRequest, number: int) -> HttpResponse:
    """Record that a table's next hand begins; the button confirms and offers the undo."""
    row = live_table_by_number(request.event, number)
    action = hand_begin(command_of(request), table=row)
    if request.headers.get("HX-Target") != "hand-begun":
        return undoable_response(request, action)
    undo_url = reverse("action-undo", args=[request.event.slug, action.pk])
    context = {"hand": action.payload["hand"], "began_at": action.at, "undo_url": undo_url}
    return with_trigger(render(request, "floor/hand_begun.html", context), action, closes=True)


@staff(Permission.SEE_FLOOR, people=True)
def button(request: StaffRequest, number: int) -> HttpResponse:
    """Show button, blinds and waiting players of a table's next hand."""
    row = Table.objects.live().filter(event=request.event, number=number).first()
    # An open page of a table just broken asks once more: answer empty.
    context = {**button_shown(request, row), "is_swapped": True} if row else {}
    return render(request, "floor/floor_button.html", context)


@staff(Permission.RUN_HANDS, people=True, methods=("GET", "POST"))
def mark(request: StaffRequest, number: int) -> HttpResponse:
    """Ask for the button; a tap on a seat sets it, or begins the next hand with it."""
    event, row = request.event, live_table_by_number(request.event, number)
    if request.method == "POST":
        raw = request.POST.get("seat", "")
        seat = whole(raw, most=99)
        if raw and seat is None:
            raise Refused(_("Das ist kein Platz."), code="no_seat")
        if seat is not None and "begins" in request.POST:
            action = hand_begin(command_of(request), table=row, button=seat)
        else:
            action = button_mark(command_of(request), table=row, seat=seat)
        return undoable_response(request, action)
    now = present(event)
    to_come = hand_to_come(event, row, now)
    known = to_come.known
    context = {
        "event": event,
        "number": row.number,
        "seats": [
            {
                "number": seat,
                "name": to_come.names.get(seat, ""),
                "is_known": seat == known.button and not known.is_old,
            }
            for seat in range(1, row.chairs + 1)
        ],
        "is_known": known.button is not None or known.is_old,
        "may_begin": obstacle_to_play(event, row, now) is None,
    }
    return render(request, "floor/floor_button_sheet.html", context)


@staff(Permission.SEE_FLOOR, people=True)
def in_force(request: StaffRequest, number: int) -> HttpResponse:
    """Show a table's level in force, with the reason."""
    row = live_table_by_number(request.event, number)
    return render(request, "floor/floor_in_force.html", in_force_shown(request, row))


def in_force_shown(request: StaffRequest, table: Table) -> dict[str, Any]:
    """Return a table's level in force and its reason, for the panel."""
    event, now = request.event, present(request.event)
    answer = table_in_force(event, table, now)
    return {
        "event": event,
        "number": table.number,
        "in_force": answer,
        "in_force_again_s": old_in_s(event, answer.hand.at, now)
        if answer.hand and answer.is_behind
        else None,
        "blinds": level_in_words(answer.level, event),
        "reason": reason_of(answer),
        "call": call_open_at(event, table),
        "may_tap": allows(request.actor, Permission.RUN_HANDS),
    }


def button_shown(request: StaffRequest, table: Table, known: Known | None = None) -> dict[str, Any]:
    """Return the posts of a table's next hand, each with seat and player."""
    event, now = request.event, present(request.event)
    to_come = hand_to_come(event, table, now, known)
    posts, names = to_come.posts, to_come.names

    def who(seat: int) -> dict[str, Any]:
        return {"seat": seat, "name": names.get(seat, "")}

    obstacle = obstacle_to_play(event, table, now)
    may_tap = allows(request.actor, Permission.RUN_HANDS)
    is_heads_up = posts is not None and posts.button == posts.small_blind
    return {
        "event": event,
        "number": table.number,
        "is_first": not to_come.known.hand
        and to_come.known.since is None
        and not to_come.known.is_old,
        "last_known": to_come.known if to_come.known.is_old else None,
        "button_again_s": old_in_s(event, to_come.known.said_at, now) if posts else None,
        "is_stud": to_come.is_stud,
        "frozen": to_come.known.button,
        "is_heads_up": is_heads_up,
        "button": who(posts.button) if posts else None,
        "small_blind": who(posts.small_blind) if posts else None,
        "big_blind": who(posts.big_blind) if posts else None,
        "waits": [who(seat) for seat in sorted(posts.waits)] if posts else [],
        "has_players": len(names) > 1,
        "no_hand": str(obstacle) if obstacle else "",
        "may_tap": may_tap,
        "may_mark": may_tap and not event.is_over,
    }


def behind_shown(event: Event) -> list[dict[str, Any]]:
    """Return the tables that still play another level than the announced one."""
    return [
        {
            "number": number,
            "level": answer.level.number,
            "blinds": level_in_words(answer.level, event),
            "reason": reason_of(answer),
        }
        for number, answer in tables_behind(event, present(event))
    ]


# --- Count stacks in a break: the tables done, the check of the sum, one table


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
def counts(request: StaffRequest) -> HttpResponse:
    """Show the counted tables, and the difference from the chips in play."""
    event = request.event
    context = page_context(request, event, request.actor) | {
        "is_open": _is_open(event),
        "counting": counting_of(event, present(event)) if _is_open(event) else None,
        "may_count": allows(request.actor, Permission.COUNT_HEADS),
    }
    return render(request, "floor/stacks.html", context)


@never_cache
@staff(Permission.COUNT_HEADS, people=True, methods=FORM_METHODS)
def count(request: StaffRequest, number: int) -> HttpResponse:
    """Ask for the stack of each seat at a table, then return to all tables."""
    event, row = request.event, _table_or_404(request.event, number)
    seats = names_of_seats(tables_seated(event, [number])[number].players)
    known = stacks_counted_now(event, present(event)) if _is_open(event) else {}
    sent = request.POST if request.method == "POST" else None
    initial = {f"stack_{entry}": known.get(entry) for entry, _name in seats.values()}
    form = TableStacksForm(sent, seats=seats, initial=initial)
    if sent is not None and form.is_valid():
        action = attempt(
            form, lambda: stacks_count(command_of(request), table=row, stacks=form.stacks())
        )
        if action:
            there = reverse("stack-counts", args=[event.slug])
            return action_response(request, action, go_to=there)
    context = page_context(request, event, request.actor) | {
        "number": number,
        "is_open": _is_open(event),
        "form": form,
    }
    return render(request, "floor/stacks_table.html", context, status=WRONG if form.errors else 200)


def _is_open(event: Event) -> bool:
    return event.has_started and not event.is_over


def _table_or_404(event: Event, number: int) -> Table:
    row = Table.objects.live().filter(event=event, number=number).first()
    if row is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    return row


# --- The chip race: the tables done, and the exchange at one table


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
def races(request: StaffRequest) -> HttpResponse:
    """Show the tables at which chips leave play."""
    event = request.event
    due = race_due(event, present(event))
    context = page_context(request, event, request.actor) | {
        "due": due,
        "tables": race_tables(event, due) if due else [],
        "may_race": allows(request.actor, Permission.COUNT_HEADS),
    }
    return render(request, "floor/races.html", context)


@never_cache
@staff(Permission.COUNT_HEADS, people=True, methods=FORM_METHODS)
def race(request: StaffRequest, number: int) -> HttpResponse:
    """Ask for each seat's chips that leave play; afterwards show the chips won."""
    event, row = request.event, _table_or_404(request.event, number)
    due = race_due(event, present(event))
    sent = request.POST if request.method == "POST" else None
    seats = names_of_seats(tables_seated(event, [number])[number].players)
    form = RaceForm(sent, seats=seats, values=due.values if due else ())
    if sent is not None and form.is_valid():
        action = attempt(
            form,
            lambda: chip_race(command_of(request), table=row, held=form.held(), broke=form.broke()),
        )
        if action:
            here = reverse("floor-race", args=[event.slug, number])
            return action_response(request, action, go_to=here)
    made = race_made(event, number, due) if due else None
    context = page_context(request, event, request.actor) | {
        "number": number,
        "due": due,
        "form": form,
        "made": made,
        "seats": race_seats(made) if made else [],
    }
    return render(request, "floor/race.html", context, status=WRONG if form.errors else 200)
