"""Seats at cash tables: sit down with chips, buy more, change seats, leave."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.ledger import Step
from tournaments.cashgame.domain.stakes import (
    MOST_CENTS,
    Range,
    buying_range,
    obstacle_to_buy,
    obstacle_to_take,
)
from tournaments.cashgame.selectors.books import (
    chips_on,
    chips_on_table,
    fee_counted_until,
    fees_open,
    hands_running,
    range_for,
    tables_closed,
)
from tournaments.cashgame.selectors.layout import amount_at, refusal_of
from tournaments.cashgame.selectors.line import (
    moves_due,
    offers_live,
    seats_kept,
    seats_unclaimed,
)
from tournaments.cashgame.services.parts import (
    book_step,
    drop_waits,
    largest_stack_named,
    live_cash_table,
    live_guest,
    live_seat,
    refuse_hand,
    refuse_in_tournament,
    say_who,
    seat_held,
    take_time_fee,
)
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.door.services.arrivals import here_at_cash_table
from tournaments.event.selectors.labels import amount, amount_words
from tournaments.models import (
    Action,
    CashAway,
    CashLeave,
    CashOffer,
    CashSeat,
    CashTable,
    Posting,
    Registration,
)
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.services.fees import money_taken_back

CASH_SEAT_TAKEN = Kind(
    "cash_seat.taken",
    lazy("Cash-Tisch %(table)s, Platz %(seat)s: %(name)s kauft %(amount)s"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
    frees_cash_seats=True,
)


@service(CASH_SEAT_TAKEN, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_sit(
    change: Change,
    *,
    registration: Registration,
    table: CashTable,
    seat: int,
    cents: int,
    largest_cents: int | None = None,
    means: Means = Means.CASH,
) -> None:
    """Seat a player with bought chips; during a hand, the player is dealt in from the next."""
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    there = seat_held(guest)
    if there is not None:
        raise Refused(
            _("%(name)s sitzt schon an Cash-Tisch %(table)s.")
            % {"name": guest.person.name, "table": there.table.number},
            code="seated",
        )
    refuse_in_tournament(change, guest)
    _refuse_seat(change, row, seat, guest)
    bounds = range_for(row, guest, change.at, largest_stack_named(row, largest_cents))
    _refuse_to_buy(row, bounds, cents)
    _seat(change, guest, row, seat)
    here_at_cash_table(change, guest)
    drop_waits(change, guest, row)
    book_step(change, row, Step.BOUGHT, cents, guest, means=means)
    say_who(change, guest, row, seat=seat, amount_cents=cents)


CASH_CHIPS_BOUGHT = Kind(
    "cash_chips.bought",
    lazy("Cash-Tisch %(table)s: %(name)s kauft %(amount)s nach"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_CHIPS_BOUGHT, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_top_up(
    change: Change,
    *,
    registration: Registration,
    cents: int,
    stack_cents: int,
    largest_cents: int | None = None,
    means: Means = Means.CASH,
) -> None:
    """Sell more chips between hands (S19)."""
    own_seat = live_seat(change, registration)
    row = live_cash_table(change, own_seat.table)
    largest_cents = largest_stack_named(row, largest_cents)
    there = max(0, chips_on_table(row))
    if not 0 <= stack_cents <= there:
        raise Refused(
            _("Ein Stapel kann nicht %(stack)s sein: Am Tisch liegen %(there)s.")
            % {"stack": amount_at(row, stack_cents), "there": amount_at(row, there)},
            code="bad_stack",
        )
    bounds = buying_range(row.stakes, largest_cents)
    running = bool(hands_running([row.pk]))
    _refuse_to_buy(row, bounds, cents, stack_cents=stack_cents, is_hand_running=running)
    book_step(change, row, Step.BOUGHT, cents, own_seat.registration, means=means)
    say_who(change, own_seat.registration, row, seat=own_seat.seat, amount_cents=cents)


def _refuse_to_buy(table: CashTable, bounds: Range, cents: int, **own: Any) -> None:
    no = obstacle_to_buy(bounds, cents, **own)
    if no is not None:
        raise refusal_of(no, table, least=bounds.least, most=bounds.most, taken=bounds.taken)


CASH_SEAT_LEFT = Kind(
    "cash_seat.left",
    lazy("Cash-Tisch %(table)s: %(name)s geht mit %(amount)s"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
    frees_cash_seats=True,
)


@service(CASH_SEAT_LEFT, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_out(
    change: Change, *, registration: Registration, cents: int, means: Means = Means.CASH
) -> None:
    """Cash a player out: pay all chips and free the seat."""
    own_seat = live_seat(change, registration)
    row = live_cash_table(change, own_seat.table)
    _refuse_to_take(change, own_seat, cents)
    _rise(change, own_seat)
    book_step(change, row, Step.CASHED, cents, own_seat.registration, means=means)
    say_who(change, own_seat.registration, row, seat=own_seat.seat, amount_cents=cents)


CASH_SEAT_CHANGED = Kind(
    "cash_seat.changed",
    lazy("%(name)s sitzt jetzt an Cash-Tisch %(table)s, Platz %(seat)s"),
    Group.TABLES,
    outcomes={
        "paid": lazy(
            "%(name)s zahlt %(fee)s Hausgebühr und sitzt jetzt an Cash-Tisch %(table)s, "
            "Platz %(seat)s"
        ),
    },
    words=lambda payload: {"fee": amount_words(payload, "fee_cents")},
    frees_cash_seats=True,
)


@service(CASH_SEAT_CHANGED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_move(
    change: Change,
    *,
    registration: Registration,
    table: CashTable,
    seat: int,
    stack_cents: int | None = None,
    pays_fee: bool = False,
    means: Means = Means.CASH,
) -> None:
    """Move a player to another seat; to another table with all chips."""
    own_seat, row = live_seat(change, registration), live_cash_table(change, table)
    before, until = own_seat.table, fee_counted_until(own_seat, row, change.at)
    _refuse_seat(change, row, seat, own_seat.registration)
    fee = take_time_fee(change, own_seat, means) if pays_fee else 0
    if before.pk == row.pk:
        refuse_hand(row)
        leaves = list(CashLeave.objects.live().filter(seat=own_seat))
        _rise(change, own_seat)
        moved = _seat(change, own_seat.registration, row, seat, since=own_seat)
        # An announced departure holds on the new seat; a player who moves is no longer away.
        for leave in leaves:
            CashLeave.objects.create(seat=moved, leaves_at=leave.leaves_at, made_by=change.action)
    else:
        _carry(change, own_seat, row, stack_cents)
        _rise(change, own_seat)
        _seat(change, own_seat.registration, row, seat)
        drop_waits(change, own_seat.registration, row)
    carried = (stack_cents or 0) if before.pk != row.pk else 0
    numbers = {"from_table": before.number, "amount_cents": carried}
    if until is not None:
        numbers["fee_until"] = round(until.timestamp())
    if fee:
        change.record(outcome="paid", fee_cents=fee)
    say_who(change, own_seat.registration, row, seat=seat, **numbers)


def _carry(change: Change, own_seat: CashSeat, to: CashTable, stack_cents: int | None) -> None:
    if stack_cents is None:
        raise Refused(_("Bitte dazusagen, wie viele Chips mitkommen."), code="no_stack")
    if (
        own_seat.table.is_noted != to.is_noted
        or own_seat.table.big_blind_cents != to.big_blind_cents
    ):
        raise Refused(
            _("Dort gelten andere Blinds oder wird anders bezahlt: erst auszahlen, dann kaufen."),
            code="other_stakes",
        )
    _refuse_to_take(change, own_seat, stack_cents)
    book_step(change, own_seat.table, Step.CARRIED_OUT, stack_cents)
    book_step(change, to, Step.CARRIED_IN, stack_cents)


def _refuse_to_take(change: Change, own_seat: CashSeat, cents: int) -> None:
    there = chips_on_table(own_seat.table)
    fee = fees_open([own_seat], change.at).get(own_seat.pk, 0)
    running = bool(hands_running([own_seat.table_id]))
    no = obstacle_to_take(there, cents, fee_open_cents=fee, is_hand_running=running)
    if no is not None:
        raise refusal_of(no, own_seat.table, there=there, fee=fee)


def _refuse_seat(change: Change, table: CashTable, seat: int, guest: Registration) -> None:
    if not 1 <= seat <= table.seats:
        raise Refused(
            _("Tisch %(table)s hat %(seats)s Plätze.")
            % {"table": table.number, "seats": table.seats},
            code="no_such_seat",
        )
    rows = CashSeat.objects.live().filter(table=table)
    taken = dict(rows.values_list("seat", "registration__person__name"))
    if seat in taken:
        raise Refused(
            _("Auf Platz %(seat)s von Tisch %(table)s sitzt %(name)s.")
            % {"seat": seat, "table": table.number, "name": taken[seat]},
            code="seat_taken",
        )
    if rows.filter(registration=guest).exists():
        return
    left = table.seats - len(taken) - seats_kept(table, change.at, besides=guest)
    if left <= 0:
        raise Refused(
            _("Die freien Plätze an Tisch %(table)s sind angeboten.") % {"table": table.number},
            code="seat_kept",
        )
    due = moves_due([table], change.at).get(table.pk, [])
    if guest.pk not in {one.registration_id for one in due} and left <= len(due):
        raise Refused(
            _("Der freie Platz an Tisch %(table)s gehört %(name)s von Tisch %(from)s: "
              "Wer am Zubringertisch zuerst saß, rückt zuerst nach.")
            % {"table": table.number, "name": due[0].registration.person.name,
               "from": due[0].table.number},
            code="must_move",
        )  # fmt: skip


def _seat(
    change: Change, guest: Registration, table: CashTable, seat: int, since: CashSeat | None = None
) -> CashSeat:
    return CashSeat.objects.create(
        event=change.event,
        registration=guest,
        table=table,
        seat=seat,
        since=since.since if since else change.at,
        made_by=change.action,
    )


def _rise(change: Change, own_seat: CashSeat) -> None:
    CashSeat.objects.filter(pk=own_seat.pk).update(voided_by=change.action)
    for model in (CashLeave, CashAway):
        model.objects.live().filter(seat=own_seat).update(voided_by=change.action)


CASH_BUY_CORRECTED = Kind(
    "cash_chips.corrected",
    lazy("Cash-Tisch %(table)s: Kauf von %(name)s berichtigt, %(before)s auf %(amount)s"),
    Group.FEES,
    words=lambda payload: {
        "amount": amount_words(payload),
        "before": amount_words(payload, "before_cents"),
    },
)


@service(CASH_BUY_CORRECTED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_correct(
    change: Change, *, registration: Registration, purchase: Action, cents: int
) -> None:
    """Correct a mistyped purchase of a seated player; the seat stays.

    The old booking is void with a counter-receipt, the new one has a receipt of its own.
    """
    own_seat = live_seat(change, registration)
    guest, row = own_seat.registration, live_cash_table(change, own_seat.table)
    wrong = Posting.objects.live().filter(event=change.event, made_by=purchase, cash_table=row)
    bought = wrong.filter(account=Account.CHIPS, registration=guest, amount_cents__lt=0).first()
    if bought is None:
        raise Refused(_("Diesen Kauf gibt es nicht mehr."), code="gone")
    before = -bought.amount_cents
    _refuse_correction(row, own_seat, purchase, before, cents)
    paid = wrong.filter(account=Account.CASH).first()
    wrong.update(voided_by=change.action)
    means = Means(paid.means) if paid else Means.CASH
    book_step(change, row, Step.BOUGHT, cents, guest, means=means)
    money_taken_back(change, purchase)
    say_who(
        change,
        guest,
        row,
        seat=own_seat.seat,
        amount_cents=cents,
        before_cents=before,
        purchase=purchase.payload.get("purchase", purchase.pk),
    )


def _refuse_correction(
    row: CashTable, own_seat: CashSeat, purchase: Action, before: int, cents: int
) -> None:
    if not 0 < cents <= MOST_CENTS or cents == before:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    if own_seat.made_by_id in (purchase.pk, purchase.payload.get("purchase")):
        # The largest stack of then is not known.
        guest, largest = own_seat.registration, MOST_CENTS
        _refuse_to_buy(row, range_for(row, guest, purchase.at, largest, but=purchase), cents)
    left = chips_on_table(row) - before + cents
    if left < 0:
        raise Refused(
            _("An Tisch %(table)s fehlten dann %(cents)s.")
            % {"table": row.number, "cents": amount_at(row, -left)},
            code="too_few_chips",
        )


# --- Undo at cash tables: books never go below zero and do not change once closed


def tables_taken_back(change: Change, action: Action) -> None:
    """Refuse an undo the books do not allow. Called after the facts are void or live."""
    if not change.event.has_cash_game:
        return
    touched = [action.pk, *([action.undoes_id] if action.undoes_id else [])]
    rows = Posting.objects.filter(Q(made_by__in=touched) | Q(voided_by=change.action))
    found = set(rows.filter(cash_table__isnull=False).values_list("cash_table", flat=True))
    seats = CashSeat.objects.filter(Q(made_by__in=touched) | Q(voided_by=change.action))
    own_seats = list(seats.values_list("table", "registration"))
    tables = CashTable.objects.in_bulk(found | {table for table, _registration in own_seats})
    for pk in sorted(tables_closed(tables)):
        raise Refused(
            _("Tisch %(table)s ist abgeschlossen. Erst den Abschluss zurücknehmen.")
            % {"table": tables[pk].number},
            code="table_closed",
        )
    for pk, there in sorted(chips_on(found).items()):
        if there < 0:
            raise Refused(
                _("An Tisch %(table)s fehlten dann %(cents)s.")
                % {"table": tables[pk].number, "cents": amount(-there, change.event.cash_unit)},
                code="too_few_chips",
            )
    _refuse_chips_of_nobody(own_seats)
    # The latest offers of seats that are taken again are void; who was asked stays in line.
    empty = seats_unclaimed(list(tables.values()), change.at)
    offers = offers_live(waiting__table__in=tables, until__gt=change.at)
    for offer in offers.select_related("waiting").order_by("pk"):
        empty[offer.waiting.table_id] -= 1
        if empty[offer.waiting.table_id] < 0:
            CashOffer.objects.filter(pk=offer.pk).update(voided_by=change.action)


def _refuse_chips_of_nobody(own_seats: list[tuple[int, int]]) -> None:
    for table, registration in own_seats:
        if CashSeat.objects.live().filter(registration=registration).exists():
            continue
        own = Posting.objects.live().filter(registration=registration, account=Account.CHIPS)
        last = own.order_by("-pk").values_list("amount_cents", flat=True).first()
        if last is not None and last < 0:
            number = CashTable.objects.get(pk=table).number
            raise Refused(
                _("Seither wurden an Tisch %(table)s Chips gekauft. Erst das zurücknehmen.")
                % {"table": number},
                code="bought_since",
            )
