"""The chip race: the tables done, and the exchange at one table."""

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
from tournaments.event.selectors.event import entry_names
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Table
from tournaments.play.forms.chip_races import RaceForm
from tournaments.play.selectors.chip_races import race_due, race_made, race_seats, race_tables
from tournaments.play.services.chip_races import chip_race
from tournaments.seating.selectors.tables import tables_seated


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
    event = request.event
    row = Table.objects.live().filter(event=event, number=number).first()
    if row is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    due = race_due(event, present(event))
    sent = request.POST if request.method == "POST" else None
    players = tables_seated(event, [number])[number].players
    names = entry_names(set(players.values()))
    seats = {seat: (entry, names[entry]) for seat, entry in players.items()}
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
