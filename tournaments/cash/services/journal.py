"""Writing the journal: the rows of one booking, whose sides sum to zero, and its receipt."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournaments.cash.domain.accounts import NOT_PAID, Account, Side
from tournaments.cash.domain.means import Means
from tournaments.cash.selectors.drawers import (
    drawer_balance,
    drawer_of_device,
    has_drawers,
    takes_money,
)
from tournaments.cash.services.receipts import receipt_write
from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.words import money
from tournaments.models import CashTable, Drawer, Posting, Registration

ROWS_AT_ONCE = 500


def book(
    change: Change,
    sides: Mapping[Side, int],
    *,
    registration: Registration | None = None,
    means: Means = Means.CASH,
    cash_table: CashTable | None = None,
) -> None:
    """Write a booking with the cash that evens it out, and a receipt for whose money it is.

    The money goes into the drawer of the device that acts, or comes from it.

    :param sides: The sides without cash. Below zero comes into the drawer, above zero leaves it.
    :param registration: Whose money it is. The cash side names the player who pays, not one who is
        paid out a prize or buys chips, so that "paid" stays what was paid for the tournament.
    :param cash_table: The cash table whose chips or fee it is about.
    :raises Refused: The device has no drawer, there is too little in it, or the amount is above
        what others than the director may pay out.
    """
    cash = -sum(sides.values())
    is_payout = any(account in NOT_PAID for account, _part in sides)
    drawer = drawer_taking(change, means) if cash else None
    if cash < 0:
        refuse_above_the_limit(change, -cash)
        if means == Means.CASH:
            refuse_more_than_there_is(drawer, -cash)
    _write(
        change,
        cash,
        sides,
        registration,
        is_payout=is_payout,
        drawer=drawer,
        means=means,
        cash_table=cash_table,
    )
    if cash and registration is not None:
        receipt_write(
            change, registration, cents=cash, means=means, drawer=drawer, is_payout=is_payout
        )


def book_evenly(change: Change, sides: Mapping[int, Mapping[Side, int]]) -> None:
    """Write bookings by which no cash moves, of many registrations at once.

    :param sides: The sides by registration; those of each sum to zero.
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
    """Book cash that comes into a drawer, or leaves it below zero, and is nobody's payment."""
    _write(change, cents, {(account, ""): -cents}, None, drawer=drawer, means=Means.CASH)


def book_over(change: Change, drawer: Drawer, cents: int) -> None:
    """Book cash that was taken without a drawer into one; below zero what came out of it."""
    cash = {"event": change.event, "account": Account.CASH, "means": Means.CASH}
    Posting.objects.bulk_create(
        Posting(**cash, drawer=to, amount_cents=amount, made_by=change.action)
        for to, amount in ((drawer, cents), (None, -cents))
    )


def drawer_taking(change: Change, means: Means) -> Drawer | None:
    """Return the drawer that this payment goes through; None for the one that nobody opened.

    As long as no drawer was opened on the evening there is one without a name. After that cash
    goes through a drawer alone. Other means lie in no drawer, and need none.

    :raises Refused: The device holds none, and needs one.
    """
    device = change.by.device
    drawer = drawer_of_device(change.event, device) if device is not None else None
    if drawer is not None:
        return drawer
    refuse_who_takes_no_money(change)
    if means == Means.CASH and has_drawers(change.event):
        raise Refused(
            _("Dieses Gerät hat keine offene Kassa. Erst unter „Kassa“ eine öffnen."),
            code="no_drawer",
        )
    return None


def refuse_who_takes_no_money(change: Change) -> None:
    """Refuse a device that is not at the desk and was given no drawer."""
    if not takes_money(change.event, change.by):
        raise Refused(
            _("Geld nimmt ein Schiedsrichter nur mit einer Kassa, die ihm die Leitung gibt."),
            code="no_drawer_given",
        )


def refuse_above_the_limit(change: Change, cents: int) -> None:
    """Refuse to pay out more than the tournament lets others than the director pay out."""
    limit = change.event.payout_limit_cents
    if limit and cents > limit and not allows(change.by, Permission.MANAGE):
        raise Refused(
            _("Mehr als %(limit)s zahlt nur die Turnierleitung aus.") % {"limit": money(limit)},
            code="above_limit",
        )


def refuse_more_than_there_is(drawer: Drawer | None, cents: int) -> None:
    """Refuse to take more cash out of a drawer than lies in it."""
    if drawer is None:
        return
    there = drawer_balance(drawer)
    if cents > there:
        raise Refused(
            _("In Kassa %(number)s sind nur %(there)s in bar.")
            % {"number": drawer.number, "there": money(there)},
            code="too_little_cash",
        )


def _write(
    change: Change,
    cash: int,
    sides: Mapping[Side, int],
    registration: Registration | None,
    *,
    is_payout: bool = False,
    drawer: Drawer | None,
    means: Means,
    cash_table: CashTable | None = None,
) -> None:
    rows = [
        Posting(
            event=change.event,
            registration=None if account == Account.CASH and is_payout else registration,
            account=account,
            part=part,
            amount_cents=cents,
            drawer=drawer if account == Account.CASH else None,
            means=means if account == Account.CASH else "",
            cash_table=cash_table,
            made_by=change.action,
        )
        for (account, part), cents in {(Account.CASH, ""): cash, **sides}.items()
        if cents
    ]
    Posting.objects.bulk_create(rows)
