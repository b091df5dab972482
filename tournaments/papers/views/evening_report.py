"""The money of an evening on one page: on screen, on paper, and links to its files."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.views.context import page_context
from tournaments.money.domain.means import Means
from tournaments.money.selectors.means import means_name
from tournaments.money.views.parts import of_money
from tournaments.papers.selectors.evening_report import evening_report


@staff(Permission.CHECK_IN, people=True)
@of_money
def report(request: StaffRequest) -> HttpResponse:
    """Show the income, its place and purpose, and open tasks."""
    event = request.event
    found = evening_report(event)
    context = page_context(request, event, request.actor) | {
        "report": found,
        "now": present(event),
        "drawers": [
            {
                "state": state,
                "others": [
                    (means_name(event.club, means), cents)
                    for means, cents in state.other_means.items()
                    if means != Means.CASH
                ],
            }
            for state in found.drawers
        ],
    }
    return render(request, "cash/report.html", context)
