"""Prizes fixed by a director: later payments no longer change them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.log import Fact


class PrizeFreeze(Fact):
    """The fixed prizes of an event, by place, the first one first."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="prize_freezes")
    entries = models.PositiveIntegerField()
    # The number of paid places; without money, of prizes in kind.
    places = models.PositiveIntegerField()
    pool_cents = models.BigIntegerField()
    prizes = models.JSONField(default=list)
    # The refund of the best player without a prize.
    refund_cents = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(voided_by__isnull=True), name="prizes_frozen_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.places} of {self.entries}, {self.pool_cents}"
