"""Count stacks, and show their ICM value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.event.domain.prices import amount_typed
from tournaments.event.selectors.chips import stacks_counted
from tournaments.event.selectors.event import chips_in_play, entry_names, event_alive_entry_ids
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG
from tournaments.models import Event, Seating
from tournaments.payouts.domain.deals import Unshareable, Way, shares
from tournaments.payouts.forms.deals import StacksForm
from tournaments.payouts.selectors.prizes import prizes_left
from tournaments.payouts.services.deals import REFUSED
from tournaments.play.services.stacks import stacks_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """A counted stack and its value in cents; `per_mille` of the counted chips."""

    name: str
    stack: int
    cents: int
    per_mille: int

    @property
    def percent(self) -> float:
        return self.per_mille / 10


@never_cache
@staff(Permission.COUNT_HEADS, people=True, methods=FORM_METHODS)
def worth(request: StaffRequest) -> HttpResponse:
    """Ask for stacks and prizes; show the value of each counted stack."""
    event = request.event
    form = _form(request)
    if request.method == "POST" and form.is_valid():
        _count(request, form)
    counted = stacks_counted(event)
    lines = [] if form.errors else _lines(form, counted, _prizes(event, form))
    context = page_context(request, event, request.actor) | _sums(event, counted)
    context |= {"form": form, "lines": lines, "total": sum(line.cents for line in lines)}
    return render(request, "money/stacks.html", context, status=WRONG if form.errors else 200)


def _form(request: StaffRequest) -> StacksForm:
    """Return the form, limited to one table if given."""
    event = request.event
    alive = event_alive_entry_ids(event) if event.has_started and not event.is_over else []
    number = whole(request.GET.get("tisch", ""))
    if number is not None:
        seated = Seating.objects.live().filter(event=event, table__number=number)
        here = list(seated.order_by("seat").values_list("entry", flat=True))
        alive = [entry for entry in here if entry in set(alive)]
    names, counted = entry_names(set(alive)), stacks_counted(event)
    stacks = {f"stack_{entry}": counted.get(entry) for entry in alive}
    prizes = {"prizes": " ".join(map(amount_typed, prizes_left(event)))}
    sent = request.POST if request.method == "POST" else None
    return StacksForm(
        sent, players={entry: names[entry] for entry in alive}, initial=stacks | prizes
    )


def _count(request: StaffRequest, form: StacksForm) -> None:
    """Record the count; an unchanged count is no error here."""
    try:
        stacks_count(command_of(request), stacks=form.stacks())
    except Refused as refusal:
        if refusal.code not in ("nothing", "nobody"):
            form.refuse(refusal)


def _prizes(event: Event, form: StacksForm) -> Sequence[int]:
    """Return the typed prizes, else the known ones."""
    typed: list[int] = form.cleaned_data.get("prizes", []) if form.is_bound else []
    return typed or prizes_left(event)


def _lines(form: StacksForm, counted: dict[int, int], prizes: Sequence[int]) -> list[Worth]:
    """Return the values of the counted stacks, largest first."""
    stacks = dict(sorted(counted.items(), key=lambda one: -one[1]))
    if not stacks or not prizes:
        return []
    try:
        found = shares(Way.ICM, list(stacks.values()), prizes)
    except Unshareable as problem:
        form.add_error("prizes", str(REFUSED[problem.code]))
        return []
    names, chips = entry_names(set(stacks)), sum(stacks.values())
    return [
        Worth(name=names[entry], stack=stack, cents=cents, per_mille=round(1000 * stack / chips))
        for (entry, stack), cents in zip(stacks.items(), found, strict=True)
    ]


def _sums(event: Event, counted: dict[int, int]) -> dict[str, Any]:
    chips, is_exact = chips_in_play(event)
    obstacle = ""
    if not event.has_started:
        obstacle = _("Es hat noch nicht begonnen: Noch ist kein Stapel zu zählen.")
    elif event.is_over:
        obstacle = _("Das Turnier ist beendet.")
    return {
        "obstacle": obstacle,
        "left": len(event_alive_entry_ids(event)),
        "many": len(counted),
        "counted": sum(counted.values()),
        "chips": chips,
        "is_exact": is_exact,
    }
