"""Bounties: the envelopes of a mystery evening. Other bounties follow from the outs."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Draw, Event
from tournaments.models.log import Fact, once_live
from tournaments.models.people import Entry


class MysteryPot(Fact):
    """From here on each out is worth an envelope. `amounts` lists their contents by number."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="mystery_pots")
    amounts = models.JSONField(default=list)
    began_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("mystery_pot_once", "event")]


class Envelope(Fact):
    """The envelope drawn for a taken bounty; it stays with that bounty.

    `stack` is the number of the entry's stack that was lost; 1 is the first.
    """

    pot = models.ForeignKey(MysteryPot, models.PROTECT, related_name="envelopes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="envelopes")
    stack = models.PositiveSmallIntegerField(default=1)
    draw = models.ForeignKey(Draw, models.PROTECT, related_name="envelopes")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            once_live("envelope_number_once", "pot", "number"),
            once_live("envelope_entry_once", "pot", "entry", "stack"),
        ]
