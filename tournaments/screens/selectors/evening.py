"""The next event for a big screen after its event is gone."""

from __future__ import annotations

from datetime import datetime, timedelta

from tournaments.models import Club, Event

BEGUN_WITHIN = timedelta(hours=6)
BEGINS_WITHIN = timedelta(hours=12)


def event_of_evening(club: Club, now: datetime, *, but: Event | None = None) -> Event | None:
    """Return the running event, else the one about to begin, else a running sample, or None.

    At most two queries.
    """
    rows = Event.objects.filter(club=club, ended_by=None, cancelled_by=None)
    if but is not None:
        rows = rows.exclude(pk=but.pk)
    running = rows.exclude(started_by=None).order_by("is_sample", "-starts_at", "-pk").first()
    if running is not None and not running.is_sample:
        return running
    near = (now - BEGUN_WITHIN, now + BEGINS_WITHIN)
    planned = rows.filter(started_by=None, is_sample=False, starts_at__range=near)
    return planned.order_by("starts_at", "pk").first() or running
