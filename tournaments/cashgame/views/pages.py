"""The pages of the cash game: all tables, one table on a phone, one seat in a sheet."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.cashgame.domain.stakes import FeeWay
from tournaments.cashgame.forms.tables import OpenForm
from tournaments.cashgame.selectors.books import (
    balances_noted,
    open_tables,
    purchases_of,
    tables_closed,
    tips_left,
)
from tournaments.cashgame.selectors.due import cash_due
from tournaments.cashgame.selectors.layout import closed_tables, tables_shown
from tournaments.cashgame.selectors.line import guests_named, main_tables, tables_alike
from tournaments.cashgame.selectors.own import cash_evening
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_back,
    cash_fee_pay,
    cash_leave_announce,
    cash_tips_pay,
)
from tournaments.cashgame.services.line import cash_offer, cash_unwait, cash_wait
from tournaments.cashgame.services.seats import (
    cash_correct,
    cash_move,
    cash_out,
    cash_sit,
    cash_top_up,
)
from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import SAFE, staff
from tournaments.changes.views.requests import (
    Decorator,
    StaffRequest,
    View,
    action_response,
    command_of,
    optional_number,
    place,
    present,
    undoable_response,
    whole_number,
)
from tournaments.door.services.registration import registration_create
from tournaments.door.views.desk_people import part_of
from tournaments.event.domain.prices import cents_of
from tournaments.event.views.context import adds_to_navigation, page_context
from tournaments.models import Action, CashSeat, CashTable, Event, Registration
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.journal import means_taken
from tournaments.people.domain.naming import normal_name

# --- Shared by the cash game's pages: whether there is one, typed amounts


def of_cash_game(view: View) -> View:
    """Answer 404 for an event without a cash game. Goes below `@staff`."""

    @wraps(view)
    def run(request: Any, **kwargs: Any) -> HttpResponse:
        if not request.event.has_cash_game:
            raise Http404(_("An diesem Abend gibt es kein Cash Game."))
        return view(request, **kwargs)

    return run


def cash_page(permission: Permission, methods: tuple[str, ...] = SAFE) -> Decorator:
    """Make a page of the cash game for staff."""
    asked = staff(permission, people=True, methods=methods)
    return lambda view: never_cache(asked(of_cash_game(view)))


def cash_act(
    permission: Permission, *, leads_to: str = ""
) -> Callable[[Callable[..., Action]], View]:
    """Make a page of a call of one service, which gets the table or the player at the seat.

    :param leads_to: The page shown next; without one the action is answered with its undo.
    """

    def decorate(call: Callable[..., Action]) -> View:
        @cash_page(permission, ("POST",))
        @wraps(call)
        def run(request: StaffRequest, **numbers: int) -> HttpResponse:
            own: dict[str, Any] = {}
            if "cash_table" in numbers:
                own["table"] = table_or_404(request.event, numbers["cash_table"])
            if "cash_seat" in numbers:
                own["number"] = numbers["cash_seat"]
            action = call(request, **own)
            if leads_to:
                there = reverse(leads_to, args=[request.event.slug])
                return action_response(request, action, go_to=there)
            return undoable_response(request, action)

        return run

    return decorate


@adds_to_navigation
def cash_game_page(event: Event, actor: Actor) -> tuple[str, str] | None:
    """Return the cash tables page, if there are any."""
    if not event.has_cash_game or event.is_clock_only or not allows(actor, Permission.SEE_FLOOR):
        return None
    return _("Cash Game"), reverse("cash-game", args=[event.slug])


def table_or_404(event: Event, number: int) -> CashTable:
    row = get_object_or_404(CashTable.objects.live(), event=event, number=number)
    row.event = event
    return row


def player_or_404(table: CashTable, number: int) -> Registration:
    rows = CashSeat.objects.live().select_related("registration__person")
    return get_object_or_404(rows, table=table, seat=number).registration


def cents_sent(request: StaffRequest, name: str) -> int | None:
    """Return a typed amount in cents; None for an empty field."""
    raw = request.POST.get(name, "").strip()
    if not raw:
        return None
    is_below = raw[0] in "-−"
    try:
        cents = cents_of(raw[1:] if is_below else raw)
    except ValueError as problem:
        raise Refused(_("Bitte einen Betrag wie 12,50 eingeben."), code="bad_amount") from problem
    return -cents if is_below else cents


def cents_needed(request: StaffRequest, name: str) -> int:
    """Return a required typed amount."""
    found = cents_sent(request, name)
    if found is None:
        raise Refused(_("Bitte einen Betrag wie 12,50 eingeben."), code="bad_amount")
    return found


def means_sent(request: StaffRequest) -> Means:
    raw = request.POST.get("means", "")
    return Means(raw) if raw in set(Means) else Means.CASH


MOST_GUESTS = 400


@cash_page(Permission.SEE_FLOOR)
def overview(request: StaffRequest) -> HttpResponse:
    """Show all cash tables, with the director's forms to open one and set the end."""
    event = request.event
    rows = CashTable.objects.live().filter(event__club=event.club_id)
    alike = rows.filter(event__cash_unit=event.cash_unit, event__is_sample=event.is_sample)
    form = OpenForm(event=event, mains=main_tables(event), like=alike.order_by("-pk").first())
    context = page_context(request, event, request.actor) | _overview(request)
    return render(request, "cashgame/overview.html", context | {"form": form})


