"""Statistics over all events of the club, for the director."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest
from tournaments.money.selectors.tickets import ticket_sums
from tournaments.seasons.domain.pictures import HEIGHT, MOST_BARS, WIDTH, bars
from tournaments.seasons.selectors.statistics import checked_of, held_count, statistics_of

EVENINGS_A_PAGE = 50


@never_cache
@club_staff(Permission.MANAGE)
def statistics(request: StaffRequest) -> HttpResponse:
    """Show attendance, durations, busiest hours, and past forecasts."""
    club = club_get()
    found = statistics_of(club)
    checked = checked_of(club)
    latest_first = list(reversed(found.evenings))
    context = {
        "club": club,
        "found": found,
        "page": Paginator(latest_first, EVENINGS_A_PAGE).get_page(request.GET.get("seite")),
        "people": bars([one.people for one in found.evenings]),
        "lengths": bars([one.minutes for one in found.evenings]),
        "shown": min(MOST_BARS, len(found.evenings)),
        "hours": list(zip(found.hours, bars([one.entries for one in found.hours]), strict=True)),
        "busiest": max(found.hours, key=lambda one: one.entries, default=None),
        "tickets": ticket_sums(club, timezone.localdate()),
        "checked": checked,
        "held": held_count(checked),
        "width": WIDTH,
        "height": HEIGHT,
    }
    return render(request, "seasons/statistics.html", context)
