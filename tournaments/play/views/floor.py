"""The arbiter's pages for one hand: tables, one table from above, one player.

Their data comes from `floor_context`; `eliminations` has eliminations,
`conduct` has penalties and absences.
"""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    with_trigger,
)
from tournaments.event.selectors.event import is_stage
from tournaments.event.views.context import page_context
from tournaments.play.selectors.stacks import race_due
from tournaments.play.views import floor_context as shown
from tournaments.play.views.bubble import floor_shown as bubble_shown
from tournaments.play.views.conduct import REASONS
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
