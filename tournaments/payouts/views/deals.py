"""Deals: ICM, chip chop and even split side by side, then offered, agreed, printed.

Stacks are counted here too, and shown with their ICM value.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    undoable_response,
)
from tournaments.event.domain.prices import amount_typed
from tournaments.event.selectors.chips import stacks_counted
from tournaments.event.selectors.event import chips_in_play, entry_names, event_alive_entry_ids
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG
from tournaments.models import Deal, DealShare, Event, Seating
from tournaments.payouts.domain.deals import RECKONED, Unshareable, Way, shares
from tournaments.payouts.forms.deals import DealForm, StacksForm
from tournaments.payouts.selectors.deals import MOST_AT_A_DEAL, WAYS, deal_leave, deals_of
from tournaments.payouts.selectors.prizes import prizes_left
from tournaments.payouts.services.deals import (
    REFUSED,
    deal_allow,
    deal_answer,
    deal_offer,
    deal_withdraw,
)
from tournaments.play.services.stacks import stacks_count

Form = TypeVar("Form", bound=StacksForm)


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def deal(request: StaffRequest) -> HttpResponse:
    """Show the deal; ask for prizes and chips, and show the shares of each method."""
    event = request.event
    obstacle = _obstacle(event)
    sent = request.POST if request.method == "POST" and not obstacle else None
    form = _form(DealForm, event, sent, [] if obstacle else event_alive_entry_ids(event))
    lines = _lines(form) if sent is not None and form.is_valid() else []
    context = page_context(request, event, request.actor) | _panel(event)
    context |= {"form": form, "obstacle": obstacle, "lines": lines, "ways": WAYS.items()}
    context |= _sums(event, form, lines)
    return render(request, "money/deal.html", context, status=WRONG if form.errors else 200)


def _form(kind: type[Form], event: Event, sent: Any, alive: Sequence[int]) -> Form:
    """Return a form of these entries, which begins with their counts and the prizes left."""
    names, counted = entry_names(set(alive)), stacks_counted(event) if alive else {}
    stacks = {f"stack_{entry}": counted.get(entry) for entry in alive}
    return kind(
        sent,
        players={entry: names[entry] for entry in alive if entry in names},
        initial=stacks | {"prizes": tuple(prizes_left(event))},
    )


def _sums(event: Event, form: DealForm, lines: list[dict[str, Any]]) -> dict[str, Any]:
    chips, is_exact = chips_in_play(event)
    counted = sum(line["stack"] for line in lines)
    return {
        "chips": chips,
        "is_exact": is_exact,
        "total": sum(line["even"] for line in lines),
        "counted": counted,
        "difference": abs(counted - chips),
        "is_over": counted > chips,
        "kept": form.cleaned_data.get("kept", 0) if lines else 0,
        "is_above_first": any(line["chips"] > form.cleaned_data["prizes"][0] for line in lines),
    }


def _panel(event: Event) -> dict[str, Any]:
    deals = deals_of(event)
    return {"event": event, "leave": deal_leave(event), "deals": deals[::-1]}


@never_cache
@staff(Permission.MANAGE, people=False)
def panel(request: StaffRequest) -> HttpResponse:
    """Show the state of the deal, for an open page."""
    context = _panel(request.event) | {"obstacle": _obstacle(request.event)}
    return render(request, "money/deal_panel.html", context)


@staff(Permission.MANAGE, people=True, methods=("POST",))
def allow(request: StaffRequest) -> HttpResponse:
    """Record the director's permission."""
    return undoable_response(request, deal_allow(command_of(request)))


@staff(Permission.MANAGE, people=True, methods=("POST",))
def offer(request: StaffRequest) -> HttpResponse:
    """Offer one of the computed methods, or negotiated amounts."""
    event = request.event
    alive = [] if _obstacle(event) else event_alive_entry_ids(event)
    form = _form(DealForm, event, request.POST, alive)
    way = request.POST.get("way", "")
    if way not in set(Way) or not form.is_valid():
        raise Refused(
            _("Seit dem Rechnen hat sich etwas geändert. Bitte neu rechnen."), code="changed"
        )
    asked = form.cleaned_data
    action = deal_offer(
        command_of(request),
        way=Way(way),
        stacks=form.stacks(),
        prizes=asked["prizes"],
        kept=asked["kept"],
        unit=asked["unit"],
        own=form.own_amounts() if way == Way.OWN else None,
    )
    return action_response(request, action, go_to=reverse("deal", args=[event.slug]))


@staff(Permission.MANAGE, people=True, methods=("POST",))
def withdraw(request: StaffRequest, deal: int) -> HttpResponse:
    """Withdraw a deal."""
    return undoable_response(request, deal_withdraw(command_of(request), deal=Deal(pk=deal)))


@never_cache
@staff(Permission.ANSWER_DEAL, people=True)
def floor(request: StaffRequest) -> HttpResponse:
    """Show an arbiter the offer, to record each answer."""
    context = page_context(request, request.event, request.actor) | _panel(request.event)
    return render(request, "money/floor_deal.html", context)


