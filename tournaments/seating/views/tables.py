"""The director's work on the floor: draw seats, open and close tables, move players."""

import re
from collections import Counter
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    number_given,
    optional_number,
    place,
    present,
    reason_given,
    undoable_response,
    whole_number,
)
from tournaments.event.selectors.event import entries_live_count, entry_names, final_seats
from tournaments.event.views.context import over, page_context
from tournaments.models import Entry, Event, KeepApart, Registration, Seating
from tournaments.seating.selectors.balancing import floor_advice, next_step
from tournaments.seating.selectors.draws import taken_back_so_far
from tournaments.seating.selectors.tables import (
    MOST_TABLES,
    break_shares,
    seating_of,
    table_counts,
    table_far_short,
    tables_live,
    tables_open_to,
)
from tournaments.seating.services.breaking import (
    final_table_draw,
    next_broken,
    obstacle_to_break,
    obstacle_to_final_table,
    obstacle_to_redraw,
    table_break,
    tables_for_redraw,
    tables_redraw,
)
from tournaments.seating.services.chairs import (
    chair_add,
    keep_apart_drop,
    keep_apart_wish,
    table_halt,
)
from tournaments.seating.services.seats import (
    draw_hall_number_set,
    live_table_by_number,
    seats_draw,
)
from tournaments.seating.services.tables import (
    balance_round,
    balance_step,
    entry_move,
    table_close,
    table_open,
)

BAD_STACK = gettext_lazy("Ein Stapel ist eine ganze Zahl von Chips.")


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def draw_seats(request: StaffRequest) -> HttpResponse:
    """Show how many entries need a seat; on POST, draw all their seats."""
    event = request.event
    if request.method == "POST":
        action = seats_draw(command_of(request), number=number_given(request))
        return undoable_response(request, action)
    context = {
        "event": event,
        "obstacle": over(event),
        "players": entries_live_count(event),
        "taken_back": taken_back_so_far(event, "field"),
    }
    return render(request, "director/seats_draw.html", context)


@staff(Permission.MANAGE, people=True, methods=("POST",))
def hall_number(request: StaffRequest) -> HttpResponse:
    """Bind the number called out in the hall for all later draws."""
    action = draw_hall_number_set(command_of(request), number=number_given(request))
    return undoable_response(request, action)


@staff(Permission.RESEAT, people=True, methods=("POST",))
def open_table(request: StaffRequest) -> HttpResponse:
    count = optional_number(request, "count")
    return undoable_response(
        request, table_open(command_of(request), count=1 if count is None else count)
    )


@staff(Permission.RESEAT, people=True, methods=("POST",))
def close_table(request: StaffRequest, number: int) -> HttpResponse:
    table = live_table_by_number(request.event, number)
    return undoable_response(request, table_close(command_of(request), table=table))


@staff(Permission.RESEAT, people=True, methods=("POST",))
def add_chair(request: StaffRequest, number: int) -> HttpResponse:
    table = live_table_by_number(request.event, number)
    return undoable_response(request, chair_add(command_of(request), table=table))


@staff(Permission.RESEAT, people=True, methods=("POST",))
def balance(request: StaffRequest) -> HttpResponse:
    action = balance_step(
        command_of(request),
        entry=entry_or_404(request.event, whole_number(request, "entry")),
        from_table=whole_number(request, "from_table"),
        to_table=whole_number(request, "to_table"),
        to_seat=whole_number(request, "to_seat"),
    )
    return undoable_response(request, action)


