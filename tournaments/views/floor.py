"""The arbiter's pages: the tables, one table from above, a player, out; made for one hand.

Every answer to "out" carries the place and its undo, and stays until it is put away. What the
pages show is gathered in `floor_shown`.
"""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.access import Permission, allows
from tournaments.domain.errors import Refused
from tournaments.models import Action, Entry
from tournaments.services.eliminations import entries_eliminate
from tournaments.services.seats import dealer_draw_make
from tournaments.views import floor_shown as shown
from tournaments.views.context import page_context
from tournaments.views.frame import StaffRequest, acted, news, said, staff

LONGEST_STACK = 12


@staff(Permission.SEE_FLOOR)
def tables(request: StaffRequest) -> HttpResponse:
    """Show all tables with how many sit at them, and where to look somebody up."""
    context = page_context(request, request.event, request.actor)
    may_announce = allows(request.actor, Permission.ANNOUNCE)
    context |= {"may_announce": may_announce, **shown.tables(request)}
    return render(request, "floor/tables.html", context)


@staff(Permission.SEE_FLOOR)
def table_list(request: StaffRequest) -> HttpResponse:
    """Show the tables alone, for the page that is open."""
    return render(request, "floor/floor_tables.html", shown.tables(request))


@staff(Permission.SEE_FLOOR)
def find(request: StaffRequest) -> HttpResponse:
    """Find players by parts of their names, and tables by number."""
    context = shown.found(request.event, request.GET.get("q", ""))
    return render(request, "floor/found.html", context)


@staff(Permission.SEE_FLOOR)
def table(request: StaffRequest, number: int) -> HttpResponse:
    """Show one table from above, every seat a target for the thumb."""
    context = page_context(request, request.event, request.actor)
    return render(request, "floor/table.html", {**context, **shown.table(request, number)})


@staff(Permission.SEE_FLOOR)
def table_panel(request: StaffRequest, number: int) -> HttpResponse:
    """Show the table alone, for the page that is open."""
    return render(request, "floor/floor_table.html", shown.table(request, number))


@staff(Permission.SEE_FLOOR)
def player(request: StaffRequest, entry: int) -> HttpResponse:
    """Show what can be done with one player, and who may do what this device may not."""
    return render(request, "floor/player.html", shown.player(request, entry))


@staff(Permission.ELIMINATE, methods=("POST",))
def out(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that one player is out, and show the place."""
    row = shown.entry_or_404(request.event, entry)
    return _out_shown(request, entries_eliminate(**said(request), entries=[row]))


@staff(Permission.ELIMINATE)
def many(request: StaffRequest, number: int) -> HttpResponse:
    """Show who sits at a table, to tick those who went out in one hand."""
    picture = shown.picture_or_404(request.event, number)
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
    row = shown.picture_or_404(request.event, number).table
    action = dealer_draw_make(**said(request), table=row)
    if not request.htmx:
        return acted(request, action)
    context = shown.cards(request.event, row, undo=action)
    return news(render(request, "floor/cards.html", context), action)


@staff(Permission.SEE_FLOOR)
def cards(request: StaffRequest, number: int) -> HttpResponse:
    """Show again the cards by which the first dealer of a table was drawn."""
    row = shown.picture_or_404(request.event, number).table
    return render(request, "floor/cards.html", shown.cards(request.event, row))


def _out_shown(request: StaffRequest, action: Action) -> HttpResponse:
    if not request.htmx:
        return acted(request, action)
    return news(render(request, "floor/out.html", shown.out(request.event, action)), action)


def _stacks(request: StaffRequest, entries: list[Entry]) -> dict[int, int]:
    """Return the stacks that were typed in, by entry; a field left empty is not known."""
    stacks = {}
    for entry in entries:
        raw = request.POST.get(f"stack-{entry.pk}", "").strip()
        if raw and not (raw.isdecimal() and len(raw) <= LONGEST_STACK):
            raise Refused(_("Ein Stapel ist eine ganze Zahl von Chips."), code="bad_stack")
        if raw:
            stacks[entry.pk] = int(raw)
    return stacks
