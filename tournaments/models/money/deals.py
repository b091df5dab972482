"""Deals: the director's leave, what is offered, what each would get, and each one's yes or no."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.log import Fact
from tournaments.models.people import Entry


class DealLeave(Fact):
    """The director allows a deal (KRRU 3.0). Nothing is offered without it."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="deal_leaves")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(voided_by__isnull=True), name="deal_leave_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id}"


class Deal(Fact):
    """How those who are left would share the prizes. It is agreed once all have said yes.

    `prizes` are those of the places that are left, in cents, the first one first. `kept_cents`
    is taken from the first prize and still played for.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="deals")
    leave = models.ForeignKey(DealLeave, models.PROTECT, related_name="deals")
    way = models.CharField(max_length=10)
    prizes = models.JSONField(default=list)
    kept_cents = models.PositiveBigIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["event"], condition=Q(voided_by__isnull=True), name="deal_live")
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.way}"


class DealShare(Fact):
    """What one of them would get, and the stack that was counted for it."""

    deal = models.ForeignKey(Deal, models.PROTECT, related_name="shares")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="deal_shares")
    stack = models.PositiveBigIntegerField()
    amount_cents = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"{self.entry_id} {self.amount_cents}"


class DealAnswer(Fact):
    """What a player says to the share that is offered. Another share is another question."""

    share = models.ForeignKey(DealShare, models.PROTECT, related_name="answers")
    says_yes = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["share"], condition=Q(voided_by__isnull=True), name="deal_answer_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.share_id} {self.says_yes}"
