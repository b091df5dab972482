"""Rehearsals that play themselves."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event


class SelfPlay(models.Model):
    """How a rehearsal plays itself: whether it does now, and how many times as fast as a hall."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="self_play")
    is_playing = models.BooleanField(default=False)
    speed = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.event_id} ×{self.speed}"
