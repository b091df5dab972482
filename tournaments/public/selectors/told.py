"""The evening as it was told at a past instant, for a stream that shows it later.

Nothing told after the instant counts, and nothing taken back since: a mistaken out never shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from clock.selectors import clock_told
from tournaments.event.selectors.clock import planned_start
from tournaments.models import Action, Elimination, Entry, Event, PrizeFreeze, Seating
from tournaments.people.domain.naming import shown_name
from tournaments.play.selectors.ranking import standings


@dataclass(frozen=True, slots=True)
class ToldOut:
    """A player out as told, with the place as known now."""

    name: str
    place: int | None


@dataclass(frozen=True, slots=True)
class ToldSeat:
    """A seat as told, and its player's public name."""

    seat: int
    name: str


def told_clock(event: Event, at: datetime) -> dict[str, Any]:
    """Return the payload of a clock as at an instant."""
    return clock_told(event.clock, at, planned_start(event))


def told_left(event: Event, at: datetime) -> tuple[int, int]:
    """Return the players left and the entries, as told at an instant."""
    entries = _told(Entry.objects.live().filter(event=event), at).count()
    return entries - _outs(event, at).count(), entries


def told_outs(event: Event, at: datetime, most: int) -> list[ToldOut]:
    """Return the last players out as told, the latest first."""
    last = _outs(event, at).order_by("-at", "-sequence").values_list("entry", flat=True)[:most]
    lines = {line.entry: line for line in standings(event)}
    return [
        ToldOut(_name(lines[entry].name, is_listed=lines[entry].is_listed), lines[entry].place)
        for entry in last
    ]


def told_prizes(event: Event, at: datetime) -> list[int]:
    """Return the prizes in cents by place, the first first; empty before they were fixed."""
    frozen = _told(PrizeFreeze.objects.live().filter(event=event), at).order_by("pk").last()
    return list(frozen.prizes) if frozen else []


def told_seats(event: Event, table: int, at: datetime) -> list[ToldSeat]:
    """Return the seats of a table as told; a move shows once it was told."""
    later = Q(voided_by__recorded_at__gt=at) & ~Q(voided_by__kind="action.undone")
    rows = Seating.objects.filter(Q(voided_by=None) | later, event=event, table__number=table)
    people = (
        _told(rows, at)
        .exclude(entry__in=_outs(event, at).values("entry"))
        .order_by("seat")
        .annotate(
            name=F("entry__registration__person__name"),
            is_listed=F("entry__registration__is_listed"),
        )
    )
    return [ToldSeat(row.seat, _name(row.name, is_listed=row.is_listed)) for row in people]


def still_to_tell(event: Event, told: datetime, now: datetime) -> list[datetime]:
    """Return when something was told after `told`: a stream shows it as much later."""
    rows = Action.objects.filter(event=event, recorded_at__gt=told, recorded_at__lte=now)
    return list(rows.order_by("sequence").values_list("recorded_at", flat=True))


def _outs(event: Event, at: datetime) -> QuerySet[Elimination]:
    return _told(Elimination.objects.live().filter(event=event), at)


def _told(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return rows.filter(made_by__recorded_at__lte=at)


def _name(name: str, *, is_listed: bool) -> str:
    return shown_name(name, is_listed=is_listed, to_staff=False)
