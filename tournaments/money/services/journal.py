"""Write the journal: the rows of a booking, with sum zero, and its receipt."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import BigIntegerField, Q, Value
from django.utils.translation import gettext as _

from krru.data.sql import wait_for_turn
from tournaments.changes.access import REFUSALS, Permission, allows
from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.labels import money
from tournaments.models import Action, CashTable, Drawer, Posting, Purchase, Registration
from tournaments.money.domain.accounts import NOT_PAID, Account, Means, Side
from tournaments.money.selectors.drawers import (
    drawer_balance,
    drawer_of_device,
    drawers_closed,
    has_drawers,
    takes_money,
)
from tournaments.money.selectors.journal import payments
from tournaments.money.services.receipts import receipt_write, receipts_counter

ROWS_AT_ONCE = 500
TURN = "drawers"  # of changes that need more than one drawer, or none yet


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
    paid = -sum(fees.values()) if fees else 0
    cash = paid - sum(sides.values())
    is_payout = any(account in NOT_PAID for account, _part in sides)
    drawer = drawer_taking(change, means) if cash else None
    if cash < 0:
        refuse_above_the_limit(change, -cash)
        if means == Means.CASH:
            refuse_more_than_there_is(drawer, -cash)
    rows = _balanced(sides, registration, None if is_payout else registration)
    rows += _balanced(fees or {}, registration, registration)
    _write(change, rows, drawer=drawer, means=means, cash_table=cash_table)
    if registration is not None and (cash or fees):
        receipt_write(
            change, registration, cents=cash, means=means, drawer=drawer, is_payout=is_payout
        )


def book_evenly(change: Change, sides: Mapping[int, Mapping[Side, int]]) -> None:
    """Write bookings without cash for many registrations.

    :param sides: The sides by registration, each with sum zero.
    """
    rows = [
        Posting(
            event=change.event,
            registration_id=registration,
            account=account,
            part=part,
            amount_cents=cents,
            made_by=change.action,
        )
        for registration, own in sides.items()
        for (account, part), cents in own.items()
    ]
    Posting.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


def book_drawer(change: Change, drawer: Drawer, account: Account, cents: int) -> None:
    """Book cash into a drawer (or out, below zero) that is no payment."""
    _write(change, _balanced({(account, ""): -cents}), drawer=drawer, means=Means.CASH)


def book_over(
    change: Change, to: Drawer | None, cents: int, *, source: Drawer | None = None
) -> None:
    """Move cash from one drawer to another; None for the unnamed one."""
    cash = {"event": change.event, "account": Account.CASH, "means": Means.CASH}
    Posting.objects.bulk_create(
        Posting(**cash, drawer=drawer, amount_cents=amount, made_by=change.action)
        for drawer, amount in ((to, cents), (source, -cents))
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
    refuse_who_takes_no_money(change)
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


Row = tuple[Registration | None, Side, int]


def _balanced(
    sides: Mapping[Side, int],
    registration: Registration | None = None,
    payer: Registration | None = None,
) -> list[Row]:
    """Return the sides with their cash side; `payer` is whom the cash side names."""
    cash = (payer, (Account.CASH, ""), -sum(sides.values()))
    return [cash, *((registration, side, cents) for side, cents in sides.items())]


def _write(
    change: Change,
    rows: Iterable[Row],
    *,
    drawer: Drawer | None,
    means: Means,
    cash_table: CashTable | None = None,
) -> None:
    postings = [
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
    Posting.objects.bulk_create(postings)


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
