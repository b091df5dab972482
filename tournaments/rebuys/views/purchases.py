"""Purchases by staff: offers, sales, requests and withdrawals; open requests."""

from itertools import groupby
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission, allows
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import numbers_in
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    optional_number,
    present,
    undoable_response,
    with_trigger,
)
from tournaments.models import Action, Entry, Event, PurchaseWish, RebuyChance, What
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.drawers import takes_money
from tournaments.money.selectors.journal import means_taken
from tournaments.people.domain.naming import short_names
from tournaments.rebuys.selectors.offers import chances_live, name_of, purchase_claimed, wishes_live
from tournaments.rebuys.selectors.prices import addon_sheet, buy_sheet
from tournaments.rebuys.services.purchases import (
    addon_buy,
    addons_buy,
    entry_reenter,
    purchase_ask,
    purchase_unask,
    rebuy_buy,
)

MOST_SHOWN = 30


@staff(Permission.ASK_PURCHASE, people=True)
def sheet(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the possible purchases; a device that takes money sells, others request."""
    row = _entry_or_404(request.event, entry)
    context = {
        "event": request.event,
        "entry": row,
        "name": row.registration.person.name,
        "sheet": buy_sheet(row, present(request.event)),
        "may_sell": takes_money(request.event, request.actor),
        "means": means_taken(request.event.club),
        "may_pass": allows(request.actor, Permission.MANAGE),
        "may_decline": allows(request.actor, Permission.ELIMINATE),
    }
    return render(request, "rebuys/sheet.html", context)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",), accepts_offline=True)
def buy(request: StaffRequest, entry: int, what: str) -> HttpResponse:
    """Sell it, paid now or left open.

    Of a table's delayed phone only if it is still for sale: else the director is asked.
    """
    action = _sold(request, entry, _what(what))
    if "with" in request.POST:
        return _next_or_done(request, entry, action)
    return undoable_response(request, action)


def _sold(request: StaffRequest, entry: int, what: What) -> Action:
    paid, told = _paid(request), _told(request, what)
    asked, held = optional_number(request, "asked"), optional_number(request, "held")
    command, row = _command(request, entry, what, told), Entry(pk=entry)
    if command.claimed is not None:
        return purchase_ask(command, entry=row, what=what.value, **told)
    wish = PurchaseWish(pk=asked) if asked is not None else None
    own: dict[str, Any] = {"entry": row, "asked": wish, **paid}
    if what == What.REBUY:
        own["held"] = RebuyChance(pk=held) if held is not None else None
        return rebuy_buy(command, **told, **own)
    return (addon_buy if what == What.ADDON else entry_reenter)(command, **own)


def _paid(request: StaffRequest) -> dict[str, Any]:
    """Return whether it is paid now, and by which means: `pays` is "0", "1" or a means."""
    said = request.POST.get("pays", "0")
    if said not in {"0", "1", *Means}:
        raise Refused(_("So nimmt der Verein kein Geld."), code="means_not_taken")
    return {"pays": said != "0", "means": Means(said) if said in set(Means) else Means.CASH}


@staff(Permission.TAKE_MONEY, people=True, methods=("GET", "HEAD", "POST"))
def addons(request: StaffRequest) -> HttpResponse:
    """Show all players to tick; on POST, sell an add-on to each ticked one."""
    event = request.event
    if request.method == "POST":
        rows = [Entry(pk=pk) for pk in numbers_in(request.POST.getlist("entry"))]
        return undoable_response(
            request, addons_buy(command_of(request), entries=rows, **_paid(request))
        )
    sheet = addon_sheet(event, present(event))
    short = short_names({line.name for line in sheet.lines})
    tables = groupby(sheet.lines, lambda line: line.table)
    context = {
        "event": event,
        "good": sheet.good,
        "tables": [
            (number, [(line, short[line.name]) for line in lines]) for number, lines in tables
        ],
        "means": means_taken(event.club),
    }
    return render(request, "rebuys/addons.html", context)


def _told(request: StaffRequest, what: What) -> dict[str, Any]:
    if what != What.REBUY:
        return {}
    number = optional_number(request, "number") or 1
    return {"number": number, "stack": optional_number(request, "stack")}


def _command(request: StaffRequest, entry: int, what: What, told: dict[str, Any]) -> Command:
    """Return the command; a late one may be a question for the director."""
    command = command_of(request)
    if command.recorded_at is None or command.recorded_at <= command.at:
        return command
    return purchase_claimed(command, _entry_or_404(request.event, entry), what, **told)


@staff(Permission.ASK_PURCHASE, people=True, methods=("POST",), accepts_offline=True)
def ask(request: StaffRequest, entry: int, what: str) -> HttpResponse:
    """Request it at the table; the cashier confirms."""
    wanted = _what(what)
    told = _told(request, wanted)
    command = _command(request, entry, wanted, told)
    action = purchase_ask(command, entry=Entry(pk=entry), what=wanted.value, **told)
    return _next_or_done(request, entry, action)


def _next_or_done(request: StaffRequest, entry: int, action: Action) -> HttpResponse:
    """Answer a purchase; if others of that hand have yet to answer, with their sheet."""
    listed = set(numbers_in(request.POST.getlist("with")))
    if len(listed) < 2 or not request.htmx:
        return undoable_response(request, action)
    held = chances_live(request.event).filter(entry__in=listed)
    ids = list(held.values_list("entry", flat=True))
    asked = wishes_live(request.event).filter(entry__in=ids).values_list("entry", flat=True)
    if not set(ids) - {entry, *asked}:
        return undoable_response(request, action)
    context = {"event": request.event, "action": action, "ids": ids, "outcome": "held"}
    return with_trigger(render(request, "floor/out_recorded.html", context), action)


@staff(Permission.ASK_PURCHASE, people=True, methods=("POST",))
def unask(request: StaffRequest, entry: int) -> HttpResponse:
    """Withdraw or decline a request."""
    return undoable_response(request, purchase_unask(command_of(request), entry=Entry(pk=entry)))


@staff(Permission.CHECK_IN, people=True)
def open_panel(request: StaffRequest) -> HttpResponse:
    """Show the desk the first open requests, and held seats without one."""
    event = request.event
    wishes = list(wishes_live(event)[:MOST_SHOWN])
    asked = {wish.entry_id for wish in wishes}
    chances = [row for row in chances_live(event)[:MOST_SHOWN] if row.entry_id not in asked]
    lines = [(wish, name_of(What(wish.what))) for wish in wishes]
    context = {"event": event, "lines": [*lines, *((row, "") for row in chances)]}
    return render(request, "rebuys/open.html", context)


def _what(word: str) -> What:
    if word not in set(What):
        raise Http404(_("Das gibt es hier nicht."))
    return What(word)


def _entry_or_404(event: Event, pk: int) -> Entry:
    rows = Entry.objects.live().select_related("registration__person")
    row = get_object_or_404(rows, event=event, pk=pk)
    row.event = event
    return row
