"""The content of receipts: person, items, means, cancellations. Reads only."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.kinds import describe
from tournaments.models import Event, Posting, Receipt, Registration
from tournaments.money.domain.accounts import Account, receipt_name
from tournaments.money.selectors.drawers import drawer_of_device
from tournaments.money.selectors.journal import ACCOUNTS, means_name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptShown:
    """A receipt for pages and paper.

    :param items: The items with their amounts; fees deducted from a payout are named as such.
    :param counters: The number of the receipt it cancels.
    :param countered_by: The number of the receipt that cancels it.
    """

    receipt: Receipt
    name: str
    who: str
    items: tuple[tuple[str, int], ...]
    means: str
    payer: str
    counters: str
    countered_by: str

    @property
    def is_back(self) -> bool:
        """Tell whether it is a payout to the player."""
        return self.receipt.cents < 0

    @property
    def cents(self) -> int:
        return abs(self.receipt.cents)


def receipts_of(event: Event) -> QuerySet[Receipt]:
    """Return the receipts of an event, latest first."""
    return _rows().filter(event=event).order_by("-pk")


def receipts_for(event: Event, actor: Actor) -> QuerySet[Receipt]:
    """Return the receipts that an actor may see: away from the desk those of its own drawer."""
    if allows(actor, Permission.CHECK_IN):
        return receipts_of(event)
    drawer = drawer_of_device(event, actor.device) if actor.device else None
    return receipts_of(event).filter(drawer=drawer) if drawer else receipts_of(event).none()


def receipts_of_registration(registration: Registration) -> list[Receipt]:
    """Return a player's receipts, latest first."""
    return list(_rows().filter(registration=registration).order_by("-pk"))


def receipts_named(registration: Registration) -> list[dict[str, Any]]:
    """Return a player's receipts with their numbers, latest first."""
    rows = receipts_of_registration(registration)
    return [{"receipt": row, "name": name_of(row)} for row in rows]


def _rows() -> QuerySet[Receipt]:
    return Receipt.objects.select_related(
        "registration__person", "event__club", "drawer", "counters", "action"
    )


def receipt_shown(row: Receipt) -> ReceiptShown:
    """Return all data of a receipt."""
    later = row.countered_by.order_by("pk").first()
    # The items sum to the amount, which is shown without its sign.
    first, sign = row, -1 if row.cents < 0 or (row.is_payout and not row.cents) else 1
    while first.counters is not None:
        first, sign = first.counters, -sign
    items = [(label, sign * cents) for label, cents in _items(first)]
    deducted = _("offen: %(label)s")
    text = getattr(first.action, "text", None)
    return ReceiptShown(
        receipt=row,
        name=name_of(row),
        who=who_of(first),
        items=tuple(
            (deducted % {"label": label} if row.is_payout and cents < 0 else label, cents)
            for label, cents in items
        ),
        means=means_name(row.event.club, row.means),
        payer=text.data.get("payer", "") if text else "",
        counters=name_of(row.counters) if row.counters else "",
        countered_by=name_of(later) if later else "",
    )


def name_of(row: Receipt) -> str:
    return receipt_name(row.year, row.number, is_sample=row.is_sample)


def who_of(row: Receipt) -> str:
    """Return whom a receipt names; for a transfer between drawers, what was done."""
    return row.registration.person.name if row.registration else describe(row.action)


def _items(row: Receipt) -> list[tuple[str, int]]:
    """Return the items of a booking; above zero is paid."""
    if row.registration_id is None:
        return [(str(ACCOUNTS[Account.CASH]), row.cents)]
    rows = Posting.objects.filter(made_by=row.action_id, registration=row.registration_id)
    found = rows.exclude(account=Account.CASH).order_by("pk")
    return [
        (part or str(ACCOUNTS[Account(account)]), -cents)
        for account, part, cents in found.values_list("account", "part", "amount_cents")
    ]
