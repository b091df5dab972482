"""The floor: tables, who sits where, who is out, who deals first."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.log import Fact
from tournaments.models.people import Entry


class Table(Fact):
    """A table in play; voided when it is broken or closed. Seats are numbered from 1."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="tables")
    number = models.PositiveIntegerField()
    seats = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"],
                condition=Q(voided_by__isnull=True),
                name="table_number_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} @ {self.event_id}"


class Seating(Fact):
    """An entry sits on a seat, until a move, a break or its elimination voids the seating."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="seatings")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seatings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="seatings")
    seat = models.PositiveSmallIntegerField()
    day = models.PositiveSmallIntegerField(default=1)
    seated_at = models.DateTimeField()
    arrived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(voided_by__isnull=True), name="seating_entry_once"
            ),
            models.UniqueConstraint(
                fields=["table", "seat"],
                condition=Q(voided_by__isnull=True),
                name="seating_seat_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["event", "table"],
                condition=Q(voided_by__isnull=True),
                name="seating_live",
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.table_id}/{self.seat}"


class Elimination(Fact):
    """An entry is out, at `at`. Its place is computed; `group` ties those of one hand together."""

    class Way(models.TextChoices):
        BUST = "bust"
        DISQUALIFIED = "disqualified"

    event = models.ForeignKey(Event, models.PROTECT, related_name="eliminations")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="eliminations")
    way = models.CharField(max_length=20, choices=Way.choices)
    at = models.DateTimeField()
    sequence = models.PositiveBigIntegerField()
    group = models.PositiveBigIntegerField(null=True, blank=True)
    start_stack = models.PositiveBigIntegerField(null=True, blank=True)
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(voided_by__isnull=True), name="elimination_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["event", "at"],
                condition=Q(voided_by__isnull=True),
                name="elimination_live",
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.way}"


class DealerDraw(Fact):
    """The first dealer of a table by high card; `cards` lists seat, entry and card code."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="dealer_draws")
    draw = models.ForeignKey("tournaments.Draw", models.PROTECT, related_name="+")
    cards = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.table_id}"
