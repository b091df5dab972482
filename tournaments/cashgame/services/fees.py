"""Time fees of the house, and tips."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.ledger import Step
from tournaments.cashgame.selectors.books import chips_on_table, fees_open
from tournaments.cashgame.selectors.labels import amount_at
from tournaments.cashgame.services.parts import (
    book_step,
    live_cash_table,
    live_seat,
    numbers_of,
    say_who,
)
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.labels import amount_words
from tournaments.models import CashTable, Registration
from tournaments.money.domain.means import Means

CASH_FEE_PAID = Kind(
    "cash_fee.paid",
    lazy("Cash-Tisch %(table)s: %(name)s zahlt %(amount)s Hausgebühr"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_FEE_PAID, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_fee_pay(change: Change, *, registration: Registration, means: Means = Means.CASH) -> None:
    """Take the time fee a player owes until now. It does not come from the chips."""
    own_seat = live_seat(change, registration)
    due = fees_open([own_seat], change.at).get(own_seat.pk, 0)
    if not due:
        raise Refused(_("Es ist keine Hausgebühr offen."), code="nothing_open")
    row = live_cash_table(change, own_seat.table)
    book_step(change, row, Step.TIME_FEE, due, own_seat.registration, means=means)
    say_who(change, own_seat.registration, row, amount_cents=due)


CASH_TIP_NOTED = Kind(
    "cash_tip.noted",
    lazy("Cash-Tisch %(table)s: %(amount)s Trinkgeld"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_TIP_NOTED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_tip(change: Change, *, table: CashTable, cents: int) -> None:
    """Record a tip, not attributed to a dealer."""
    row, there = live_cash_table(change, table), chips_on_table(table)
    if not 0 < cents <= there:
        raise Refused(
            _("An Tisch %(table)s liegen nur %(there)s.")
            % {"table": row.number, "there": amount_at(row, max(0, there))}
            if cents > 0
            else _("Dieser Betrag kann nicht stimmen."),
            code="bad_amount",
        )
    book_step(change, row, Step.TIP, cents)
    change.record(**numbers_of(row), amount_cents=cents)
