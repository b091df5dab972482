"""The sheet of lost stacks: read which ones are meant, and show them again."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from tournaments.changes.access import Permission, allows
from tournaments.changes.domain.numbers import numbers_in
from tournaments.changes.views.requests import StaffRequest, action_response, present, with_trigger
from tournaments.event.selectors.event import players_left, sells_again
from tournaments.models import Action, Elimination, Event, LostStack, RebuyChance, What
from tournaments.money.selectors.drawers import takes_money
from tournaments.money.selectors.journal import means_taken
from tournaments.play.selectors.eliminations import lost_last, lost_rows, outs_of
from tournaments.play.views import eliminations_context as shown
from tournaments.rebuys.selectors.offers import chances_live, told_words
from tournaments.rebuys.selectors.sheets import buy_sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The lost stacks of a request: eliminations, held seats, stacks re-bought since."""

    outs: list[Elimination] = field(default_factory=list)
    held: list[RebuyChance] = field(default_factory=list)
    past: list[LostStack] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.outs or self.held or self.past)

    @property
    def lost(self) -> list[LostStack]:
        """Return the stacks lost without an elimination."""
        return [*(row.lost for row in self.held), *self.past]


def stacks_asked(event: Event, data: QueryDict) -> Asked:
    """Return the stacks named by the fields `entry` and `lost`."""
    entries, past = numbers_in(data.getlist("entry")), numbers_in(data.getlist("lost"))
    sells = sells_again(event) and bool(entries or past)
    of_these = Q(entry__in=entries) | Q(lost__in=past)
    held = list(chances_live(event).filter(of_these)) if sells else []
    past = sorted({*past} - {row.lost_id for row in held})
    return Asked(
        outs=outs_of(event, entries), held=held, past=lost_rows(event, past) if past else []
    )


def bought_again(event: Event, data: QueryDict, at: datetime) -> Asked:
    """Return the last stacks these lost before an instant, for a delayed tap."""
    entries = numbers_in(data.getlist("entry"))
    return Asked(past=lost_last(event, entries, at))


def sheet(request: StaffRequest, asked: Asked) -> dict[str, Any]:
    event = request.event
    context = shown.sheet(event, asked.outs, present(event), held=asked.held, past=asked.past)
    return context | {
        "answers": [_answer(event, row) for row in asked.held],
        "may_sell": bool(asked.held) and takes_money(event, request.actor),
        "means": means_taken(event.club),
        "may_pass": allows(request.actor, Permission.MANAGE),
    }


def _answer(event: Event, row: RebuyChance) -> dict[str, Any]:
    """Return what is sold to a player with a held seat, and the place without it."""
    entry = row.entry
    entry.event = event
    sheet = buy_sheet(entry, present(event))
    line = next((line for line in sheet.lines if line.what == What.REBUY), None)
    place = players_left(event)
    return {"entry": entry, "sheet": sheet, "line": line, "lost": row.lost, "place": place}


def held_response(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the sheet of a lost stack that another device told first: the answers are open."""
    shown = QueryDict(mutable=True)
    shown["entry"] = str(entry)
    asked = stacks_asked(request.event, shown)
    told = next(map(told_words, asked.held), "")
    return render(request, "floor/out.html", sheet(request, asked) | {"first_told": told})


def sheet_response(request: StaffRequest, action: Action) -> HttpResponse:
    """Show the same stacks again in their present state."""
    if not request.htmx:
        return action_response(request, action)
    context = sheet(request, stacks_asked(request.event, request.POST))
    return with_trigger(render(request, "floor/out.html", context), action)
