"""Prices of entries and purchases, as columns of an event: no rows of their own."""

from django.db import models


class EntryTerms(models.Model):
    """The price of an entry and its chips.

    A price is its total and the parts outside the prize pool: [where, cents, name], see
    `event.domain.prices`. An offer needs a level or a break as its end.
    """

    fee_parts = models.JSONField(default=list, blank=True)
    # Prices by person: [name, cents, parts or None for those of the entry].
    fee_rates = models.JSONField(default=list, blank=True)
    # Above 0: the early-bird price, by date and by number of registrations.
    early_fee_cents = models.PositiveIntegerField(default=0)
    early_until = models.DateTimeField(null=True, blank=True)
    early_entries = models.PositiveIntegerField(default=0)
    # Extra chips for players checked in before the start.
    on_time_chips = models.PositiveIntegerField(default=0)
    # Re-buys: until the end of this level or break; chips 0: a starting stack.
    rebuy_level = models.PositiveSmallIntegerField(default=0)
    rebuy_break = models.PositiveSmallIntegerField(default=0)
    rebuy_cents = models.PositiveIntegerField(default=0)
    rebuy_parts = models.JSONField(default=list, blank=True)
    rebuy_chips = models.PositiveIntegerField(default=0)
    # 0: only after losing all chips; otherwise with at most so many.
    rebuy_threshold = models.PositiveIntegerField(default=0)
    # Per person over all entries; 0: no limit.
    rebuy_most = models.PositiveSmallIntegerField(default=0)
    rebuy_double = models.BooleanField(default=False)
    # How long a seat is held for a possible re-buy.
    rebuy_hold_minutes = models.PositiveSmallIntegerField(default=5)
    # Add-on: only in this break, or until the end of this level.
    addon_level = models.PositiveSmallIntegerField(default=0)
    addon_break = models.PositiveSmallIntegerField(default=0)
    addon_cents = models.PositiveIntegerField(default=0)
    addon_parts = models.JSONField(default=list, blank=True)
    addon_chips = models.PositiveIntegerField(default=0)
    addon_many = models.BooleanField(default=False)
    # Re-entries of one person; price 0: as the first entry.
    reentry_most = models.PositiveSmallIntegerField(default=0)
    reentry_cents = models.PositiveIntegerField(default=0)
    reentry_parts = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True

    @property
    def bounty_cents(self) -> int:
        """Return the bounty on a player: the entry price's part for bounties."""
        return sum(int(cents) for to, cents, _name in self.fee_parts if to == "bounty")
