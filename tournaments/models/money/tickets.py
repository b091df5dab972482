"""Tickets: seats won in a satellite, and their use as payment elsewhere."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Registration
from tournaments.money.domain.tickets import Rest, ticket_name


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
        """Return its printed number."""
        return ticket_name(self.pk)

    @property
    def keeps(self) -> Rest:
        """Return the way of its rest as a value."""
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
