"""Prizes that a director has fixed: from then on they are what they are, whatever is paid in."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.log import Fact


class PrizeFreeze(Fact):
    """The prizes of an event as they were fixed, by place, the first one first."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="prize_freezes")
    entries = models.PositiveIntegerField()
    # How many are paid: where there is no money, those with a prize in kind.
    places = models.PositiveIntegerField()
    pool_cents = models.BigIntegerField()
    prizes = models.JSONField(default=list)
    # What the best without a prize gets back.
    refund_cents = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(voided_by__isnull=True), name="prizes_frozen_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.places} of {self.entries}, {self.pool_cents}"
