"""Payments and the journal: bookings of two sides that sum to zero, each with its receipt.

Paid and owed follow from the postings. Receipts have numbers without a gap; an undo writes a
cancellation.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import BigIntegerField, F, Q, Value
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.data.sql import update_returning, wait_for_turn
from tournaments.changes.access import REFUSALS, Permission, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, Topic, declare_texts
from tournaments.event.selectors.labels import money
from tournaments.models import (
    Action,
    CashTable,
    Club,
    Drawer,
    Posting,
    Purchase,
    Receipt,
    ReceiptCount,
    Registration,
)
from tournaments.money.domain.accounts import NOT_PAID, Account, Means, Side
from tournaments.money.selectors.drawers import (
    drawer_balance,
    drawer_of_device,
    drawers_closed,
    has_drawers,
    takes_money,
)
from tournaments.money.selectors.journal import (
    Standing,
    means_taken,
    payments,
    standing_of,
    standings_of,
)
from tournaments.money.selectors.tickets import paid_by_ticket

ROWS_AT_ONCE = 500
TURN = "drawers"  # of changes that need more than one drawer, or none yet
MOST_CENTS = 100_000_000
LONGEST_NAME = 80

declare_texts(Holds.NAMES, ["payer"])


FEE_PAID = Kind("fee.paid", lazy("Startgeld bezahlt: %(name)s"), Group.FEES)


@service(FEE_PAID, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def fee_pay(
    change: Change,
    *,
    registration: Registration,
    amount_cents: int | None = None,
    means: Means = Means.CASH,
    payer: str = "",
    open_seen: int | None = None,
) -> None:
    """Book a player's payment: the open amount, unless another is given.

    :param payer: The person who paid, if another.
    :param open_seen: The open amount shown to the device; refused if it has changed, so that one
    payment is not taken twice.
    """
    row = registration_of(change, registration)
    standing = standing_of(row)
    still_open = standing.open_cents
    if open_seen is not None and open_seen != still_open:
        raise Refused(
            _("Inzwischen hat jemand gebucht. Offen: %(open)s.") % {"open": money(still_open)},
            code="already_paid",
        )
    amount = still_open if amount_cents is None else amount_cents
    if amount_cents is None and amount <= 0:
        raise Refused(_("Das Startgeld ist schon bezahlt."), code="already_paid")
    if not 0 < amount <= MOST_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    refuse_means_not_taken(change.club, means)
    payment_book(change, row, amount, means, standing=standing)
    change.tell(payer=payer.strip()[:LONGEST_NAME])


FEE_REFUNDED = Kind("fee.refunded", lazy("Startgeld zurückgegeben: %(name)s"), Group.FEES)


@service(FEE_REFUNDED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def fee_refund(
    change: Change,
    *,
    registration: Registration,
    amount_cents: int | None = None,
    means: Means = Means.CASH,
    after_the_draw: bool = False,
) -> None:
    """Book a refund of all or part of what was paid; also for a withdrawn registration.

    :param after_the_draw: Whether the desk was told that the player stays in play.
    """
    row = registration_of(change, registration)
    standing = standing_of(row)
    paid = standing.paid
    if paid <= 0:
        raise Refused(_("Hier ist nichts bezahlt."), code="nothing_paid")
    amount = paid if amount_cents is None else amount_cents
    if not 0 < amount <= paid:
        raise Refused(
            _("Bezahlt sind %(paid)s. Mehr geht nicht zurück.") % {"paid": money(paid)},
            code="bad_amount",
        )
    is_too_much = row.voided_by_id is None and amount <= -standing.balance_cents
    if not is_too_much and not after_the_draw and row.entries.live().exists():
        raise Refused(
            _("%(name)s ist schon eingecheckt und bleibt im Turnier. Der Betrag ist dann offen.")
            % {"name": row.person.name},
            code="has_entry",
        )
    refuse_means_not_taken(change.club, means)
    payment_book(change, row, -amount, means, standing=standing)


def payments_even(change: Change, registrations: Collection[int]) -> int:
    """Book payments to the prices owed now; return how many registrations changed.

    After an undo, a purchase or a new price the same money covers other prices. Otherwise the pool
    would be wrong until the next payment. No cash moves and no receipt is written.
    """
    if not registrations:
        return 0
    stands = standings_of(change.event, registrations)
    sides = {row: stands[row].sides_after() for row in sorted(stands)}
    Posting.objects.bulk_create(
        (
            Posting(
                event=change.event,
                registration_id=row,
                account=account,
                part=part,
                amount_cents=cents,
                made_by=change.action,
            )
            for row, own in sides.items()
            for (account, part), cents in own.items()
        ),
        batch_size=ROWS_AT_ONCE,
    )
    return sum(map(bool, sides.values()))


def payment_book(
    change: Change,
    row: Registration,
    amount_cents: int,
    means: Means = Means.CASH,
    *,
    standing: Standing | None = None,
) -> None:
    """Book an amount paid in (or paid back, below zero) to the prices it covers.

    :param standing: Owed and paid of the player, if already read.
    """
    sides = payment_sides(row, amount_cents, standing=standing)
    book(change, sides, registration=row, means=means)
    change.record(registration=row.pk, amount_cents=amount_cents)
    change.tell(name=row.person.name)


def payment_sides(
    row: Registration, amount_cents: int, *, standing: Standing | None = None
) -> dict[Side, int]:
    """Return the sides, without cash, of an amount paid in (or paid back, below zero)."""
    stands = standing or standing_of(row)
    if amount_cents < 0 and stands.paid + amount_cents < (by_ticket := paid_by_ticket(row)):
        raise Refused(
            _("%(amount)s sind mit Ticket bezahlt: Das Einlösen lässt sich zurücknehmen, in bar "
              "zurück geht es nicht.")
            % {"amount": money(by_ticket)},
            code="paid_by_ticket",
        )  # fmt: skip
    return stands.sides_after(amount_cents)


def registration_of(change: Change, registration: Registration) -> Registration:
    """Return a registration of the event, withdrawn or not."""
    rows = Registration.objects.select_related("person").filter(event=change.event)
    row = rows.filter(pk=registration.pk).first()
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    row.event = change.event
    return row


def refuse_means_not_taken(club: Club, means: Means) -> None:
    """Refuse a means of payment the club does not accept."""
    if means not in means_taken(club):
        raise Refused(_("So nimmt der Verein kein Geld."), code="means_not_taken")


# --- The journal: the rows of a booking, with sum zero, and its receipt


def book(
    change: Change,
    sides: Mapping[Side, int],
    *,
    registration: Registration | None = None,
    fees: Mapping[Side, int] | None = None,
    means: Means = Means.CASH,
    cash_table: CashTable | None = None,
) -> None:
    """Write a booking with its cash side, and a receipt for the person concerned.

    The cash goes into or comes from the drawer of the acting device.

    :param sides: The sides without cash. Below zero is paid in, above zero paid out.
    :param registration: The person concerned. The cash side names them for a payment, but not for
    prizes or cash-game chips, so that "paid" remains the payments for the tournament.
    :param fees: The sides of the person's payments, deducted from a payout or refunded with it.
    :param cash_table: The cash table of the chips or the fee.
    :raises Refused: The device has no drawer, it holds too little, or the amount is above the limit
    for payouts without the director.
    """
    fees = fees or {}
    paid = -sum(fees.values())
    cash = paid - sum(sides.values())
    is_payout = any(account in NOT_PAID for account, _part in sides)
    drawer = drawer_taking(change, means) if cash else None
    if cash < 0:
        refuse_above_the_limit(change, -cash)
        if means == Means.CASH:
            refuse_more_than_there_is(drawer, -cash)
    named = None if is_payout else registration
    rows = [
        (named, (Account.CASH, ""), cash - paid),
        (registration, (Account.CASH, ""), paid),
        *((registration, side, cents) for side, cents in (*sides.items(), *fees.items())),
    ]
    _write(change, rows, drawer=drawer, means=means, cash_table=cash_table)
    if registration is not None and (cash or fees):
        receipt_write(
            change, registration, cents=cash, means=means, drawer=drawer, is_payout=is_payout
        )


def drawer_taking(change: Change, means: Means) -> Drawer | None:
    """Return the drawer for this payment; None for the unnamed one.

    Until a drawer is opened at the event, cash goes to an unnamed one. After that, cash needs a
    drawer. Other means of payment need none.

    :raises Refused: The device needs a drawer and has none.
    """
    device = change.by.device
    drawer = drawer_of_device(change.event, device, locks=True) if device is not None else None
    if drawer is not None:
        return drawer
    if not allows(change.by, Permission.CHECK_IN):
        raise Refused(REFUSALS[Permission.TAKE_MONEY], code="no_drawer_given")
    if means == Means.CASH and has_drawers(change.event):
        raise Refused(
            _("Dieses Gerät hat keine offene Kasse. Erst unter „Kasse“ eine öffnen."),
            code="no_drawer",
        )
    return None


def refuse_who_takes_no_money(change: Change) -> None:
    """Refuse a device that is neither at the desk nor holds a drawer."""
    if not takes_money(change.event, change.by):
        raise Refused(REFUSALS[Permission.TAKE_MONEY], code="no_drawer_given")


def refuse_above_the_limit(change: Change, cents: int) -> None:
    """Refuse a payout above the limit for payouts without the director."""
    limit = change.event.payout_limit_cents
    if limit and cents > limit and not allows(change.by, Permission.MANAGE):
        raise Refused(
            _("Mehr als %(limit)s zahlt nur die Turnierleitung aus.") % {"limit": money(limit)},
            code="above_limit",
        )


def refuse_more_than_there_is(drawer: Drawer | None, cents: int) -> None:
    """Refuse to take more cash than a drawer holds."""
    if drawer is None:
        return
    there = drawer_balance(drawer)
    if cents > there:
        raise Refused(
            _("In Kasse %(number)s sind nur %(there)s in bar.")
            % {"number": drawer.number, "there": money(there)},
            code="too_little_cash",
        )


def _write(
    change: Change,
    rows: Iterable[tuple[Registration | None, Side, int]],
    *,
    drawer: Drawer | None,
    means: Means,
    cash_table: CashTable | None,
) -> None:
    Posting.objects.bulk_create(
        [
            Posting(
                event=change.event,
                registration=registration,
                account=account,
                part=part,
                amount_cents=cents,
                drawer=drawer if account == Account.CASH else None,
                means=means if account == Account.CASH else "",
                cash_table=cash_table,
                made_by=change.action,
            )
            for registration, (account, part), cents in rows
            if cents
        ]
    )


# --- Undo of money: cancellation receipts, and refusals to protect drawers


NOTHING = Value(None, output_field=BigIntegerField(null=True))


def money_taken_back(change: Change, action: Action) -> set[int]:
    """Cancel the receipts of an undone action, and refuse an impossible undo.

    Called after the facts are void (or live again). Returns the registrations with a payment or
    purchase in the action: their payments may cover other prices now.

    :raises Refused: A drawer is closed by now or would go below zero, or a player would have more
    refunded than paid.
    """
    touched = [action.pk, *([action.undoes_id] if action.undoes_id else [])]
    concerned = Q(made_by__in=touched) | Q(voided_by=change.action)
    postings = Posting.objects.filter(concerned).values_list("account", "drawer", "registration")
    bought = Purchase.objects.filter(concerned).annotate(account=Value(""), drawer=NOTHING)
    found = list(postings.union(bought.values_list("account", "drawer", "registration")))
    if any(account == Account.CASH for account, _drawer, _registration in found):
        _cash_taken_back(change, action, found)
    own = ((account, registration) for account, _drawer, registration in found if registration)
    return {registration for account, registration in own if account not in NOT_PAID}


def _cash_taken_back(
    change: Change, action: Action, found: Sequence[tuple[str, int | None, int | None]]
) -> None:
    drawers = {drawer for _account, drawer, _registration in found if drawer is not None}
    if len(drawers) > 1:
        wait_for_turn(TURN, change.event.club_id)
    rows = Drawer.objects.filter(pk__in=drawers, voided_by=None).order_by("pk")
    locked = list(rows.select_for_update(no_key=True))
    for closing in drawers_closed(drawers).values():
        raise Refused(
            _("Kasse %(number)s ist abgeschlossen. Erst den Abschluss zurücknehmen.")
            % {"number": closing.drawer.number},
            code="drawer_closed",
        )
    for drawer in locked:
        there = drawer_balance(drawer)
        if there < 0:
            raise Refused(
                _("In Kasse %(number)s fehlten dann %(cents)s.")
                % {"number": drawer.number, "cents": money(-there)},
                code="too_little_cash",
            )
    people = {
        registration
        for account, _drawer, registration in found
        if account == Account.CASH and registration is not None
    }
    if any(cents < 0 for cents in payments(change.event, people).values()):
        raise Refused(
            _("Das Geld ist schon zurückgegeben. Erst die Rückgabe zurücknehmen."),
            code="already_refunded",
        )
    receipts_counter(change, action)


def receipt_write(
    change: Change,
    registration: Registration | None,
    *,
    cents: int,
    means: Means,
    drawer: Drawer | None,
    is_payout: bool = False,
    counters: Receipt | None = None,
) -> Receipt:
    """Write a receipt with the next number of the year.

    The counter is locked until the change is committed: no number is used twice, and a failed
    change leaves no gap.
    """
    event = change.event
    year = timezone.localtime(change.action.recorded_at).year
    of_sample = event if event.is_sample else None
    of_year: dict[str, Any] = {"club_id": event.club_id, "event": of_sample, "year": year}
    counts, one_more = ReceiptCount.objects.filter(**of_year), {"last": F("last") + 1}
    number = update_returning(counts, one_more, "last")
    if not number:
        ReceiptCount.objects.get_or_create(**of_year)
        number = update_returning(counts, one_more, "last")
    row = Receipt.objects.create(
        club_id=event.club_id,
        event=event,
        year=year,
        number=number[0],
        is_sample=event.is_sample,
        action=change.action,
        counters=counters,
        registration=registration,
        drawer=drawer,
        means=means,
        cents=cents,
        is_payout=is_payout,
        made_at=change.action.recorded_at,
    )
    written = [year, number[0], cents, *([counters.number] if counters else [])]
    change.record(receipts=[*change.action.payload.get("receipts", []), written])
    return row


def receipts_counter(change: Change, action: Action) -> None:
    """Write a cancellation for each receipt of an undone action."""
    rows = Receipt.objects.filter(action=action).select_related("registration", "drawer")
    for row in rows.order_by("pk"):
        receipt_write(
            change,
            row.registration,
            cents=-row.cents,
            means=Means(row.means),
            drawer=row.drawer,
            is_payout=row.is_payout,
            counters=row,
        )
