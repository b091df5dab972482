"""What is bought after the entry: re-buys, add-ons, new entries; and to whom it is offered.

Until when, and how often, is in `tournaments.entries`; what they cost is kept as it was then.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.floor import LostStack
from tournaments.models.log import Fact
from tournaments.models.people import Entry, Registration


class What(models.TextChoices):
    """What one buys."""

    REBUY = "rebuy"
    ADDON = "addon"
    REENTRY = "reentry"


class Purchase(Fact):
    """Bought: `number` of them for `cents` in all, of which `parts` do not go to the pool.

    `entry` is the stack the chips went to; of a re-entry the new one.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="purchases")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="purchases")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="purchases")
    what = models.CharField(max_length=10, choices=What.choices)
    number = models.PositiveSmallIntegerField(default=1)
    cents = models.PositiveIntegerField(default=0)
    parts = models.JSONField(default=list, blank=True)
    bought_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["event", "registration"],
                condition=Q(voided_by__isnull=True),
                name="purchase_live",
            )
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.entry_id}"


class PurchaseWish(Fact):
    """Somebody asks for it, until it is bought, refused or withdrawn.

    `entry` is the stack of now, or the one before a re-entry. `asked_at` says whether it was in
    time.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="purchase_wishes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="purchase_wishes")
    what = models.CharField(max_length=10, choices=What.choices)
    number = models.PositiveSmallIntegerField(default=1)
    # What the player says is left, where a threshold asks for it.
    stack = models.PositiveBigIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(voided_by__isnull=True), name="purchase_wish_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["event"], condition=Q(voided_by__isnull=True), name="purchase_wish_live"
            )
        ]

    def __str__(self) -> str:
        return f"{self.what}? {self.entry_id}"


class RebuyChance(Fact):
    """The seat of somebody whose stack is lost is held until `until`: a re-buy is still possible.

    Without a re-buy the player is out by the instant at which the stack was lost.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="rebuy_chances")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="rebuy_chances")
    lost = models.ForeignKey(LostStack, models.PROTECT, related_name="rebuy_chances")
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(voided_by__isnull=True), name="rebuy_chance_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["event", "until"],
                condition=Q(voided_by__isnull=True),
                name="rebuy_chance_live",
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} until {self.until}"
