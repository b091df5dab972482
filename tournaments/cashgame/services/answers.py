"""A player accepts the offer of a seat at a cash table."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.services.parts import live_cash_table, live_guest, say_who
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import CashOffer, CashTable, Registration

CASH_OFFER_ACCEPTED = Kind(
    "cash_offer.accepted",
    lazy("Cash-Tisch %(table)s: %(name)s kommt, der Platz wird %(minutes)s Minuten gehalten"),
    Group.PEOPLE,
)


@service(CASH_OFFER_ACCEPTED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_offer_accept(change: Change, *, registration: Registration, table: CashTable) -> None:
    """Extend the offer once by the same time: the player is on the way."""
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    offers = CashOffer.objects.live().filter(waiting__registration=guest, waiting__table=row)
    offer = offers.filter(waiting__voided_by=None).select_related("made_by", "waiting").first()
    if offer is None or offer.until <= change.at:
        raise Refused(_("Dieses Angebot gilt nicht mehr."), code="no_offer")
    if offer.made_by.kind == CASH_OFFER_ACCEPTED.name:
        raise Refused(_("Das ist schon eingetragen."), code="already_accepted")
    offers.filter(pk=offer.pk).update(voided_by=change.action)
    CashOffer.objects.create(
        waiting=offer.waiting,
        until=change.at + timedelta(minutes=row.offer_minutes),
        made_by=change.action,
    )
    say_who(change, guest, row, minutes=row.offer_minutes)
