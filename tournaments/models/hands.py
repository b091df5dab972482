"""Hands: their start at a table, and players put on the clock during one."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.floor import Table
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry


class Hand(Fact):
    """The start of a hand tapped by staff; numbered from 1 at each table.

    `button`, `small_blind` and `big_blind` are their seats, None if unknown. A dead button or a
    dead small blind is on an empty seat.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField()
    began_at = models.DateTimeField()
    button = models.PositiveSmallIntegerField(null=True, blank=True)
    small_blind = models.PositiveSmallIntegerField(null=True, blank=True)
    big_blind = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [once_live("hand_number_once", "table", "number")]
        indexes = [index_live("hand_live", "table", "began_at")]


class ButtonMark(Fact):
    """The button's seat as told by staff, or that it is unknown (no `seat`).

    `after_hand` is the number of the table's last tapped hand then, 0 without one: the mark counts
    from that hand on, until a later hand has its own button.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="button_marks")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    after_hand = models.PositiveIntegerField(default=0)
    marked_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("button_mark_live", "table")]


class ClockCall(Fact):
    """A player was put on the clock; the event's rules set the time."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="clock_calls")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="clock_calls")
    began_at = models.DateTimeField()
    has_watch = models.BooleanField(default=False)

    class Meta:
        indexes = [index_live("clock_call_live", "event", "table")]


class ClockCallEnd(Fact):
    """The result: the player acted, or time ran out and the hand was dead or a check."""

    class Outcome(models.TextChoices):
        ACTED = "acted"
        DEAD = "dead"
        CHECK = "check"

    call = models.ForeignKey(ClockCall, models.PROTECT, related_name="ends")
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("clock_call_ends_once", "call")]
