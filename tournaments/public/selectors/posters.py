"""Tournaments for the public: the list, free places, open registration."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from tournaments.door.domain.places import Capacity
from tournaments.door.selectors.places import COUNTED, capacity_counted, capacity_of, members_only
from tournaments.event.selectors.event import (
    Least,
    entries_live_count,
    event_accepts_late,
    is_only_practice,
    least_of,
    live_value,
    players_left,
    registrations_live_count,
)
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    HeadCount,
    PlaceOffer,
    Purchase,
    Registration,
    Stage,
    Waiting,
    What,
)
from tournaments.people.selectors.people import registrations_live
from tournaments.public.selectors.told import stream_delay, told_left

MOST_LISTED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """An event with its figures.

    `door` is the state of registration: open, members (they get a place, others wait), late (play
    has begun), waiting (no free place), closed, started, ended, cancelled; counted without
    registrations, with only the clock; bags for a day whose players come from the flights;
    practice for a sample beside real evenings.

    `places` and `free` are those for anyone: reserved places stay secret.
    """

    event: Event
    registered: int
    waiting: int
    entries: int
    left: int
    places: int
    free: int
    door: str
    least: Least | None = None

    @property
    def placed(self) -> int:
        """Return the number of registrations with a place."""
        return max(0, self.registered - self.waiting)

    @property
    def takes_people(self) -> bool:
        return self.door in ("open", "members", "late", "waiting")


def poster_of(event: Event, now: datetime) -> Poster:
    poster = _poster(
        event,
        capacity_of(event),
        registered=registrations_live_count(event),
        entries=entries_live_count(event),
        left=players_left(event),
        is_late=event_accepts_late(event, now),
        only_members=members_only(event, now),
    )
    is_for_practice = is_only_practice(event) and not event.is_over
    door = "practice" if is_for_practice else poster.door
    return replace(poster, door=door, least=least_of(event, now))


def _poster(
    event: Event,
    room: Capacity,
    *,
    registered: int,
    entries: int,
    left: int,
    is_late: bool,
    only_members: bool,
) -> Poster:
    # Members pass non-members in line; else those in line without an offer come first.
    free = room.free
    if not only_members:
        free = max(0, free - max(0, room.waiting - room.offered))
    return Poster(
        event=event,
        registered=registered,
        waiting=room.waiting,
        entries=entries,
        left=left,
        places=max(0, room.capacity - max(room.reserved, room.placed_reserved)),
        free=free,
        door=_door(event, room, free, is_late=is_late, only=only_members),
    )


def as_told(poster: Poster, now: datetime) -> Poster:
    """Return a running event's figures as those elsewhere know them."""
    event = poster.event
    if not (event.has_started and event.stream_delay):
        return poster
    left, entries = told_left(event, now - stream_delay(event))
    return replace(poster, left=left, entries=entries)


def posters_current(now: datetime) -> tuple[list[Poster], list[Poster]]:
    """Return running evenings, the latest first, then planned ones; and samples."""
    open_ones = _counted().filter(head__ended_by=None, head__cancelled_by=None)
    rows = list(open_ones.order_by("starts_at"))
    running = [row for row in reversed(rows) if row.has_started]
    in_turn = [*running, *(row for row in rows if not row.has_started)]
    posters = [
        _listed(row, only_members=not row.has_started and members_only(row, now)) for row in in_turn
    ]
    samples = [poster for poster in posters if poster.event.is_sample]
    return [poster for poster in posters if not poster.event.is_sample], samples


def next_evening(event: Event, now: datetime) -> Event | None:
    """Return the next planned evening for players who just finished, but no day of the flights."""
    rows = Event.objects.planned().filter(club=event.club_id, is_sample=False, starts_at__gt=now)
    days = Stage.objects.live().filter(event=OuterRef("pk"), order__gt=1)
    rows = rows.exclude(Exists(days), late_registration_level=0, late_registration_break=0)
    return rows.exclude(pk=event.pk).order_by("starts_at", "pk").first()


def posters_past(most: int) -> list[Poster]:
    rows = Event.objects.exclude(head__ended_by=None, head__cancelled_by=None)
    return _counted_of(rows, slice(most))


def posters_page(offset: int, limit: int) -> tuple[list[Poster], int]:
    """Return a page of all tournaments, the latest first, and their number."""
    rows = Event.objects.all()
    return _counted_of(rows, slice(offset, offset + limit)), rows.count()


def _counted_of(rows: QuerySet[Event], part: slice) -> list[Poster]:
    order = ("-starts_at", "-pk")
    chosen = _counted().filter(pk__in=rows.order_by(*order).values("pk")[part])
    return [_listed(row) for row in chosen.order_by(*order)]


def _counted() -> QuerySet[Event]:
    """Return events with their counts, so that a list takes one query."""
    return Event.objects.select_related("club").annotate(**_counts())


@cache
def _counts() -> dict[str, Subquery]:
    return {
        "live_registrations": live_value(Registration, "COUNT", is_cash_guest=False),
        "live_entries": live_value(Entry, "COUNT"),
        "live_outs": live_value(Elimination, "COUNT"),
        "live_reentries": live_value(Purchase, "COUNT", what=What.REENTRY),
        "live_waiting": live_value(Waiting, "COUNT"),
        "live_offers": live_value(PlaceOffer, "COUNT"),
        "live_later_days": live_value(Stage, "COUNT", order__gt=1),
        "held": live_value(Registration, "COUNT", is_reserved=True, is_cash_guest=False),
        # Counts of an evening without names.
        "counted_entries": live_value(HeadCount, "SUM", "entries"),
        "counted_left": live_value(HeadCount, "SUM", "left"),
    }


def _listed(row: Any, *, only_members: bool = False) -> Poster:
    counts = {name: getattr(row, f"live_{name}") for name in COUNTED}
    left = row.live_entries - row.live_outs
    return _poster(
        row,
        capacity_counted(row, counts, row.held),
        registered=row.live_registrations,
        entries=row.counted_entries or 0 if row.is_clock_only else row.live_entries,
        left=row.counted_left or 0 if row.is_clock_only else left,
        is_late=False,
        only_members=only_members,
    )


def _door(event: Event, room: Capacity, free: int, *, is_late: bool, only: bool) -> str:
    if event.is_over:
        return event.status
    if event.is_clock_only or not event.is_registration_open:
        return "counted" if event.is_clock_only else "closed"
    if room.bags_only or (event.has_started and not is_late):
        return "started" if event.has_started else "bags"
    if not free:
        return "waiting"
    if event.has_started:
        return "late"
    return "members" if only else "open"


def people_listed(event: Event) -> tuple[list[str], int]:
    """Return the listed names with a place, and the number of others with one.

    In a very large field only the first names; the rest count as others.
    """
    in_line = Waiting.objects.live().filter(registration=OuterRef("pk"))
    rows = registrations_live(event).filter(is_cash_guest=False).exclude(Exists(in_line))
    rows = rows.order_by("person__sort_name", "pk")
    listed = rows.filter(is_listed=True).values_list("person__name", flat=True)
    names = list(listed[:MOST_LISTED])
    return names, rows.count() - len(names)
