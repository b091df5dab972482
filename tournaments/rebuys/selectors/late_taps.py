"""Late requests and sales: whether the time for them ended before they arrived."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments.changes.commands import Command
from tournaments.models import Entry, Event, LateTap, What
from tournaments.rebuys.domain.buying import No
from tournaments.rebuys.selectors.offers import (
    chance_of,
    decided_at,
    good_of,
    obstacle_to_buy,
    wish_of,
)


def taps_open(event: Event) -> QuerySet[LateTap]:
    """Return the late taps to decide about, earliest arrival first."""
    rows = LateTap.objects.live().filter(event=event)
    rows = rows.filter(Q(wish=None) | Q(wish__voided_by=None))
    names = ("entry__registration__person", "wish", "made_by__device")
    return rows.select_related(*names).order_by("made_by", "pk")


def purchase_claimed(
    command: Command, entry: Entry, what: What, *, number: int = 1, stack: int | None = None
) -> Command:
    """Return the command; as a claim of its arrival if the time to buy ended meanwhile."""
    now, good = command.recorded_at or command.at, good_of(command.event, what)

    def obstacle(at: datetime) -> No | None:
        return obstacle_to_buy(entry, good, at, number=number, stack=stack)

    held = chance_of(entry) if what == What.REBUY else None
    decided = decided_at(command.event, wish_of(entry, what), now, held)
    is_late = obstacle(decided) is No.TOO_LATE
    if is_late and obstacle(command.at) is None:
        return replace(command, at=now, claimed=command.at)
    return command
