"""Counts of an evening without names: sums of live counts. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from clock.snapshot import read_once
from tournaments.models import Event, HeadCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    entries: int
    left: int
    rebuys: int
    chips: int


@read_once
def counted(event: Event) -> Counted:
    """Return entries, players left, re-buys, and the chips in play."""
    names = ("entries", "left", "rebuys", "chips")
    rows = HeadCount.objects.live().filter(event=event)
    sums = rows.aggregate(**{name: Sum(name) for name in names})
    return Counted(**{name: sums[name] or 0 for name in names})


def rebuy_chips(event: Event) -> int:
    """Return the chips of the last re-buy; before the first, the starting stack."""
    rows = HeadCount.objects.live().filter(event=event, rebuys__gt=0).order_by("-pk")
    return rows.values_list("chips", flat=True).first() or event.starting_stack
