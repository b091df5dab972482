"""What players win: envelopes of a mystery evening, fixed prizes, deals, tickets."""

from django.db import models

from tournaments.models.event import Draw, Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry, Registration
from tournaments.money.domain.tickets import Rest, ticket_name


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


# --- Prizes fixed by a director, and deals


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


# --- Tickets: seats won in a satellite, and their use as payment elsewhere


class Ticket(Fact):
    """A seat won at `event`, worth so much as payment; its printed number is that of the row.

    `serves` is the event it pays for, and with it the other flights of that day; empty: any event
    of the club. Made by a redemption, it is the rest of the redeemed ticket.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="tickets")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="tickets")
    worth_cents = models.PositiveBigIntegerField()
    serves = models.ForeignKey(
        Event, models.PROTECT, null=True, blank=True, related_name="tickets_for"
    )
    # The last day it is taken; empty: for ever.
    until = models.DateField(null=True, blank=True)
    rest = models.CharField(
        max_length=10, choices=[(way.value, way.value) for way in Rest], default=Rest.LOST
    )

    class Meta:
        indexes = [index_live("ticket_live", "event")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return ticket_name(self.pk)

    @property
    def keeps(self) -> Rest:
        return Rest(self.rest)


class TicketUse(Fact):
    """A ticket redeemed: so much of it paid for this registration of `event`."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="ticket_uses")
    ticket = models.ForeignKey(Ticket, models.PROTECT, related_name="uses")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="ticket_uses")
    cents = models.PositiveBigIntegerField()
    # Worth beyond the price, for the pool of `event`.
    pool_cents = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [once_live("ticket_used_once", "ticket")]
        indexes = [index_live("ticket_use_live", "event")]
