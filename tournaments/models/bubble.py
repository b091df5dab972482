"""Near the money: hand-for-hand and its rounds, head counts, the money. Closing time."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.floor import HandRound, Table
from tournaments.models.log import Fact, index_live, once_live


class HandReport(Fact):
    """A table's report of a finished hand in a round of hand-for-hand."""

    round = models.ForeignKey(HandRound, models.PROTECT, related_name="reports")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    reported_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("hand_report_once", "round", "table")]


class HeadCheck(Fact):
    """Staff's count of the players at a table. The latest of a table counts."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="head_checks")
    players = models.PositiveSmallIntegerField()
    checked_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("head_check_live", "table")]


class MoneyReached(Fact):
    """The announcement that all remaining players are paid."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="money_reached")
    left = models.PositiveIntegerField()
    announced_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("money_reached_once", "event")]


class ClosingCall(Fact):
    """The announcement that stacks are counted after a level and decide the places.

    `level_id` is the last row of the schedule to be played.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="closing_calls")
    level_id = models.PositiveBigIntegerField()
    announced_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("closing_called_once", "event")]
