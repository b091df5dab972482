"""The arbiter's pages: the tables, one table from above, a player, out; made for one hand.

Every answer to "out" carries the place and its undo, and stays until it is put away.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.access import Permission, allows
from tournaments.domain.cards import Suit, card_from_code
from tournaments.domain.errors import Refused
from tournaments.domain.naming import sort_key
from tournaments.models import Action, DealerDraw, Elimination, Entry, Event, Table
from tournaments.selectors.event import players_left, winner_name
from tournaments.selectors.floor import TablePicture, seating_of, table_counts, table_pictures
from tournaments.selectors.log import LogLine, log_lines
from tournaments.selectors.ranking import place_of, places_of
from tournaments.selectors.suggestions import entry_names
from tournaments.services.eliminations import entries_eliminate, obstacle_to_eliminate
from tournaments.services.seats import dealer_draw_make
from tournaments.views.context import page_context
from tournaments.views.frame import StaffRequest, acted, news, said, staff

MOST_FOUND = 12
MOST_TABS = 12
MOST_UNDOS = 3
LOG_LOOKED_AT = 20
SUIT_PARTIALS = {
    Suit.SPADES: "spade",
    Suit.HEARTS: "heart",
    Suit.DIAMONDS: "diamond",
    Suit.CLUBS: "club",
}


@staff(Permission.SEE_FLOOR)
def tables(request: StaffRequest) -> HttpResponse:
    """Show all tables with how many sit at them, and where to look somebody up."""
    context = {**page_context(request, request.event, request.actor), **_tables(request)}
    return render(request, "floor/tables.html", context)


@staff(Permission.SEE_FLOOR)
def table_list(request: StaffRequest) -> HttpResponse:
    """Show the tables alone, for the page that is open."""
    return render(request, "floor/floor_tables.html", {"event": request.event, **_tables(request)})


@staff(Permission.SEE_FLOOR)
def find(request: StaffRequest) -> HttpResponse:
    """Find players by parts of their names: where they sit, or which place they have."""
    words = sort_key(request.GET.get("q", "")).split()
    rows = Entry.objects.live().filter(event=request.event)
    for word in words:
        rows = rows.filter(registration__person__sort_name__contains=word)
    entries = rows.select_related("registration__person").order_by(
        "registration__person__sort_name", "number"
    )
    found = [_found(request.event, entry) for entry in entries[:MOST_FOUND]] if words else []
    context = {"event": request.event, "found": found, "has_words": bool(words)}
    return render(request, "floor/found.html", context)


@staff(Permission.SEE_FLOOR)
def table(request: StaffRequest, number: int) -> HttpResponse:
    """Show one table from above, every seat a target for the thumb."""
    context = {**page_context(request, request.event, request.actor), **_table(request, number)}
    return render(request, "floor/table.html", context)


@staff(Permission.SEE_FLOOR)
def table_panel(request: StaffRequest, number: int) -> HttpResponse:
    """Show the table alone, for the page that is open."""
    return render(request, "floor/floor_table.html", _table(request, number))


@staff(Permission.SEE_FLOOR)
def player(request: StaffRequest, entry: int) -> HttpResponse:
    """Show what can be done with one player."""
    row = _entry_or_404(request.event, entry)
    seating = seating_of(row.pk)
    context = {
        "event": request.event,
        "entry": row,
        "seating": seating,
        "may_eliminate": allows(request.actor, Permission.ELIMINATE),
        "may_reseat": allows(request.actor, Permission.RESEAT) and seating is not None,
        "may_disqualify": allows(request.actor, Permission.DISQUALIFY),
        "obstacle": _obstacle(request.event, row),
    }
    return render(request, "floor/player.html", context)


@staff(Permission.ELIMINATE, methods=("POST",))
def out(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that one player is out, and show the place."""
    row = _entry_or_404(request.event, entry)
    return _out_shown(request, entries_eliminate(**said(request), entries=[row]))


@staff(Permission.ELIMINATE)
def many(request: StaffRequest, number: int) -> HttpResponse:
    """Show who sits at a table, to tick those who went out in one hand."""
    picture = _picture_or_404(request.event, number)
    return render(request, "floor/many.html", {"event": request.event, "picture": picture})


@staff(Permission.ELIMINATE, methods=("POST",))
def out_many(request: StaffRequest) -> HttpResponse:
    """Record that several went out in the same hand; their stacks before it rank them if known."""
    ticked = [int(raw) for raw in request.POST.getlist("entry") if raw.isdecimal()]
    entries = list(Entry.objects.filter(event=request.event, pk__in=ticked).order_by("number"))
    if len(entries) != len(set(ticked)):
        raise Http404
    stacks = _stacks(request, entries) if len(entries) > 1 else {}
    action = entries_eliminate(**said(request), entries=entries, start_stacks=stacks)
    return _out_shown(request, action)


@staff(Permission.DRAW_DEALER, methods=("POST",))
def dealer(request: StaffRequest, number: int) -> HttpResponse:
    """Draw the first dealer of a table and show the cards."""
    row = _picture_or_404(request.event, number).table
    action = dealer_draw_make(**said(request), table=row)
    if not request.htmx:
        return acted(request, action)
    response = render(request, "floor/cards.html", _cards(request.event, row, action))
    return news(response, action)