@cash_page(Permission.SEE_FLOOR)
def overview_panel(request: StaffRequest) -> HttpResponse:
    """Show only the tables, for an open page."""
    return render(request, "cashgame/overview_panel.html", _overview(request))


def _overview(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, present(request.event)
    evening = cash_evening(event, now)
    return {
        "event": event,
        "tables": evening.tables,
        "due": cash_due(event, evening.tables, now),
        "ends_at": evening.ends_at,
        "ends_typed": localtime(evening.ends_at).strftime("%H:%M") if evening.ends_at else "",
        "last": evening.last,
        "closed": closed_tables(event),
        "tips_cents": tips_left(event),
        "guests": _guests(event, even_seated=True),
        "is_noted": bool(balances_noted(event)),
        "leads": allows(request.actor, Permission.MANAGE),
        "may_offer": allows(request.actor, Permission.TAKE_MONEY),
    }


@cash_page(Permission.SEE_FLOOR)
def table(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Show one table: hand, seats, waiting list, counts."""
    row = table_or_404(request.event, cash_table)
    context = page_context(request, request.event, request.actor) | _table(request, row)
    own = {
        "guests": _guests(request.event),
        "has_alike": len(tables_alike(row)) > 1,
        "form": OpenForm(event=request.event, table=row),
    }
    return render(request, "cashgame/table.html", context | own)


@cash_page(Permission.SEE_FLOOR)
def table_panel(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Show only the table, for an open page."""
    row = table_or_404(request.event, cash_table)
    return render(request, "cashgame/table_panel.html", _table(request, row))


def _table(request: StaffRequest, row: CashTable) -> dict[str, Any]:
    event, now = request.event, present(request.event)
    is_closed = bool(tables_closed([row.pk]))
    (shown,) = tables_shown(event, [row], now)
    actor = request.actor
    return {
        "event": event,
        "shown": shown,
        "due": [] if is_closed else [one for one in cash_due(event, [shown], now) if one.table],
        "is_closed": is_closed,
        "asks_pot": row.fee_way == FeeWay.POT,
        "may_tap": allows(actor, Permission.RUN_HANDS),
        "may_sell": allows(actor, Permission.TAKE_MONEY),
        "may_count": allows(actor, Permission.COUNT_HEADS),
        "leads": allows(actor, Permission.MANAGE),
    }


@cash_page(Permission.SEE_FLOOR)
def seat(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Show the actions of a seat: sit down, or buy, change, leave."""
    event = request.event
    row = table_or_404(event, cash_table)
    context = _table(request, row)
    found = [one for one in context["shown"].seats if one.number == cash_seat]
    others = tables_shown(event, open_tables(event), present(event))
    free = [(one.row, place.number) for one in others for place in one.seats if place.row is None]
    sitting = found[0].row if found else None
    main = next((one.row for one in others if sitting in one.moves), None)
    # For a feeder's player the main table's seats come first.
    free.sort(key=lambda one: one[0] != main)
    own = {
        "place": found[0] if found else None,
        "purchases": purchases_of(sitting) if sitting else [],
        "number": cash_seat,
        "guests": _guests(event, context["shown"].line),
        "free": free,
        "main": main,
        "means": means_taken(event.club),
        "may_note": allows(request.actor, Permission.NOTE_ABSENCE),
    }
    return render(request, "cashgame/seat.html", context | own)


def _guests(event: Event, line: Any = (), *, even_seated: bool = False) -> list[str]:
    """Return the names to choose from: the waiting list first, then by name."""
    found = guests_named(event, even_seated=even_seated)
    first = {one.row.registration_id: one.place for one in line}
    return sorted(found, key=lambda name: first.get(found[name], MOST_GUESTS))[:MOST_GUESTS]


# --- Actions at a seat of a cash table, and on its waiting list


@cash_act(Permission.TAKE_MONEY)
def sit(request: StaffRequest, table: CashTable, number: int) -> Action:
    """Seat a player with bought chips."""
    with transaction.atomic():
        return cash_sit(
            command_of(request),
            registration=_guest(request, calls_in=True),
            table=table,
            seat=number,
            cents=cents_needed(request, "amount"),
            largest_cents=cents_sent(request, "largest"),
            means=means_sent(request),
        )


@cash_act(Permission.TAKE_MONEY)
def chips(request: StaffRequest, table: CashTable, number: int) -> Action:
    """Sell more chips, correct a purchase, cash out, or take the time fee."""
    command, means = command_of(request), means_sent(request)
    guest, what = player_or_404(table, number), request.POST.get("what")
    if what == "more":
        return cash_top_up(
            command,
            registration=guest,
            cents=cents_needed(request, "amount"),
            stack_cents=cents_sent(request, "stack") or 0,
            largest_cents=cents_sent(request, "largest"),
            means=means,
        )
    if what == "out":
        cents = cents_needed(request, "amount")
        return cash_out(command, registration=guest, cents=cents, means=means)
    if what == "correct":
        pk = whole_number(request, "purchase")
        purchase = get_object_or_404(Action, event=request.event, pk=pk)
        cents = cents_needed(request, "amount")
        return cash_correct(command, registration=guest, purchase=purchase, cents=cents)
    if what == "fee":
        return cash_fee_pay(command, registration=guest, means=means)
    raise Refused(_("Das gibt es hier nicht."), code="unknown")


@cash_act(Permission.TAKE_MONEY)
def move(request: StaffRequest, table: CashTable, number: int) -> Action:
    """Move a player to another seat, here or at another cash table."""
    guest, wanted = player_or_404(table, number), place(request, "to")
    if wanted is None:
        raise Refused(_("Bitte einen Platz wählen."), code="no_seat")
    return cash_move(
        command_of(request),
        registration=guest,
        table=table_or_404(request.event, wanted[0]),
        seat=wanted[1],
        stack_cents=cents_sent(request, "stack"),
        pays_fee="pays_fee" in request.POST,
        means=means_sent(request),
    )


@cash_act(Permission.NOTE_ABSENCE)
def presence(request: StaffRequest, table: CashTable, number: int) -> Action:
    """Record that a player is away, is back, or leaves in so many minutes."""
    command, guest = command_of(request), player_or_404(table, number)
    what = request.POST.get("what")
    if what == "back":
        return cash_back(command, registration=guest)
    if what == "away":
        minutes = whole_number(request, "minutes")
        return cash_away(command, registration=guest, minutes=minutes)
    if what == "leaves":
        later = timedelta(minutes=whole_number(request, "minutes"))
        at = present(request.event) + later
        return cash_leave_announce(command, registration=guest, leaves_at=at)
    raise Refused(_("Das gibt es hier nicht."), code="unknown")


@cash_act(Permission.ASK_PURCHASE)
def wait(request: StaffRequest, table: CashTable) -> Action:
    """Put a player on a table's waiting list, or take the player off it."""
    if request.POST.get("what") == "drop":
        return cash_unwait(command_of(request), registration=_guest(request), table=table)
    is_any = "any" in request.POST
    with transaction.atomic():
        guest = _guest(request, calls_in=True)
        return cash_wait(command_of(request), registration=guest, table=table, any_table=is_any)


@cash_act(Permission.TAKE_MONEY)
def offer(request: StaffRequest, table: CashTable) -> Action:
    """Offer a free seat to the next in line."""
    return cash_offer(command_of(request), table=table)


@cash_act(Permission.TAKE_MONEY)
def tips(request: StaffRequest) -> Action:
    """Hand tips to a dealer."""
    guest, cents = _guest(request), cents_needed(request, "amount")
    return cash_tips_pay(command_of(request), registration=guest, cents=cents)


def _guest(request: StaffRequest, *, calls_in: bool = False) -> Registration:
    """Return the person of a number, or of a typed name.

    :param calls_in: Whether an unknown name is registered, beside a tournament for cash alone.
    """
    number, typed = optional_number(request, "guest"), request.POST.get("who", "").strip()
    if number is None and typed:
        found = guests_named(request.event, even_seated=True).items()
        number = next((pk for name, pk in found if normal_name(name) == normal_name(typed)), None)
        if number is None and calls_in:
            command = part_of(command_of(request), "call-in")
            is_mixed = not request.event.is_cash_only
            made = registration_create(command, name=typed, is_listed=False, is_cash_guest=is_mixed)
            number = made.payload["registration"]
    if number is None:
        raise Refused(_("Bitte jemanden wählen, der angemeldet ist."), code="nobody")
    return get_object_or_404(Registration, event=request.event, pk=number)
