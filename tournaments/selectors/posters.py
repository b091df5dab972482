"""Tournaments as the public sees them: which there are, how full they are, who may still come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from tournaments.models import Elimination, Entry, Event, HeadCount, Registration
from tournaments.selectors.event import (
    entries_live_count,
    event_accepts_late,
    players_left,
    registrations_live_count,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """An event with its figures.

    `door` says whether a visitor may register: open, late (play has begun), full, closed, started,
    ended, cancelled; counted where nobody registers, because only the clock runs.
    """

    event: Event
    registered: int
    entries: int
    left: int
    door: str

    @property
    def free(self) -> int:
        return max(self.event.capacity - self.registered, 0)


def poster_of(event: Event, now: datetime) -> Poster:
    registered = registrations_live_count(event)
    is_late = event_accepts_late(event, now)
    return Poster(
        event=event,
        registered=registered,
        entries=entries_live_count(event),
        left=players_left(event),
        door=_door(event, registered, is_late=is_late),
    )


def posters_running() -> list[Poster]:
    return _posters(_open().exclude(started_by=None).order_by("is_sample", "-starts_at"))


def posters_planned() -> list[Poster]:
    return _posters(_open().filter(started_by=None).order_by("is_sample", "starts_at"))


def posters_past(most: int) -> list[Poster]:
    rows = _counted().exclude(ended_by=None, cancelled_by=None)
    return _posters(rows.order_by("-starts_at", "-pk")[:most])


def _open() -> QuerySet[Event]:
    return _counted().filter(ended_by=None, cancelled_by=None)


def _counted() -> QuerySet[Event]:
    """Return events with their counts, so that a list of them takes one query."""
    return Event.objects.annotate(
        registered=_count(Registration),
        entered=_count(Entry),
        out=_count(Elimination),
        counted_entries=_sum("entries"),
        counted_left=_sum("left"),
    )


def _sum(name: str) -> Coalesce:
    """Return what was counted of an evening without names."""
    rows = HeadCount.objects.live().filter(event=OuterRef("pk")).order_by().values("event")
    summed = Subquery(rows.annotate(n=Sum(name)).values("n"), output_field=IntegerField())
    return Coalesce(summed, 0)


def _count(model: Any) -> Coalesce:
    rows = model.objects.live().filter(event=OuterRef("pk")).order_by().values("event")
    counted = Subquery(rows.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    return Coalesce(counted, 0)


def _posters(rows: QuerySet[Any]) -> list[Poster]:
    return [
        Poster(
            event=row,
            registered=row.registered,
            entries=row.counted_entries if row.is_clock_only else row.entered,
            left=row.counted_left if row.is_clock_only else row.entered - row.out,
            door=_door(row, row.registered, is_late=False),
        )
        for row in rows
    ]


def _door(event: Event, registered: int, *, is_late: bool) -> str:
    if event.is_over:
        return event.status
    if event.is_clock_only:
        return "counted"
    if not event.is_registration_open:
        return "closed"
    if event.has_started and not is_late:
        return "started"
    if registered >= event.capacity:
        return "full"
    return "late" if event.has_started else "open"
