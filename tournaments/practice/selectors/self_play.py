"""Which rehearsals play themselves, and how fast."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Event, SelfPlay


def plays_due() -> QuerySet[SelfPlay]:
    """Return the rehearsals that play themselves now, with their events."""
    rows = SelfPlay.objects.filter(is_playing=True, event__is_sample=True)
    rows = rows.filter(event__ended_by=None, event__cancelled_by=None)
    return rows.select_related("event__clock", "event__club")


def self_play_of(event: Event) -> int | None:
    """Return how fast an event plays itself; None while it does not."""
    return plays_due().filter(event=event).values_list("speed", flat=True).first()


def last_speed(event: Event) -> int | None:
    """Return how fast an event played itself last."""
    return SelfPlay.objects.filter(event=event).values_list("speed", flat=True).first()