@staff(Permission.SEE_FLOOR)
def cards(request: StaffRequest, number: int) -> HttpResponse:
    """Show again the cards by which the first dealer of a table was drawn."""
    row = _picture_or_404(request.event, number).table
    return render(request, "floor/cards.html", _cards(request.event, row, None))


def _out_shown(request: StaffRequest, action: Action) -> HttpResponse:
    if not request.htmx:
        return acted(request, action)
    context = {
        "event": request.event,
        "action": action,
        "outs": _places_made(request.event, action),
        "left": players_left(request.event),
        "winner": winner_name(request.event),
    }
    return news(render(request, "floor/out.html", context), action)


def _places_made(event: Event, action: Action) -> list[dict[str, Any]]:
    """Return who went out by this action and at which place, the best first.

    One alone is placed by a count, so that the answer costs the same in every field.
    """
    rows = Elimination.objects.live().filter(event=event, made_by=action)
    entries = list(rows.values_list("entry_id", flat=True))
    names = entry_names(set(entries))
    if len(entries) == 1:
        later = Elimination.objects.live().filter(event=event, sequence__gt=action.sequence)
        found = {entries[0]: players_left(event) + later.count() + 1}
    else:
        found = places_of(event)
    made = [{"name": names[pk], "place": found[pk]} for pk in entries]
    return sorted(made, key=lambda line: (line["place"], line["name"]))


def _tables(request: StaffRequest) -> dict[str, Any]:
    counts = table_counts(request.event)
    return {
        "counts": counts,
        "seated": sum(count.players for count in counts),
        "left": players_left(request.event),
    }


def _table(request: StaffRequest, number: int) -> dict[str, Any]:
    event = request.event
    picture = next(iter(table_pictures(event, [number])), None)
    if picture is None and not Table.objects.filter(event=event, number=number).exists():
        raise Http404(_("Diesen Tisch gibt es nicht."))
    counts = table_counts(event)
    numbers = [count.number for count in counts]
    return {
        "event": event,
        "number": number,
        "picture": picture,
        "seats": _seats(event, picture) if picture else [],
        "tabs": numbers if len(numbers) <= MOST_TABS else [],
        "may_eliminate": allows(request.actor, Permission.ELIMINATE),
        "can_eliminate": event.has_started and not event.is_over,
        "may_draw_dealer": allows(request.actor, Permission.DRAW_DEALER)
        and picture is not None
        and not picture.has_dealer
        and not event.is_over,
        "undos": _own_undos(request),
    }


def _seats(event: Event, picture: TablePicture) -> list[dict[str, Any]]:
    """Return the seats as the map shows them. The button moves on once play has begun."""
    return [
        {
            "number": seat.seat,
            "name": seat.name,
            "is_button": seat.is_dealer and not event.has_started,
            "hx_url": _player_url(event, seat.entry) if seat.entry else "",
        }
        for seat in picture.seats
    ]


def _player_url(event: Event, entry: int) -> str:
    return reverse("floor-player", args=[event.slug, entry])


def _own_undos(request: StaffRequest) -> list[LogLine]:
    """Return the latest eliminations this device entered and that still hold."""
    if request.device is None or not allows(request.actor, Permission.ELIMINATE):
        return []
    lines = log_lines(request.event, request.actor, most=LOG_LOOKED_AT)
    own = [
        line
        for line in lines
        if line.may_undo
        and line.action.kind == entries_eliminate.kind
        and line.action.device_id == request.device.pk
    ]
    return own[:MOST_UNDOS]


def _found(event: Event, entry: Entry) -> dict[str, Any]:
    seating = seating_of(entry.pk)
    return {
        "entry": entry,
        "name": entry.registration.person.name,
        "seating": seating,
        "place": None if seating else place_of(event, entry),
    }


def _obstacle(event: Event, entry: Entry) -> str | None:
    if event.is_over:
        return _("Das Turnier ist beendet.")
    return obstacle_to_eliminate(event, entry)


def _entry_or_404(event: Event, pk: int) -> Entry:
    rows = Entry.objects.select_related("registration__person")
    return get_object_or_404(rows, event=event, pk=pk)


def _picture_or_404(event: Event, number: int) -> TablePicture:
    picture = next(iter(table_pictures(event, [number])), None)
    if picture is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    return picture


def _stacks(request: StaffRequest, entries: list[Entry]) -> dict[int, int]:
    """Return the stacks that were typed in, by entry; a field left empty is not known."""
    stacks = {}
    for entry in entries:
        raw = request.POST.get(f"stack-{entry.pk}", "").strip()
        if raw and not (raw.isdecimal() and len(raw) <= 12):
            raise Refused(_("Ein Stapel ist eine ganze Zahl von Chips."), code="bad_stack")
        if raw:
            stacks[entry.pk] = int(raw)
    return stacks


def _cards(event: Event, table: Table, action: Action | None) -> dict[str, Any]:
    draw = DealerDraw.objects.live().filter(table=table).first()
    if draw is None:
        raise Http404(_("Für diesen Tisch ist noch kein Geber ausgelost."))
    names = entry_names({line["entry"] for line in draw.cards})
    lines = []
    for line in draw.cards:
        card = card_from_code(line["card"])
        lines.append(
            {
                "seat": line["seat"],
                "name": names.get(line["entry"], ""),
                "rank": card.rank.label,
                "suit": SUIT_PARTIALS[card.suit],
            }
        )
    return {"event": event, "table": table, "lines": lines, "action": action}
