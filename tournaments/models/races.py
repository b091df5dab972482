"""Chip races: small chips leaving play at a table, and the winners of larger ones."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Draw, Event
from tournaments.models.floor import Table
from tournaments.models.log import Fact


class ChipRace(Fact):
    """The exchange at one table where the schedule takes chips out of play (TDA 2024 24).

    `values` are the leaving chips, `new` the larger ones. `seats` lists for each seat with some:
    seat, entry, their worth, the cards dealt for odd chips, and the larger chips won. There is no
    draw without odd chips.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="chip_races")
    table = models.ForeignKey(Table, models.PROTECT, related_name="chip_races")
    level = models.ForeignKey("clock.Level", models.PROTECT, related_name="+")
    draw = models.ForeignKey(Draw, models.PROTECT, null=True, blank=True, related_name="+")
    values = models.JSONField(default=list)
    new = models.PositiveIntegerField()
    seats = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "level"],
                condition=models.Q(voided_by__isnull=True),
                name="chip_race_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.values}"
