"""Counts of an evening without names: entries, players left, re-buys, chips."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.log import Fact, index_live


class HeadCount(Fact):
    """One count up or down. The total is the sum of live rows."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="head_counts")
    entries = models.SmallIntegerField(default=0)
    left = models.SmallIntegerField(default=0)
    rebuys = models.SmallIntegerField(default=0)
    chips = models.BigIntegerField(default=0)

    class Meta:
        indexes = [index_live("head_count_live", "event")]
