"""How far the program's time is ahead of a computer's clock that was set back. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta

from tournaments.models import Event

TOLERANCE = timedelta(seconds=10)


def evenings_later(at: datetime) -> list[Event]:
    """Return the open events with a later time in their log."""
    rows = Event.objects.open().filter(head__log_recorded_at__gt=at + TOLERANCE)
    return list(rows.order_by("pk"))


def evening_held(at: datetime) -> Event | None:
    """Return a tournament that is played by a later time, which cannot go back."""
    later = evenings_later(at)
    return next((row for row in later if row.has_started and not row.is_sample), None)
