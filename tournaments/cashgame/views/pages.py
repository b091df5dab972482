"""The pages of the cash game: all tables, one table on a phone, one seat in a sheet."""

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

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.forms.tables import OpenForm
from tournaments.cashgame.selectors.books import (
    balances_noted,
    end_of,
    last_hands_of,
    open_tables,
    purchases_of,
    table_like_last_time,
    tables_closed,
    tips_left,
)
from tournaments.cashgame.selectors.due import cash_due
from tournaments.cashgame.selectors.layout import closed_tables, tables_shown
from tournaments.cashgame.selectors.line import guests_named, main_tables, tables_alike
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
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    View,
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
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.event.has_cash_game:
            raise Http404(_("An diesem Abend gibt es kein Cash Game."))
        return view(request, *args, **kwargs)

    return run


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


def seat_or_404(table: CashTable, seat: int) -> CashSeat:
    rows = CashSeat.objects.live().select_related("registration__person", "table")
    return get_object_or_404(rows, table=table, seat=seat)


def cents_sent(request: StaffRequest, name: str) -> int | None:
    """Return a typed amount in cents; None for an empty field.

    :raises Refused: It is no amount.
    """
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
    """Return a required typed amount.

    :raises Refused: The field is empty.
    """
    found = cents_sent(request, name)
    if found is None:
        raise Refused(_("Bitte einen Betrag wie 12,50 eingeben."), code="bad_amount")
    return found


def means_sent(request: StaffRequest) -> Means:
    raw = request.POST.get("means", "")
    return Means(raw) if raw in set(Means) else Means.CASH


MOST_GUESTS = 400


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def overview(request: StaffRequest) -> HttpResponse:
    """Show all cash tables, with the director's forms to open one and set the end."""
    event = request.event
    form = OpenForm(event=event, mains=main_tables(event), like=table_like_last_time(event))
    context = page_context(request, event, request.actor) | _overview(request)
    return render(request, "cashgame/overview.html", context | {"form": form})


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def overview_panel(request: StaffRequest) -> HttpResponse:
    """Show only the tables, for an open page."""
    return render(request, "cashgame/overview_panel.html", _overview(request))


