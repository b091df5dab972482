"""Payments among players at tables on account: the link to them, and which are done."""

import secrets
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.selectors.settling import HOUSE, settling_of
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.labels import amount_words
from tournaments.models import CashDebtPaid, CashLink, Registration

LINK_HOLDS = timedelta(days=30)

CASH_LINK_MADE = Kind("cash_link.made", lazy("Neuer Link zu „Wer wem wie viel gibt“"), Group.FEES)


@service(CASH_LINK_MADE, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_link_make(change: Change) -> None:
    """Make a new link for all who played; the old one ends."""
    CashLink.objects.live().filter(event=change.event).update(voided_by=change.action)
    CashLink.objects.create(
        event=change.event,
        token=secrets.token_urlsafe(18),
        until=change.at + LINK_HOLDS,
        made_by=change.action,
    )


CASH_DEBT_PAID = Kind(
    "cash_debt.paid",
    lazy("%(first)s hat %(second)s %(amount)s gegeben"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_DEBT_PAID, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_debt_pay(
    change: Change, *, payer: Registration | None, payee: Registration | None, cents: int
) -> None:
    """Tick a payment of the settlement as done; None stands for the house."""
    people = (payer.pk if payer else HOUSE, payee.pk if payee else HOUSE)
    for one in settling_of(change.event).payments:
        if (one.payer_id, one.payee_id, one.cents) == (*people, cents) and not one.is_done:
            break
    else:
        raise Refused(
            _("Diese Zahlung ist schon erledigt, oder die Abrechnung hat sich geändert."),
            code="gone",
        )
    CashDebtPaid.objects.create(
        event=change.event, payer=payer, payee=payee, cents=cents, made_by=change.action
    )
    unit = {} if change.event.is_cash_for_money else {"unit": change.event.cash_unit}
    change.record(registrations=[pk for pk in people if pk], amount_cents=cents, **unit)
    change.tell(first=one.payer, second=one.payee)
