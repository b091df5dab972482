"""Expected arrivals, and whether check-in is still running. Reads only."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from clock.snapshot import read_once
from tournaments.event.selectors.event import eliminations_live_count, event_accepts_late, figures
from tournaments.models import Entry, Event, Registration
from tournaments.seating.domain.seating import TableCount, attendance_expected, tables_wanted

SETTLES_FOR = timedelta(minutes=5)


@read_once
def is_filling(event: Event, now: datetime) -> bool:
    """Tell whether players are still arriving, so that uneven tables may even out.

    Before play: until the planned start, then until five minutes pass without an arrival. In play:
    for the first five minutes or until the first elimination (ours).
    """
    if event.started_by is not None:
        is_early = now < event.started_by.at + SETTLES_FOR
        return is_early and not eliminations_live_count(event)
    if now < event.starts_at:
        return True
    last = Entry.objects.live().filter(event=event).order_by("-number").first()
    return last is not None and now < last.entered_at + SETTLES_FOR


def tables_missing(event: Event, counts: Sequence[TableCount]) -> int:
    """Return how many tables to open before the newest arrival is seated.

    Before the start, a table opens before the others are full. Only then is attendance read. An
    added chair is meant for whoever comes next.
    """
    seats, free = event.seats_per_table, sum(count.seats - count.players for count in counts)
    added = sum(max(0, count.seats - seats) for count in counts)
    if 0 < free <= added:
        return 0
    if event.has_started or (counts and free > seats // 2):
        return 0 if free else 1
    read, announced = figures(event, "registrations", "entries", "waiting"), _announced(event)
    at_first = last_time = 0
    if not counts and announced < 2:  # the attendance of the club's previous event
        rows = Event.objects.filter(club=event.club_id, is_sample=False, is_clock_only=False)
        rows = rows.filter(head__started_by__isnull=False, starts_at__lt=event.starts_at)
        last = rows.exclude(pk=event.pk).order_by("-starts_at").first()
        last_time = figures(last, "entries")["entries"] if last else 0
    if not counts:
        at_first = attendance_expected(announced=announced, last_time=last_time, seats=seats)
    wanted = tables_wanted(
        here=read["entries"],
        registered=read["registrations"] - read["waiting"],
        announced=announced,
        seats=seats,
        capacity=event.capacity,
        at_first=at_first,
    )
    return max(wanted - len(counts), 0 if free else 1)


def _announced(event: Event) -> int:
    """Return how many had registered before the first arrival."""
    first = Entry.objects.filter(event=event).order_by("made_by_id").values_list("made_by_id")[:1]
    rows = Registration.objects.live().filter(event=event, is_cash_guest=False)
    return rows.filter(made_by_id__lt=first).count()


def awaited_at(event: Event, now: datetime) -> int:
    """Return how many registered players with a place may still come."""
    read = figures(event, "registrations", "entries", "waiting")
    missing = read["registrations"] - read["waiting"] - read["entries"]
    return missing if missing > 0 and event_accepts_late(event, now) else 0
