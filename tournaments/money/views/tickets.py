"""The club's tickets: the open ones, their sums, and a slip for one."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import club_staff, qr_svg, staff
from tournaments.changes.views.requests import StaffRequest
from tournaments.event.views.context import page_context
from tournaments.models import Ticket
from tournaments.money.selectors.tickets import ticket_lines, ticket_sums


@never_cache
@club_staff(Permission.MANAGE)
def tickets(request: StaffRequest) -> HttpResponse:
    """Show all open tickets of the club, the oldest first."""
    club, day = club_get(), timezone.localdate()
    context = {"club": club, "tickets": ticket_lines(club, day), "sums": ticket_sums(club, day)}
    return render(request, "cash/tickets.html", context)


@staff(Permission.CHECK_IN, people=True)
def slip(request: StaffRequest, ticket: int) -> HttpResponse:
    """Show a ticket won at this event, ready to print."""
    rows = Ticket.objects.live().filter(event=request.event, pk=ticket)
    row = rows.select_related("serves", "registration__person").first()
    if row is None:
        raise Http404(_("Dieses Ticket gibt es hier nicht."))
    context = page_context(request, request.event, request.actor) | {
        "ticket": row,
        "code": qr_svg(row.name),
    }
    return render(request, "cash/ticket.html", context)