MOVE = re.compile(r"(\d{1,18})-(\d{1,5})-(\d{1,5})-(\d{1,2})", re.ASCII)


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def balance_all(request: StaffRequest) -> HttpResponse:
    """Show the moves that are due with the numbers of players after them; on POST, make all."""
    event = request.event
    if request.method == "POST":
        found = [MOVE.fullmatch(text) for text in request.POST.getlist("move")]
        seen = [tuple(map(int, one.groups())) for one in found if one is not None]
        return undoable_response(request, balance_round(command_of(request), moves=seen))
    moves = floor_advice(event, present(event)).round
    names = entry_names({move.entry for move in moves})
    change = Counter(move.to_table for move in moves)
    change.subtract(move.from_table for move in moves)
    context = {
        "event": event,
        "tables": [
            (count.number, count.players, count.players + change[count.number])
            for count in table_counts(event)
        ],
        "moves": [(move, names[move.entry]) for move in moves],
    }
    return render(request, "director/balance.html", context)


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def move(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the free seats of the hall; on POST, move the player to the chosen one."""
    event, row = request.event, entry_or_404(request.event, entry)
    if request.method == "POST":
        target = place(request, "to")
        if target is None:
            raise Refused(_("Bitte einen freien Platz wählen."), code="no_seat")
        number, seat = target
        action = entry_move(
            command_of(request),
            entry=row,
            table=live_table_by_number(event, number),
            seat=seat,
            reason=reason_given(request),
            moved_from=place(request, "moved_from"),
        )
        return undoable_response(request, action)
    return render(request, "director/move.html", _move_choices(request, row))


def _move_choices(request: StaffRequest, entry: Entry) -> dict[str, Any]:
    event, seating = request.event, seating_of(entry)
    asked = request.GET.get("table", "").strip()
    step = next_step(event, present(event)) if not event.is_over else None
    asks = step.asks if step else ()
    obstacle, choices = over(event), []
    if seating is None:
        obstacle = obstacle or _("Dieser Teilnehmer sitzt an keinem Tisch.")
    elif not obstacle:
        choices = tables_open_to(event, seating, number=whole(asked))
    return {
        "event": event,
        "entry": entry,
        "seating": seating,
        "obstacle": obstacle,
        "choices": choices,
        "step": None if asks else step,
        "asks": asks,
        "is_due": step is not None and not asks and step.entry == entry.pk,
        "step_name": entry_names({step.entry}).get(step.entry, "") if step else "",
        "asked": asked,
        "is_large": len(tables_live(event)) > MOST_TABLES,
    }


def entry_or_404(event: Event, pk: int) -> Entry:
    rows = Entry.objects.live().select_related("registration__person")
    return get_object_or_404(rows, event=event, pk=pk)


# --- A table that is far short: halt it or let it play on (TDA 2024 11-D)


@staff(Permission.RESEAT, people=True, methods=("GET", "HEAD", "POST"))
def halt(request: StaffRequest, number: int) -> HttpResponse:
    """Show how far short the table is; record the director's decision."""
    table = live_table_by_number(request.event, number)
    if request.method == "POST":
        is_waived = request.POST.get("decision") == "waive"
        return undoable_response(
            request, table_halt(command_of(request), table=table, is_waived=is_waived)
        )
    state = table_far_short(request.event, number, present(request.event))
    context = {"event": request.event, "table": table, "state": state}
    return render(request, "director/halt.html", context)


# --- Wishes to keep two people apart, for desk and director


LONGEST_NAME = 200


@staff(Permission.CHECK_IN, people=True, methods=("GET", "HEAD", "POST"))
def apart(request: StaffRequest) -> HttpResponse:
    """Show the wishes and the names to choose from; add a wish."""
    event = request.event
    if request.method == "POST":
        first, second = (_person(request, name) for name in ("first", "second"))
        return undoable_response(
            request, keep_apart_wish(command_of(request), first=first, second=second)
        )
    people = Registration.objects.live().filter(event=event).order_by("person__sort_name")
    wishes = KeepApart.objects.live().filter(event=event).order_by("pk")
    pairs = wishes.values_list("pk", "first__person__name", "second__person__name")
    context = {
        **page_context(request, event, request.actor),
        "wishes": [dict(zip(("pk", "first", "second"), pair, strict=True)) for pair in pairs],
        "names": list(people.values_list("person__name", flat=True)),
    }
    return render(request, "desk/keep_apart.html", context)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def drop(request: StaffRequest, wish: int) -> HttpResponse:
    row = get_object_or_404(KeepApart, event=request.event, pk=wish)
    return undoable_response(request, keep_apart_drop(command_of(request), wish=row))


def _person(request: StaffRequest, name: str) -> Registration:
    said_name = request.POST.get(name, "").strip()[:LONGEST_NAME]
    rows = Registration.objects.live().filter(event=request.event, person__name__iexact=said_name)
    found = list(rows[:2])
    if not found:
        raise Refused(
            _("Angemeldet ist niemand mit dem Namen „%(name)s“.") % {"name": said_name},
            code="unknown_name",
        )
    if len(found) > 1:
        raise Refused(
            _("Den Namen „%(name)s“ gibt es mehrmals. Bitte die Daten erst unterscheidbar machen.")
            % {"name": said_name},
            code="name_twice",
        )
    return found[0]


# --- Break a table, redraw all seats, draw the final table: first a preview, then the change


GET_AND_POST = ("GET", "HEAD", "POST")
MOST_NAMES = 120


@staff(Permission.RESEAT, people=True, methods=GET_AND_POST)
def break_table(request: StaffRequest, number: int) -> HttpResponse:
    """Show the players and the number for each other table; on POST, break the table."""
    event = request.event
    table = live_table_by_number(event, number)
    if request.method == "POST":
        own = {"reason": reason_given(request), "number": number_given(request)}
        action = table_break(command_of(request), table=table, **own)
        return undoable_response(request, action)
    obstacle = over(event) or obstacle_to_break(event, table)
    shares = [] if obstacle else break_shares(event, table)
    first = next_broken(event, table_counts(event))
    context = {
        "event": event,
        "table": table,
        "obstacle": obstacle,
        "shares": shares,
        "players": sum(share["takes"] for share in shares),
        "names": _names(event, table=table),
        "first": first if first != table.number else None,
        "taken_back": taken_back_so_far(event, "break", table.number),
    }
    return render(request, "director/break.html", context)


@staff(Permission.RESEAT, people=True, methods=GET_AND_POST)
def redraw(request: StaffRequest) -> HttpResponse:
    """Show the players and the tables to be closed; on POST, redraw."""
    event = request.event
    if request.method == "POST":
        action = tables_redraw(command_of(request), number=number_given(request))
        return undoable_response(request, action)
    context = _before_all_anew(event, "redraw", obstacle_to_redraw(event))
    kept = [] if context["obstacle"] else tables_for_redraw(event)
    closed = [table.number for table in tables_live(event) if table.number not in kept]
    context |= {
        "kept": kept,
        "closed": closed if kept else [],
        "players": Seating.objects.live().filter(event=event).count(),
    }
    return render(request, "director/redraw.html", context)


@staff(Permission.RESEAT, people=True, methods=GET_AND_POST)
def final_table(request: StaffRequest) -> HttpResponse:
    """Show the players; on POST, draw the seats of the final table."""
    event = request.event
    if request.method == "POST":
        action = final_table_draw(command_of(request), number=number_given(request))
        return undoable_response(request, action)
    context = _before_all_anew(event, "final", obstacle_to_final_table(event))
    return render(request, "director/final_table.html", context | {"size": final_seats(event)})


def _before_all_anew(event: Event, kind: str, obstacle: str | None) -> dict[str, Any]:
    obstacle = over(event) or obstacle
    return {
        "event": event,
        "obstacle": obstacle,
        "taken_back": taken_back_so_far(event, kind),
        "names": [] if obstacle else _names(event),
    }


def _names(event: Event, **where: Any) -> list[str]:
    """Return the players by table and seat; in a large hall only the first."""
    rows = Seating.objects.live().filter(event=event, **where).order_by("table__number", "seat")
    return list(rows.values_list("entry__registration__person__name", flat=True)[:MOST_NAMES])