def _overview(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, present(request.event)
    ends_at, tables = end_of(event), tables_shown(event, open_tables(event), now)
    return {
        "event": event,
        "tables": tables,
        "due": cash_due(event, tables, now),
        "ends_at": ends_at,
        "ends_typed": localtime(ends_at).strftime("%H:%M") if ends_at else "",
        "last": last_hands_of(event),
        "closed": closed_tables(event),
        "tips_cents": tips_left(event),
        "guests": _guests(event, even_seated=True),
        "is_noted": bool(balances_noted(event)),
        "leads": allows(request.actor, Permission.MANAGE),
        "may_offer": allows(request.actor, Permission.TAKE_MONEY),
    }


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
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


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
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


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
@of_cash_game
def seat(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Show the actions of a seat: sit down, or buy, change, leave."""
    event = request.event
    row = table_or_404(event, cash_table)
    context = _table(request, row)
    found = [one for one in context["shown"].seats if one.number == cash_seat]
    others = tables_shown(event, open_tables(event), present(event))
    free = [(one.row, place.number) for one in others for place in one.seats if place.row is None]
    sitting = found[0].row if found else None
    must = [one for table in others for one in table.moves if one.seat == sitting]
    # For a feeder's player the main table's seats come first.
    free.sort(key=lambda one: not (must and one[0] == must[0].main))
    own = {
        "place": found[0] if found else None,
        "purchases": purchases_of(sitting) if sitting else [],
        "number": cash_seat,
        "guests": _guests(event, context["shown"].line),
        "free": free,
        "must": must[0] if must else None,
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


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def sit(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Seat a player with bought chips."""
    row = table_or_404(request.event, cash_table)
    with transaction.atomic():
        action = cash_sit(
            command_of(request),
            registration=_guest(request, calls_in=True),
            table=row,
            seat=cash_seat,
            cents=cents_needed(request, "amount"),
            largest_cents=cents_sent(request, "largest"),
            means=means_sent(request),
        )
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def chips(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Sell more chips, cash out, or take the time fee."""
    seat_row = seat_or_404(table_or_404(request.event, cash_table), cash_seat)
    guest, means, what = seat_row.registration, means_sent(request), request.POST.get("what")
    if what == "more":
        action = cash_top_up(
            command_of(request),
            registration=guest,
            cents=cents_needed(request, "amount"),
            stack_cents=cents_sent(request, "stack") or 0,
            largest_cents=cents_sent(request, "largest"),
            means=means,
        )
    elif what == "out":
        cents = cents_needed(request, "amount")
        action = cash_out(command_of(request), registration=guest, cents=cents, means=means)
    elif what == "correct":
        pk = whole_number(request, "purchase")
        purchase = get_object_or_404(Action, event=request.event, pk=pk)
        cents = cents_needed(request, "amount")
        action = cash_correct(
            command_of(request), registration=guest, purchase=purchase, cents=cents
        )
    elif what == "fee":
        action = cash_fee_pay(command_of(request), registration=guest, means=means)
    else:
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def move(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Move a player to another seat, here or at another cash table."""
    seat_row = seat_or_404(table_or_404(request.event, cash_table), cash_seat)
    wanted = place(request, "to")
    if wanted is None:
        raise Refused(_("Bitte einen Platz wählen."), code="no_seat")
    to = get_object_or_404(CashTable.objects.live(), event=request.event, number=wanted[0])
    action = cash_move(
        command_of(request),
        registration=seat_row.registration,
        table=to,
        seat=wanted[1],
        stack_cents=cents_sent(request, "stack"),
        pays_fee="pays_fee" in request.POST,
        means=means_sent(request),
    )
    return undoable_response(request, action)


@staff(Permission.NOTE_ABSENCE, people=True, methods=("POST",))
@of_cash_game
def presence(request: StaffRequest, cash_table: int, cash_seat: int) -> HttpResponse:
    """Record that a player is away, is back, or leaves in so many minutes."""
    seat_row = seat_or_404(table_or_404(request.event, cash_table), cash_seat)
    guest, what = seat_row.registration, request.POST.get("what")
    if what == "back":
        action = cash_back(command_of(request), registration=guest)
    elif what == "away":
        minutes = whole_number(request, "minutes")
        action = cash_away(command_of(request), registration=guest, minutes=minutes)
    elif what == "leaves":
        later = timedelta(minutes=whole_number(request, "minutes"))
        at = present(request.event) + later
        action = cash_leave_announce(command_of(request), registration=guest, leaves_at=at)
    else:
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    return undoable_response(request, action)


@staff(Permission.ASK_PURCHASE, people=True, methods=("POST",))
@of_cash_game
def wait(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Put a player on a table's waiting list, or take the player off it."""
    own: dict[str, Any] = {"table": table_or_404(request.event, cash_table)}
    if request.POST.get("what") == "drop":
        action = cash_unwait(command_of(request), registration=_guest(request), **own)
    else:
        own["any_table"] = "any" in request.POST
        with transaction.atomic():
            guest = _guest(request, calls_in=True)
            action = cash_wait(command_of(request), registration=guest, **own)
    return undoable_response(request, action)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def offer(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Offer a free seat to the next in line."""
    row = table_or_404(request.event, cash_table)
    return undoable_response(request, cash_offer(command_of(request), table=row))


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def tips(request: StaffRequest) -> HttpResponse:
    """Hand tips to a dealer."""
    guest, cents = _guest(request), cents_needed(request, "amount")
    return undoable_response(
        request, cash_tips_pay(command_of(request), registration=guest, cents=cents)
    )


def _guest(request: StaffRequest, *, calls_in: bool = False) -> Registration:
    """Return the person of a number, or of a typed name.

    :param calls_in: Whether an unknown name is registered, beside a tournament for cash alone.
    """
    number, typed = optional_number(request, "guest"), request.POST.get("who", "").strip()
    if number is None and typed:
        found = guests_named(request.event, even_seated=True).items()
        number = next((pk for name, pk in found if normal_name(name) == normal_name(typed)), None)
        if number is None and calls_in:
            command, is_mixed = (
                part_of(command_of(request), "call-in"),
                not request.event.is_cash_only,
            )
            made = registration_create(command, name=typed, is_listed=False, is_cash_guest=is_mixed)
            number = made.payload["registration"]
    if number is None:
        raise Refused(_("Bitte jemanden wählen, der angemeldet ist."), code="nobody")
    return get_object_or_404(Registration, event=request.event, pk=number)
