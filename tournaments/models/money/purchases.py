"""Purchases after the entry: re-buys, add-ons, re-entries; and their offers.

Limits are in `tournaments.rebuys`; the price is stored as it was then.
"""

from datetime import datetime

from django.db import models

from tournaments.models.event import Event
from tournaments.models.floor import LostStack
from tournaments.models.log import LATE, Fact, index_live, once_live
from tournaments.models.people import Entry, Registration


class What(models.TextChoices):
    REBUY = "rebuy"
    ADDON = "addon"
    REENTRY = "reentry"


class Purchase(Fact):
    """A purchase: `number` of them for `cents` in total, with `parts` outside the prize pool.

    `entry` is the stack that got the chips; for a re-entry the new one.
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
        indexes = [index_live("purchase_live", "event", "registration")]


class PurchaseWish(Fact):
    """A player's request for a purchase, until bought, refused or withdrawn.

    `entry` is the present stack, or the one before a re-entry. `asked_at` decides whether it was in
    time.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="purchase_wishes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="purchase_wishes")
    what = models.CharField(max_length=10, choices=What.choices)
    number = models.PositiveSmallIntegerField(default=1)
    # The player's stack as told, if a threshold applies.
    stack = models.PositiveBigIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField()

    @property
    def late_at(self) -> datetime | None:
        """Return when it was asked, as told later; None if it was told at once."""
        told = self.made_by
        return told.late_at or (self.asked_at if told.recorded_at - self.asked_at >= LATE else None)

    class Meta:
        constraints = [once_live("purchase_wish_once", "entry")]
        indexes = [index_live("purchase_wish_live", "event")]


class RebuyChance(Fact):
    """A busted player's seat is held until `until` for a re-buy.

    Without a re-buy the player is out as of the loss of the stack.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="rebuy_chances")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="rebuy_chances")
    lost = models.ForeignKey(LostStack, models.PROTECT, related_name="rebuy_chances")
    until = models.DateTimeField()

    class Meta:
        constraints = [once_live("rebuy_chance_once", "entry")]
        indexes = [index_live("rebuy_chance_live", "event", "until")]


class LateTap(Fact):
    """A phone claims that something happened at `at`. It counts from its arrival until decided.

    `wish` is the request it made; without one it told a lost stack of `entry`.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="late_taps")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="late_taps")
    wish = models.ForeignKey(PurchaseWish, models.PROTECT, null=True, related_name="late_taps")
    at = models.DateTimeField()

    class Meta:
        indexes = [index_live("late_tap_live", "event")]
