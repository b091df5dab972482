"""Self-playing rehearsals and their speed."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Event, SelfPlay


def plays_due() -> QuerySet[SelfPlay]:
    """Return the self-playing rehearsals, with their events."""
    rows = SelfPlay.objects.filter(is_playing=True, event__is_sample=True)
    rows = rows.filter(event__ended_by=None, event__cancelled_by=None)
    return rows.select_related("event__clock", "event__club")


def self_play_of(event: Event) -> int | None:
    """Return an event's self-play speed; None if it does not play itself."""
    return plays_due().filter(event=event).values_list("speed", flat=True).first()


def last_speed(event: Event) -> int | None:
    """Return an event's last self-play speed."""
    return SelfPlay.objects.filter(event=event).values_list("speed", flat=True).first()
