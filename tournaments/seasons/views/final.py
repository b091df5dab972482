"""Starting stacks of a league's final by points: on a page, on paper, as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest
from tournaments.models import League
from tournaments.papers.views.sending import send_csv
from tournaments.seasons.forms.league import StacksForm
from tournaments.seasons.selectors.leagues import league_standings
from tournaments.seasons.selectors.season import stacks_of
from tournaments.seasons.views.leagues import own

USUAL_STACKS = {"base": 5000, "per_point": 100, "unit": 100, "first": 100}


@never_cache
@club_staff(Permission.MANAGE)
def final(request: StaffRequest, league: int) -> HttpResponse:
    """Show everybody's starting stack in the final."""
    row = own(league)
    form = StacksForm({**USUAL_STACKS, **request.GET.dict()})
    stacks = _stacks(row, form)
    context = {
        "league": row,
        "form": form,
        "stacks": stacks,
        "sum": sum(stack.chips for stack in stacks),
        "query": request.GET.urlencode(),
    }
    return render(request, "seasons/final.html", context)


@never_cache
@club_staff(Permission.MANAGE)
def final_csv(request: StaffRequest, league: int) -> HttpResponse:
    """Send these stacks as a file."""
    row = own(league)
    stacks = _stacks(row, StacksForm({**USUAL_STACKS, **request.GET.dict()}))
    heads: list[object] = [_("Rang"), _("Name"), _("Punkte"), _("Chips")]
    rows = [[stack.rank, stack.name, stack.points, stack.chips] for stack in stacks]
    return send_csv([heads, *rows], f"{row.slug}-finale")


def _stacks(row: League, form: StacksForm) -> list[Any]:
    if not form.is_valid():
        return []
    return stacks_of(league_standings(row, to_staff=True), **form.cleaned_data)
