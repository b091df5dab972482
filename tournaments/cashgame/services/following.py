"""Automatic offers: a freed seat, or one from an expired offer, goes to the next."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.selectors.offering import next_in_lines, offers_lapsed
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, event_has, follows_change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, kind_of
from tournaments.models import Action, CashOffer


@follows_change(event_has("has_cash_game"))
def offer_freed_cash_seats(change: Change) -> None:
    """Offer free seats after every kind of change that may free one."""
    if _frees_seats(change):
        offer_to_next(change)


def _frees_seats(change: Change) -> bool:
    action: Action = change.action
    while action.undoes is not None:
        action = action.undoes
    kind = kind_of(action.kind)
    return kind is not None and kind.frees_cash_seats


def offer_to_next(change: Change) -> None:
    """Offer every free seat to the next in line not asked before.

    The deadline runs from the time of writing: a late worker does not shorten it.
    """
    now = change.action.recorded_at
    rows = next_in_lines(change.event, now)
    if not rows:
        return
    minutes = {row.table_id: row.table.offer_minutes for row in rows}
    CashOffer.objects.bulk_create(
        CashOffer(
            waiting=row,
            until=now + timedelta(minutes=minutes[row.table_id]),
            made_by=change.action,
        )
        for row in rows
    )
    change.record(cash_offered=[row.registration_id for row in rows])
    change.announce(Topic.TABLES)


CASH_OFFERS_LAPSED = Kind(
    "cash_offers.lapsed",
    lazy("Cash Game: Frist abgelaufen, der Platz geht an %(name)s"),
    Group.PEOPLE,
)


@service(CASH_OFFERS_LAPSED, Permission.MANAGE, Topic.TABLES)
def cash_offers_lapse(change: Change) -> None:
    """Offer the seats of expired offers to the next; the asked player moves back in line."""
    now = change.action.recorded_at
    rows = next_in_lines(change.event, now) if offers_lapsed(change.event, now) else []
    if not rows:
        raise Refused(_("Keine Frist ist abgelaufen."), code="none_expired")
    offer_to_next(change)
    change.record(registrations=[row.registration_id for row in rows])
    change.tell(name=", ".join(row.registration.person.name for row in rows))
