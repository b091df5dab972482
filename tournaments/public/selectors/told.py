"""The evening as it was told at a past instant, for a stream that shows it later.

Nothing told after the instant counts, and nothing taken back since: a mistaken out never shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from clock.selectors import clock_told
from tournaments.event.selectors.clock import planned_start
from tournaments.models import Action, Elimination, Entry, Event, PrizeFreeze, Seating
from tournaments.people.selectors.hall import names_shown
from tournaments.play.selectors.eliminations import takers_of
from tournaments.play.selectors.ranking import standings


@dataclass(frozen=True, slots=True)
class ToldOut:
    """A player out as told, with the place as known now; `by` are the listed takers."""

    name: str
    place: int | None
    at: datetime
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldSeat:
    """A seat as told, and its player's public name."""

    table: int
    seat: int
    name: str
    is_listed: bool


def told_clock(event: Event, at: datetime) -> dict[str, Any]:
    """Return the payload of a clock as at an instant."""
    return clock_told(event.clock, at, planned_start(event))


def told_left(event: Event, at: datetime) -> tuple[int, int]:
    """Return the players left and the entries, as told at an instant."""
    entries = _told(Entry.objects.live().filter(event=event), at).count()
    return entries - _outs(event, at).count(), entries


def told_outs(event: Event, at: datetime, most: int) -> list[ToldOut]:
    """Return the last players out as told, the latest first."""
    rows = _outs(event, at).order_by("-at", "-sequence")
    last = list(rows.values_list("entry", "entry__registration", "at")[:most])
    lines, takers = {line.entry: line for line in standings(event)}, takers_of(event)
    names = names_shown(event, in_hall=False) if last else {}
    return [
        ToldOut(
            name=names[person],
            place=lines[entry].place,
            at=out_at,
            by=tuple(name for name, is_listed in takers.get(entry, ()) if is_listed)
            if lines[entry].is_listed
            else (),
        )
        for entry, person, out_at in last
    ]


def told_prizes(event: Event, at: datetime) -> list[int]:
    """Return the prizes in cents by place, the first first; empty before they were fixed."""
    frozen = _told(PrizeFreeze.objects.live().filter(event=event), at).order_by("pk").last()
    return list(frozen.prizes) if frozen else []


def told_seats(event: Event, at: datetime, table: int | None = None) -> list[ToldSeat]:
    """Return the seats of a table, or of all, as told; a move shows once it was told."""
    later = Q(voided_by__recorded_at__gt=at) & ~Q(voided_by__kind="action.undone")
    rows = Seating.objects.filter(Q(voided_by=None) | later, event=event)
    if table is not None:
        rows = rows.filter(table__number=table)
    people = (
        _told(rows, at)
        .exclude(entry__in=_outs(event, at).values("entry"))
        .order_by("table__number", "seat")
        .values_list(
            "table__number",
            "seat",
            "entry__registration",
            "entry__registration__is_listed",
        )
    )
    names = names_shown(event, in_hall=False)
    return [
        ToldSeat(number, seat, names[person], is_listed)
        for number, seat, person, is_listed in people
    ]


def still_to_tell(event: Event, told: datetime, now: datetime) -> list[datetime]:
    """Return when something was told after `told`: a stream shows it as much later."""
    rows = Action.objects.filter(event=event, recorded_at__gt=told, recorded_at__lte=now)
    return list(rows.order_by("sequence").values_list("recorded_at", flat=True))


def _outs(event: Event, at: datetime) -> QuerySet[Elimination]:
    return _told(Elimination.objects.live().filter(event=event), at)


def _told(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return rows.filter(made_by__recorded_at__lte=at)
