"""Rulings at a table, so that the next table gets the same."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.floor import Table
from tournaments.models.log import Fact, index_live


class Ruling(Fact):
    """A question at a table and its ruling. The words of both are texts of the log entry.

    `question` is the argument of `rulings.domain.desk.answer`: numbers and codes, no personal data.
    The log entry keeps it with its answer.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="rulings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="rulings", null=True, blank=True)
    topic = models.CharField(max_length=10)
    question = models.JSONField(default=dict)
    decided_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("ruling_live", "event", "decided_at")]
