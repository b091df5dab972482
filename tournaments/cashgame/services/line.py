"""The waiting list of a cash table: asked for, dropped, a seat offered with a deadline."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.waiting import Waiter, next_to_ask
from tournaments.cashgame.selectors.offering import seats_unclaimed
from tournaments.cashgame.services.parts import live_cash_table, live_guest, say_who, seat_held
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import CashOffer, CashTable, CashWaiting, Registration

CASH_WAIT_ASKED = Kind(
    "cash_wait.asked",
    lazy("Warteliste von Cash-Tisch %(table)s: %(name)s"),
    Group.PEOPLE,
    frees_cash_seats=True,
)


@service(CASH_WAIT_ASKED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_wait(change: Change, *, registration: Registration, table: CashTable) -> None:
    """Put somebody on the list of a table; also who sits at another and wants to change."""
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    held = seat_held(guest)
    if held is not None and held.table_id == row.pk:
        raise Refused(_("An diesem Tisch wird schon gespielt."), code="seated")
    if CashWaiting.objects.live().filter(registration=guest, table=row).exists():
        raise Refused(_("Steht schon auf der Liste."), code="already_waiting")
    CashWaiting.objects.create(
        event=change.event,
        registration=guest,
        table=row,
        asked_at=change.at,
        made_by=change.action,
    )
    say_who(change, guest, row)


CASH_WAIT_DROPPED = Kind(
    "cash_wait.dropped",
    lazy("Nicht mehr auf der Warteliste von Cash-Tisch %(table)s: %(name)s"),
    Group.PEOPLE,
    frees_cash_seats=True,
)


@service(CASH_WAIT_DROPPED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_unwait(change: Change, *, registration: Registration, table: CashTable) -> None:
    """Take somebody off the list of a table, and what was offered to him."""
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    rows = CashWaiting.objects.live().filter(registration=guest, table=row)
    CashOffer.objects.live().filter(waiting__in=rows).update(voided_by=change.action)
    if not rows.update(voided_by=change.action):
        raise Refused(_("Steht nicht auf der Liste."), code="not_waiting")
    say_who(change, guest, row)


CASH_SEAT_OFFERED = Kind(
    "cash_seat.offered",
    lazy("Cash-Tisch %(table)s: Platz angeboten an %(name)s, %(minutes)s Minuten"),
    Group.PEOPLE,
)


@service(CASH_SEAT_OFFERED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_offer(change: Change, *, table: CashTable) -> None:
    """Offer a free seat to whoever is next; until the deadline it is kept for him."""
    row = live_cash_table(change, table)
    rows = CashWaiting.objects.live().filter(table=row, registration__voided_by=None)
    waiting = {one.pk: one for one in rows}
    offers = CashOffer.objects.live().filter(waiting__in=list(waiting))
    until = dict(offers.values_list("waiting", "until"))
    line = [Waiter(pk, w.asked_at, until.get(pk)) for pk, w in waiting.items()]
    found = next_to_ask(seats_unclaimed([row], change.at)[row.pk], line, change.at)
    if not found:
        raise Refused(
            _("An Tisch %(table)s wartet niemand, oder kein Platz ist frei.")
            % {"table": row.number},
            code="nobody_next",
        )
    chosen = waiting[found[0].key]
    offers.filter(waiting=chosen).update(voided_by=change.action)
    CashOffer.objects.create(
        waiting=chosen,
        until=change.at + timedelta(minutes=row.offer_minutes),
        made_by=change.action,
    )
    say_who(change, live_guest(change, chosen.registration), row, minutes=row.offer_minutes)