@never_cache
@staff(Permission.ANSWER_DEAL, people=True)
def floor_panel(request: StaffRequest) -> HttpResponse:
    """Show only that panel, for an open page."""
    return render(request, "money/floor_deal_panel.html", _panel(request.event))


@staff(Permission.ANSWER_DEAL, people=True, methods=("POST",))
def answer(request: StaffRequest, share: int) -> HttpResponse:
    """Record a player's answer."""
    says_yes = request.POST.get("says") == "yes"
    action = deal_answer(command_of(request), share=DealShare(pk=share), says_yes=says_yes)
    return undoable_response(request, action)


@never_cache
@staff(Permission.MANAGE, people=True)
def sheet(request: StaffRequest) -> HttpResponse:
    """Show the last deal as a sheet for all to sign."""
    deals = deals_of(request.event)
    context = page_context(request, request.event, request.actor)
    return render(
        request, "money/deal_sheet.html", context | {"deal": deals[-1] if deals else None}
    )


def _obstacle(event: Event) -> str:
    if event.is_clock_only or not event.has_started:
        return _("Ein Deal teilt, was noch im Spiel ist. Es hat noch nicht begonnen.")
    if not event_has_money(event):
        return _("An diesem Abend geht es um nichts, was sich teilen lässt.")
    left = len(event_alive_entry_ids(event))
    if left < 2:
        return _("Für einen Deal braucht es zwei, die noch im Spiel sind.")
    if left > MOST_AT_A_DEAL:
        reason = _("Noch %(left)s sind im Spiel. Gerechnet wird ein Deal für höchstens %(most)s.")
        return reason % {"left": left, "most": MOST_AT_A_DEAL}
    return ""


def _lines(form: DealForm) -> list[dict[str, Any]]:
    """Return all shares, largest stack first; empty if the prizes cannot be shared."""
    stacks = dict(sorted(form.stacks().items(), key=lambda one: -one[1]))
    prizes, chips = form.cleaned_data["prizes"], list(stacks.values())
    own = {"unit": form.cleaned_data["unit"], "kept": form.cleaned_data["kept"]}
    try:
        found = {way: shares(way, chips, prizes, **own) for way in RECKONED}
    except Unshareable as refused:
        form.add_error("kept" if refused.code == "kept" else "prizes", str(REFUSED[refused.code]))
        return []
    rows = zip(stacks.items(), *(found[way] for way in RECKONED), strict=True)
    return [
        {
            "entry": entry,
            "name": form.players[entry],
            "stack": stack,
            "icm": icm,
            "chips": by_chips,
            "even": even,
            "own": amount_typed(icm),
        }
        for (entry, stack), icm, by_chips, even in rows
    ]


# --- Count stacks, and show their ICM value


@never_cache
@staff(Permission.COUNT_HEADS, people=True, methods=FORM_METHODS)
def worth(request: StaffRequest) -> HttpResponse:
    """Ask for stacks and prizes; show the value of each counted stack."""
    event = request.event
    form = _stacks_form(request)
    if request.method == "POST" and form.is_valid():
        _count(request, form)
    counted = stacks_counted(event)
    typed: Sequence[int] = form.cleaned_data.get("prizes", ()) if form.is_bound else ()
    lines = [] if form.errors else _worths(form, counted, typed or prizes_left(event))
    context = page_context(request, event, request.actor) | _counted(event, counted)
    context |= {"form": form, "lines": lines, "total": sum(line["cents"] for line in lines)}
    return render(request, "money/stacks.html", context, status=WRONG if form.errors else 200)


def _stacks_form(request: StaffRequest) -> StacksForm:
    event = request.event
    alive = event_alive_entry_ids(event) if event.has_started and not event.is_over else []
    number = whole(request.GET.get("tisch", ""))
    if number is not None:
        seated = Seating.objects.live().filter(event=event, table__number=number)
        here = list(seated.order_by("seat").values_list("entry", flat=True))
        alive = [entry for entry in here if entry in set(alive)]
    sent = request.POST if request.method == "POST" else None
    return _form(StacksForm, event, sent, alive)


def _count(request: StaffRequest, form: StacksForm) -> None:
    """Record the count; an unchanged count is no error here."""
    try:
        stacks_count(command_of(request), stacks=form.stacks())
    except Refused as refusal:
        if refusal.code not in ("nothing", "nobody"):
            form.refuse(refusal)


def _worths(
    form: StacksForm, counted: dict[int, int], prizes: Sequence[int]
) -> list[dict[str, Any]]:
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
        {
            "name": names[entry],
            "stack": stack,
            "cents": cents,
            "percent": round(1000 * stack / chips) / 10,
        }
        for (entry, stack), cents in zip(stacks.items(), found, strict=True)
    ]


def _counted(event: Event, counted: dict[int, int]) -> dict[str, Any]:
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
