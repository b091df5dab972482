"""Count stacks in a break: the tables done, the check of the sum, one table."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import action_response
from tournaments.event.selectors.stacks import stacks_counted_now
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Event, Table
from tournaments.play.forms.stacks import TableStacksForm
from tournaments.play.selectors.stacks import counting_of, names_of_seats
from tournaments.play.services.stacks import stacks_count
from tournaments.seating.selectors.tables import tables_seated


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
    event = request.event
    row = Table.objects.live().filter(event=event, number=number).first()
    if row is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
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
    """Tell whether stacks can be counted now."""
    return event.has_started and not event.is_over
