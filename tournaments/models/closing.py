"""Closing time: the evening ends by counted chips after an announced level."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.log import Fact


class ClosingCall(Fact):
    """The announcement that stacks are counted after a level and decide the places.

    `level_id` is the last row of the schedule to be played.
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
