"""Requests for a re-buy, add-on or re-entry; the cashier confirms them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Entry, PurchaseWish, What
from tournaments.rebuys.selectors.offers import good_of
from tournaments.rebuys.services.purchases import entry_live, refuse_to_buy

PURCHASE_ASKED = Kind(
    "purchase.asked",
    lazy("Möchte einen Re-buy: %(name)s"),
    Group.FEES,
    outcomes={
        "addon": lazy("Möchte ein Add-on: %(name)s"),
        "reentry": lazy("Möchte einen Re-entry: %(name)s"),
    },
)


@service(PURCHASE_ASKED, Permission.ASK_PURCHASE, Topic.REGISTRATIONS, Topic.ENTRIES)
def purchase_ask(
    change: Change, *, entry: Entry, what: str, number: int = 1, stack: int | None = None
) -> None:
    """Record a request; its time decides whether it is in time. Nothing is bought yet.

    :param stack: Remaining chips, where a threshold applies.
    """
    row, wanted = _own(change, entry), What(what)
    rows = PurchaseWish.objects.live().filter(entry__registration=row.registration_id)
    if rows.exists():
        raise Refused(_("Das ist schon gesagt: Es wird gleich bestätigt."), code="already_asked")
    refuse_to_buy(row, good_of(change.event, wanted), change.at, number=number, stack=stack)
    PurchaseWish.objects.create(
        event=change.event,
        entry=row,
        what=wanted,
        number=number,
        stack=stack,
        asked_at=change.at,
        made_by=change.action,
    )
    change.record(entry=row.pk, number=number, outcome=wanted.value)
    change.tell(name=row.registration.person.name)


PURCHASE_UNASKED = Kind("purchase.unasked", lazy("Möchte doch nichts kaufen: %(name)s"), Group.FEES)


@service(PURCHASE_UNASKED, Permission.ASK_PURCHASE, Topic.REGISTRATIONS, Topic.ENTRIES)
def purchase_unask(change: Change, *, entry: Entry) -> None:
    """Withdraw or decline a request. A held seat stays held."""
    row = _own(change, entry)
    rows = PurchaseWish.objects.live().filter(entry__registration=row.registration_id)
    if not rows.update(voided_by=change.action):
        raise Refused(_("Da ist nichts zurückzunehmen."), code="nothing_asked")
    change.record(entry=row.pk)
    change.tell(name=row.registration.person.name)


def _own(change: Change, entry: Entry) -> Entry:
    """Return the entry; players can only ask for their own."""
    row = entry_live(change, entry)
    if change.by.role == Role.PLAYER and change.by.registration_id != row.registration_id:
        raise Refused(_("Dieser Teilnehmer gehört nicht zu diesem Turnier."), code="gone")
    return row
