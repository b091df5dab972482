"""The ledger of chips. Average stack and chips in play use these rows only."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry


class ChipMovement(Fact):
    """Chips come into play (above zero) or leave it (below).

    `amount` is empty until a stack that left play is counted; the average then has the sign for
    "about". Without `entry` it is chips of a stack taken away that others have won already.
    """

    class Reason(models.TextChoices):
        STARTING_STACK = "starting_stack"
        CARRIED = "carried"
        ON_TIME = "on_time"
        REBUY = "rebuy"
        ADDON = "addon"
        DISQUALIFICATION = "disqualification"
        SURRENDER = "surrender"
        SEAT_WON = "seat_won"
        BLINDED = "blinded"
        CHIP_RACE = "chip_race"

    # With a stack of these the player left play.
    TAKEN_AWAY = (Reason.DISQUALIFICATION, Reason.SURRENDER)

    event = models.ForeignKey(Event, models.PROTECT, related_name="chip_movements")
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="chip_movements"
    )
    reason = models.CharField(max_length=30, choices=Reason.choices)
    amount = models.BigIntegerField(null=True, blank=True)

    class Meta:
        indexes = [index_live("chip_movement_live", "event", "voided_by", "amount")]


class StackCount(Fact):
    """A counted stack in chips: the only source for a player's stack."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="stack_counts")
    amount = models.PositiveBigIntegerField()
    counted_at = models.DateTimeField()


class StackWord(Fact):
    """A stack as its player states it in a break. It counts nowhere but where it is marked so."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="stack_words")
    amount = models.PositiveBigIntegerField()
    said_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("stack_word_once", "entry")]
