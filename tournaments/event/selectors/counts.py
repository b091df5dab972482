"""What was counted on an evening without names: sums over the counts that live. Reads only."""

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
    """Return how many came, are left and bought again, and the chips they brought into play."""
    names = ("entries", "left", "rebuys", "chips")
    rows = HeadCount.objects.live().filter(event=event)
    sums = rows.aggregate(**{name: Sum(name) for name in names})
    return Counted(**{name: sums[name] or 0 for name in names})


def rebuy_chips(event: Event) -> int:
    """Return what the last re-buy brought, the starting stack as long as there was none."""
    rows = HeadCount.objects.live().filter(event=event, rebuys__gt=0).order_by("-pk")
    return rows.values_list("chips", flat=True).first() or event.starting_stack
