"""Tickets of a satellite: given out with the seat, and void if a correction takes it away."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _

from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.models import Event, Registration, Ticket, TicketUse
from tournaments.money.services.tickets import ticket_write


def ticket_give(change: Change, winner: Registration, cents: int) -> None:
    """Write the ticket of a seat just given, if the satellite has tickets."""
    plan = change.event.prize_plan
    if not plan.seats_for:
        return
    row = ticket_write(
        change,
        winner,
        cents,
        event=change.event,
        serves=Event.objects.filter(club=change.event.club_id, pk=plan.seats_for).first(),
        until=date.fromisoformat(plan.tickets_until) if plan.tickets_until else None,
        keeps=plan.tickets_rest,
    )
    change.record(ticket=row.pk)


def tickets_take_back(change: Change, winner: Registration) -> None:
    """Void the tickets of a seat that a correction took away.

    :raises Refused: One of them is redeemed.
    """
    rows = Ticket.objects.live().filter(event=change.event, registration=winner)
    held = list(rows.select_for_update().values_list("pk", flat=True))
    used = TicketUse.objects.live().filter(ticket__in=held).select_related("ticket", "event")
    use = used.first()
    if use is not None:
        raise Refused(
            _("%(ticket)s ist eingelöst. Erst das bei „%(event)s“ zurücknehmen.")
            % {"ticket": use.ticket.name, "event": use.event.name},
            code="ticket_used",
        )
    rows.update(voided_by=change.action)
