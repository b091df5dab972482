"""The waiting list of a cash table: join, leave, offer a seat with a deadline."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.waiting import Waiter, next_to_ask
from tournaments.cashgame.selectors.labels import noted_stakes
from tournaments.cashgame.selectors.line import tables_alike
from tournaments.cashgame.selectors.offering import offered_elsewhere, seats_unclaimed
from tournaments.cashgame.services.parts import (
    drop_waits,
    live_cash_table,
    live_guest,
    say_who,
    seat_held,
)
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import CashOffer, CashTable, CashWaiting, Registration

CASH_WAIT_ASKED = Kind(
    "cash_wait.asked",
    lazy("Warteliste von Cash-Tisch %(table)s: %(name)s"),
    Group.PEOPLE,
    outcomes={"stakes": lazy("Warteliste für %(stakes)s: %(name)s")},
    words=lambda payload: {"stakes": noted_stakes(payload)},
    frees_cash_seats=True,
)


@service(CASH_WAIT_ASKED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_wait(
    change: Change, *, registration: Registration, table: CashTable, any_table: bool = False
) -> None:
    """Put a player on a table's waiting list; a player at another table may ask to change.

    :param any_table: Whether any table of the same stakes will do, even one opened later.
    """
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    own_seat = seat_held(guest)
    if own_seat is not None and own_seat.table_id == row.pk:
        raise Refused(_("An diesem Tisch wird schon gespielt."), code="seated")
    rows = CashWaiting.objects.live().filter(registration=guest)
    waits = {*rows.values_list("table", flat=True), *([own_seat.table_id] if own_seat else [])}
    tables = [one for one in (tables_alike(row) if any_table else [row]) if one.pk not in waits]
    if not tables:
        raise Refused(_("Steht schon auf der Liste."), code="already_waiting")
    CashWaiting.objects.bulk_create(
        CashWaiting(
            event=change.event,
            registration=guest,
            table=one,
            asked_at=change.at,
            is_for_stakes=any_table,
            made_by=change.action,
        )
        for one in tables
    )
    say_who(change, guest, row, **(_stakes_of(row) if any_table else {}))


def _stakes_of(table: CashTable) -> dict[str, Any]:
    cents = {"small_cents": table.small_blind_cents, "big_cents": table.big_blind_cents}
    return {"outcome": "stakes", **cents}


CASH_WAIT_DROPPED = Kind(
    "cash_wait.dropped",
    lazy("Nicht mehr auf der Warteliste von Cash-Tisch %(table)s: %(name)s"),
    Group.PEOPLE,
    outcomes={"stakes": lazy("Nicht mehr auf der Warteliste für %(stakes)s: %(name)s")},
    words=lambda payload: {"stakes": noted_stakes(payload)},
    frees_cash_seats=True,
)


@service(CASH_WAIT_DROPPED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_unwait(change: Change, *, registration: Registration, table: CashTable) -> None:
    """Take a player off a table's waiting list, and void the offer from it.

    A wait for any table of the stakes ends at all of them.
    """
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    own = CashWaiting.objects.live().filter(registration=guest, table=row).first()
    if own is None:
        raise Refused(_("Steht nicht auf der Liste."), code="not_waiting")
    drop_waits(change, guest, row, of_stakes=own.is_for_stakes)
    say_who(change, guest, row, **(_stakes_of(row) if own.is_for_stakes else {}))


CASH_SEAT_OFFERED = Kind(
    "cash_seat.offered",
    lazy("Cash-Tisch %(table)s: Platz angeboten an %(name)s, %(minutes)s Minuten"),
    Group.PEOPLE,
)


@service(CASH_SEAT_OFFERED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_offer(change: Change, *, table: CashTable) -> None:
    """Offer a free seat to the next in line and keep it until the deadline."""
    row = live_cash_table(change, table)
    rows = CashWaiting.objects.live().filter(table=row, registration__voided_by=None)
    rows = rows.exclude(is_for_stakes=True, registration__in=offered_elsewhere(row, change.at))
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
