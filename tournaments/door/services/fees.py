"""The fee: paid or open is what the postings say. Each booking has two sides that sum to zero."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.door.selectors.fees import paid_cents
from tournaments.models import Posting, Registration

MOST_CENTS = 100_000_000


FEE_PAID = Kind("fee.paid", lazy("Startgeld bezahlt: %(name)s"), Group.FEES)


@service(FEE_PAID, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def fee_pay(change: Change, *, registration: Registration, amount_cents: int | None = None) -> None:
    """Book what somebody paid: what is still open, unless another amount is named."""
    row = _registration(change, registration)
    open_cents = change.event.fee_cents - paid_cents(row)
    amount = open_cents if amount_cents is None else amount_cents
    if amount_cents is None and open_cents <= 0:
        raise Refused(_("Das Startgeld ist schon bezahlt."), code="already_paid")
    if not 0 < amount <= MOST_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    _book(change, row, amount)


FEE_REFUNDED = Kind("fee.refunded", lazy("Startgeld zurückgegeben: %(name)s"), Group.FEES)


@service(FEE_REFUNDED, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def fee_refund(change: Change, *, registration: Registration) -> None:
    """Book that everything somebody paid was given back; also once he is off the list."""
    row = _registration(change, registration)
    paid = paid_cents(row)
    if paid <= 0:
        raise Refused(_("Hier ist nichts bezahlt."), code="nothing_paid")
    _book(change, row, -paid)


def _book(change: Change, row: Registration, amount_cents: int) -> None:
    sides = {Posting.Account.CASH: amount_cents, Posting.Account.FEES: -amount_cents}
    Posting.objects.bulk_create(
        Posting(
            event=change.event,
            registration=row,
            account=account,
            amount_cents=amount,
            made_by=change.action,
        )
        for account, amount in sides.items()
    )
    change.note("postings", *([row.pk, account, amount] for account, amount in sides.items()))
    change.record(registration=row.pk, amount_cents=amount_cents)
    change.tell(name=row.person.name)


def _registration(change: Change, registration: Registration) -> Registration:
    rows = Registration.objects.select_related("person").filter(event=change.event)
    row = rows.filter(pk=registration.pk).first()
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    return row
