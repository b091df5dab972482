"""Tickets: given out with a seat of a satellite, and redeemed once as payment elsewhere."""

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, Topic, declare_texts
from tournaments.models import Registration, Ticket, TicketUse
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.domain.tickets import Rest, redeemed
from tournaments.money.selectors.journal import standing_of
from tournaments.money.selectors.tickets import obstacle_to_redeem
from tournaments.money.services.fees import book, payment_book, registration_of

declare_texts(Holds.NOTHING, ["ticket"])

TICKET_REDEEMED = Kind("ticket.redeemed", lazy("Mit Ticket %(ticket)s bezahlt: %(name)s"),
                       Group.FEES)  # fmt: skip


@service(TICKET_REDEEMED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def ticket_redeem(change: Change, *, registration: Registration, ticket: Ticket) -> None:
    """Pay for a registration with a ticket: the open amount, as far as it goes.

    The ticket is locked until the change is committed, so two desks of two events cannot take it
    both. What it is worth beyond the price is left on a new ticket, goes into the
    pool of this event, or is lost.
    """
    row = registration_of(change, registration)
    rows = Ticket.objects.live().filter(event__club=change.event.club_id, pk=ticket.pk)
    held = rows.select_for_update().first()
    if held is None:
        raise Refused(_("Dieses Ticket gibt es hier nicht."), code="gone")
    obstacle = obstacle_to_redeem(held, change.event, row, localtime(change.at).date())
    if obstacle is not None:
        raise obstacle
    standing = standing_of(row)
    if row.voided_by_id is not None or standing.open_cents <= 0:
        raise Refused(_("Hier ist nichts zu bezahlen."), code="already_paid")
    found = redeemed(held.worth_cents, standing.open_cents, held.keeps)
    TicketUse.objects.create(
        event=change.event,
        ticket=held,
        registration=row,
        cents=found.cents,
        pool_cents=found.to_pool,
        made_by=change.action,
    )
    payment_book(change, row, found.cents, Means.TICKET, standing=standing)
    if found.to_pool:
        book(change, {(Account.POOL, ""): -found.to_pool}, means=Means.TICKET)
        change.record(to_pool_cents=found.to_pool)
    change.record(ticket=held.pk, lost_cents=found.lost)
    if found.rest:
        rest = Ticket.objects.create(
            event=held.event,
            registration=held.registration,
            worth_cents=found.rest,
            serves=held.serves,
            until=held.until,
            rest=Rest.TICKET,
            made_by=change.action,
        )
        change.record(rest=rest.pk, rest_cents=found.rest)
    change.tell(ticket=held.name)
