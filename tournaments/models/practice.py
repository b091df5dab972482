"""Rehearsals with automatic play."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event


class SelfPlay(models.Model):
    """A rehearsal's automatic play: whether it runs, and its speed relative to a hall."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="self_play")
    is_playing = models.BooleanField(default=False)
    speed = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.event_id} ×{self.speed}"
