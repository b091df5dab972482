"""Players' conduct and presence: penalties, absences, arrivals at a new seat."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.floor import Seating, Table
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry


class Penalty(Fact):
    """A warning, or hands to miss. It belongs to the entry and follows it to any seat.

    `hands` is the total to sit out, 0 for a warning. A penalty in rounds becomes hands when given,
    one for each player at the table then (TDA 2024 71).
    """

    class Kind(models.TextChoices):
        WARNING = "warning"
        HANDS = "hands"
        ROUNDS = "rounds"

    event = models.ForeignKey(Event, models.PROTECT, related_name="penalties")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="penalties")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    rounds = models.PositiveSmallIntegerField(default=0)
    hands = models.PositiveSmallIntegerField(default=0)
    given_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("penalty_live", "event", "entry")]


class PenaltyServed(Fact):
    """Hands of a penalty sat out as seen by staff, if hands are not tapped."""

    penalty = models.ForeignKey(Penalty, models.PROTECT, related_name="served")
    hands = models.PositiveSmallIntegerField()


class Absence(Fact):
    """A player's absence from the seat since `left_at`; voided by the return."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="absences")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="absences")
    left_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("absence_once", "entry")]


class Arrival(Fact):
    """A player's arrival at the seat, confirmed at check-in or after a move."""

    seating = models.ForeignKey(Seating, models.PROTECT, related_name="arrivals")
    arrived_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("arrival_once", "seating")]


class Summons(Fact):
    """A table's call for the director; the answer "I come" makes a new row."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="summons")
    table = models.ForeignKey(Table, models.PROTECT, related_name="summons")
    reason = models.CharField(max_length=20)
    called_at = models.DateTimeField()
    is_coming = models.BooleanField(default=False)

    class Meta:
        constraints = [once_live("summons_once", "table")]
