"""What entries cost and what is bought again, as columns of an event: no rows of their own."""

from __future__ import annotations

from django.db import models


class EntryTerms(models.Model):
    """What one pays, and what one gets for it.

    A price is its sum, and the parts of it that do not go to the prize pool: [where, cents, name],
    see `event.domain.prices`. Something is offered while there is a level or a break until which.
    """

    fee_parts = models.JSONField(default=list, blank=True)
    # Above 0: what those pay who register in time, and among the first.
    early_fee_cents = models.PositiveIntegerField(default=0)
    early_until = models.DateTimeField(null=True, blank=True)
    early_entries = models.PositiveIntegerField(default=0)
    # More chips for players who are checked in before the start.
    on_time_chips = models.PositiveIntegerField(default=0)
    # Re-buys: until the end of this level or break; chips 0: a starting stack.
    rebuy_level = models.PositiveSmallIntegerField(default=0)
    rebuy_break = models.PositiveSmallIntegerField(default=0)
    rebuy_cents = models.PositiveIntegerField(default=0)
    rebuy_parts = models.JSONField(default=list, blank=True)
    rebuy_chips = models.PositiveIntegerField(default=0)
    # 0: only who has lost all chips; else who has so many or fewer.
    rebuy_threshold = models.PositiveIntegerField(default=0)
    # A person, of all entries; 0: as many as wanted.
    rebuy_most = models.PositiveSmallIntegerField(default=0)
    rebuy_double = models.BooleanField(default=False)
    # How long a seat is held for a player who may still re-buy.
    rebuy_hold_minutes = models.PositiveSmallIntegerField(default=5)
    # Add-on: in this break alone, or until the end of this level.
    addon_level = models.PositiveSmallIntegerField(default=0)
    addon_break = models.PositiveSmallIntegerField(default=0)
    addon_cents = models.PositiveIntegerField(default=0)
    addon_parts = models.JSONField(default=list, blank=True)
    addon_chips = models.PositiveIntegerField(default=0)
    addon_many = models.BooleanField(default=False)
    # New entries of one person; price 0: as the first one.
    reentry_most = models.PositiveSmallIntegerField(default=0)
    reentry_cents = models.PositiveIntegerField(default=0)
    reentry_parts = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True

    @property
    def bounty_cents(self) -> int:
        """Return what a head is worth: the part of an entry's price that is for bounties."""
        return sum(int(cents) for to, cents, _name in self.fee_parts if to == "bounty")
