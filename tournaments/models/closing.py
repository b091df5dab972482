"""Closing time: that an evening ends by the chips that are counted, and after which level."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.log import Fact


class ClosingCall(Fact):
    """It was announced that stacks are counted after a level, and that places follow from them.

    `level_id` is the last row of the schedule that is played.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="closing_calls")
    level_id = models.PositiveBigIntegerField()
    announced_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(voided_by__isnull=True), name="closing_called_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.level_id}"
