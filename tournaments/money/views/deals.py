"""What a deal would give: by ICM, by chips and evenly, side by side. Nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest
from tournaments.event.selectors.event import (
    chips_in_play,
    entry_names,
    event_alive_entry_ids,
)
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG
from tournaments.models import Event
from tournaments.money.domain.deals import Unshareable, Way, shares
from tournaments.money.forms.deals import DealForm

# More people do not agree on a deal, and nobody counts more stacks for one.
MOST_AT_A_DEAL = 30
REFUSED = {
    "no_prizes": lambda: _("Der erste Preis fehlt."),
    "rising": lambda: _("Ein Preis ist höher als der davor. Bitte vom ersten Platz abwärts."),
    "kept": lambda: _("Was ausgespielt wird, macht den ersten Preis kleiner als den zweiten."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What somebody would get, in cents."""

    name: str
    stack: int
    icm: int
    chips: int
    even: int


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def deal(request: StaffRequest) -> HttpResponse:
    """Ask for prizes and chips, and show what each way of sharing gives."""
    event = request.event
    alive = event_alive_entry_ids(event)
    obstacle = _obstacle(event, len(alive))
    names = {} if obstacle else entry_names(set(alive))
    sent = request.POST if request.method == "POST" and not obstacle else None
    form = DealForm(sent, players={entry: names[entry] for entry in alive if entry in names})
    chips, is_exact = chips_in_play(event)
    lines = _lines(form, names) if sent is not None and form.is_valid() else []
    counted = sum(line.stack for line in lines)
    context = page_context(request, event, request.actor) | {
        "form": form,
        "obstacle": obstacle,
        "chips": chips,
        "is_exact": is_exact,
        "lines": lines,
        "total": sum(line.even for line in lines),
        "counted": counted,
        "difference": abs(counted - chips),
        "is_over": counted > chips,
        "kept": form.cleaned_data.get("kept", 0) if lines else 0,
    }
    return render(request, "money/deal.html", context, status=WRONG if form.errors else 200)


def _obstacle(event: Event, left: int) -> str:
    """Return why no deal can be reckoned now, nothing if it can."""
    if event.is_clock_only or not event.has_started:
        return _("Ein Deal teilt, was noch im Spiel ist. Es hat noch nicht begonnen.")
    if left < 2:
        return _("Für einen Deal braucht es zwei, die noch im Spiel sind.")
    if left > MOST_AT_A_DEAL:
        said = _("Noch %(left)s sind im Spiel. Gerechnet wird ein Deal für höchstens %(most)s.")
        return said % {"left": left, "most": MOST_AT_A_DEAL}
    return ""


def _lines(form: DealForm, names: dict[int, str]) -> list[Line]:
    """Return everybody's shares, the largest stack first; none if the prizes cannot be shared."""
    stacks = dict(sorted(form.stacks().items(), key=lambda one: -one[1]))
    asked = form.cleaned_data
    try:
        found = {
            way: shares(
                way,
                list(stacks.values()),
                asked["prizes"],
                unit=asked["unit"],
                kept=asked["kept"],
            )
            for way in Way
        }
    except Unshareable as refused:
        form.add_error("kept" if refused.code == "kept" else "prizes", REFUSED[refused.code]())
        return []
    return [
        Line(
            name=names[entry],
            stack=stack,
            icm=found[Way.ICM][place],
            chips=found[Way.CHIPS][place],
            even=found[Way.EVEN][place],
        )
        for place, (entry, stack) in enumerate(stacks.items())
    ]
