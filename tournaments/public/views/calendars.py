"""A tournament as a file for the calendar of a phone (RFC 5545)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from icalendar import STATUS, Calendar
from icalendar import Event as Appointment

from krru.mailing import base_url
from tournaments.changes.views.decorators import event_or_404, open_to_all
from tournaments.changes.views.requests import present
from tournaments.event.selectors.schedule import event_lasts
from tournaments.event.selectors.words import GAMES, LIMITS
from tournaments.models import Event


@open_to_all()
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand the file out; a later one of the same tournament replaces what the phone has."""
    event = event_or_404(slug)
    file = Calendar.new(prodid="-//KRRU//KRRU//DE", method="PUBLISH")
    file.add("calscale", "GREGORIAN")
    file.add_component(
        Appointment.new(
            uid=f"{event.pk}-{event.slug}@krru",
            sequence=event.version,
            stamp=event.log_recorded_at or present(event),
            # In UTC, so that the file need not carry the rules of a time zone.
            start=event.starts_at,
            end=event.starts_at + event_lasts(event),
            summary=event.name,
            description=_description(event),
            status=STATUS.CANCELLED if event.cancelled_by_id else STATUS.CONFIRMED,
        )
    )
    response = HttpResponse(file.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.ics"'
    return response


def _description(event: Event) -> str:
    told = _("%(game)s, %(limit)s. Alles Weitere auf der Turnierseite: %(page)s")
    return told % {
        "game": GAMES.get(event.game, event.game),
        "limit": LIMITS.get(event.limit, event.limit),
        "page": base_url() + event.get_absolute_url(),
    }
