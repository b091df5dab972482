"""Hands: one tap at each table when the next one begins, and all that hangs on it.

Taps come from every table every other minute: a tap writes one row, tells only what shows hands,
and does not stand among the last actions.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from tournaments.access import Permission
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused
from tournaments.models import Event, Hand, Table
from tournaments.selectors.inforce import hand_latest
from tournaments.services.clock import clock_count_tap
from tournaments.services.seats import live_table

SHORTEST_HAND = timedelta(seconds=5)


@service("hand.begun", Permission.RUN_HANDS, topics=("hands",), running=True)
def hand_begin(change: Change, *, table: Table) -> None:
    """Record that the table's next hand has begun: first riffle or dealer push (TDA 2024 23)."""
    row = live_table(change.event, table.pk)
    obstacle = obstacle_to_begin(change.event, row, change.at)
    if obstacle:
        raise obstacle
    last = Hand.objects.live().filter(table=row).order_by("-number").first()
    number = last.number + 1 if last else 1
    Hand.objects.create(table=row, number=number, began_at=change.at, made_by=change.action)
    change.record(table=row.number, hand=number)
    change.topics.discard("log")
    clock_count_tap(change, table=row.number, before=last.began_at if last else None)


def obstacle_to_begin(event: Event, table: Table, at: datetime) -> Refused | None:
    """Return why no hand can begin there now, or None: for the service and the grey button."""
    if not event.has_started:
        return Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    last = hand_latest(table)
    if last is not None and abs(at - last.began_at) < SHORTEST_HAND:
        return Refused(
            _("An Tisch %(number)d hat eben erst eine Hand begonnen.") % {"number": table.number},
            code="too_soon",
        )
    return None
