"""Prizes fixed by a director, and deals.

Later payments do not change fixed prizes. A deal has the director's permission, the offer, and each
player's share and answer.
"""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry


class DealLeave(Fact):
    """The director's permission for a deal (KRRU 3.0), needed for any offer."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="deal_leaves")

    class Meta:
        constraints = [once_live("deal_leave_once", "event")]


class Deal(Fact):
    """An offered split of the prizes. It is agreed once all remaining players say yes.

    `prizes` are those of the remaining places, in cents, the first one first. `kept_cents` is taken
    from the first prize and still played for.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="deals")
    leave = models.ForeignKey(DealLeave, models.PROTECT, related_name="deals")
    way = models.CharField(max_length=10)
    prizes = models.JSONField(default=list)
    kept_cents = models.PositiveBigIntegerField(default=0)

    class Meta:
        indexes = [index_live("deal_live", "event")]


class DealShare(Fact):
    """A player's share of a deal, and the stack counted for it."""

    deal = models.ForeignKey(Deal, models.PROTECT, related_name="shares")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="deal_shares")
    stack = models.PositiveBigIntegerField()
    amount_cents = models.PositiveBigIntegerField()


class DealAnswer(Fact):
    """A player's answer to an offered share. A changed share needs a new answer."""

    share = models.ForeignKey(DealShare, models.PROTECT, related_name="answers")
    says_yes = models.BooleanField()

    class Meta:
        constraints = [once_live("deal_answer_once", "share")]


class PrizeFreeze(Fact):
    """The fixed prizes of an event, by place, the first one first."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="prize_freezes")
    entries = models.PositiveIntegerField()
    # The number of paid places; without money, of prizes in kind.
    places = models.PositiveIntegerField()
    pool_cents = models.BigIntegerField()
    prizes = models.JSONField(default=list)
    # The refund of the best player without a prize.
    refund_cents = models.BigIntegerField(default=0)

    class Meta:
        constraints = [once_live("prizes_frozen_once", "event")]
