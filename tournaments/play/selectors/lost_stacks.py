"""All lost stacks with their takers, whether eliminated or re-bought. Reads only.

Bounties, leagues, reviews and profiles count knockouts from these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from tournaments.models import Elimination, Event, Knockout, LostStack, Purchase, What


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLost:
    """A lost stack.

    :param number: The number of the entry's stack, from 1.
    :param lost: The row of a stack lost without an elimination; None if eliminated.
    """

    entry: int
    number: int
    at: datetime
    sequence: int
    is_disqualified: bool = False
    lost: int | None = None
    takers: Sequence[int] = field(default=())

    @property
    def is_out(self) -> bool:
        return self.lost is None


def stacks_lost(event: Event) -> list[StackLost]:
    """Return the lost stacks of an event, in order of time."""
    return stacks_lost_at([event.pk])[event.pk]


def stacks_lost_at(events: Collection[int]) -> dict[int, list[StackLost]]:
    """Return the lost stacks of each event; three queries for any number of events."""
    takers = _takers(events)
    rows = [*_outs(events), *_without_out(events)]
    found: dict[int, list[StackLost]] = {event: [] for event in events}
    number: dict[int, int] = defaultdict(int)
    for at, sequence, pk, event, entry, way, is_out in sorted(rows):
        number[entry] += 1
        stack = StackLost(
            entry=entry,
            number=number[entry],
            at=at,
            sequence=sequence,
            is_disqualified=way == Elimination.Way.DISQUALIFIED,
            lost=None if is_out else pk,
            takers=tuple(takers[pk, is_out]),
        )
        found[event].append(stack)
    return found


Row = tuple[datetime, int, int, int, int, str, bool]


def _outs(events: Collection[int]) -> list[Row]:
    rows = Elimination.objects.live().filter(event__in=events)
    names = ("at", "sequence", "pk", "event", "entry", "way")
    return [(*row, True) for row in rows.values_list(*names)]


def _without_out(events: Collection[int]) -> list[Row]:
    rows = LostStack.objects.live().filter(event__in=events)
    names = ("at", "made_by__sequence", "pk", "event", "entry")
    return [(*row, "", False) for row in rows.values_list(*names)]


def _takers(events: Collection[int]) -> dict[tuple[int, bool], list[int]]:
    """Return the takers by (row of the lost stack, whether that is an elimination)."""
    of_out = Q(elimination__event__in=events, elimination__voided_by=None)
    of_lost = Q(lost__event__in=events, lost__voided_by=None)
    rows = Knockout.objects.live().filter(of_out | of_lost, by__event__in=events).order_by("by")
    found: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for out, lost, by in rows.values_list("elimination", "lost", "by"):
        found[out or lost, out is not None].append(by)
    return found


def lost_rows(event: Event, keys: Collection[int]) -> list[LostStack]:
    """Return these stacks lost without an elimination, with names, earliest first."""
    rows = LostStack.objects.live().filter(event=event, pk__in=keys)
    return list(rows.select_related("entry__registration__person").order_by("at", "pk"))


def lost_last(event: Event, entries: Collection[int], at: datetime) -> list[LostStack]:
    """Return the last lost stack of each of these entries in play, by an instant."""
    rows = LostStack.objects.live().filter(event=event, entry__in=entries, at__lte=at)
    latest = {row.entry_id: row.pk for row in rows.order_by("at", "pk")}
    return lost_rows(event, latest.values())


def without_chips(event: int, entries: Collection[int], at: datetime) -> set[int]:
    """Return the entries among these without chips at an instant."""
    lost = LostStack.objects.live().filter(event=event, entry__in=entries, at__lte=at)
    bought = Purchase.objects.live().filter(
        entry=OuterRef("entry"),
        what=What.REBUY,
        bought_at__lte=at,
        made_by__sequence__gte=OuterRef("made_by__sequence"),
    )
    return set(lost.exclude(Exists(bought)).values_list("entry_id", flat=True))
