"""A tournament as a calendar file, and all of a club's for a subscription (RFC 5545)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from krru.background.mailing import base_url
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import event_or_404, open_to_all
from tournaments.changes.views.personal import own_registration, private
from tournaments.changes.views.requests import present
from tournaments.event.selectors.labels import GAMES, LIMITS
from tournaments.event.selectors.schedule import event_lasts, events_last
from tournaments.models import Event
from tournaments.rebuys.selectors.announced import announced

# Imported where a file is made: few processes do.
if TYPE_CHECKING:
    from icalendar import Calendar
    from icalendar import Event as Appointment

TYPE = "text/calendar; charset=utf-8"
ALARM_BEFORE = timedelta(hours=2)
ASKED_AGAIN = timedelta(hours=6)
# How long past evenings stay in a subscribed calendar.
KEPT = timedelta(days=60)
MOST_IN_FEED = 100


@open_to_all()
def calendar(_request: HttpRequest, slug: str) -> HttpResponse:
    """Send the file; a later one of the same tournament replaces the phone's entry."""
    event = event_or_404(slug)
    page = base_url() + event.get_absolute_url()
    return _file(event, _("Alles Weitere auf der Turnierseite: %(page)s") % {"page": page}, page)


@open_to_all()
@private
def own_calendar(_request: HttpRequest, token: str) -> HttpResponse:
    """Send the same appointment with the player's own link."""
    registration = own_registration(token)
    page = base_url() + reverse("player", args=[registration.link_token])
    sentence = _("Deine eigene Seite, nur für dich: %(page)s") % {"page": page}
    return _file(registration.event, sentence, page)


@open_to_all()
def feed(_request: HttpRequest) -> HttpResponse:
    """Send the club's evenings for subscribed calendars."""
    club, now = club_get(), present()
    rows = Event.objects.filter(club=club, is_sample=False, starts_at__gt=now - KEPT)
    events = list(rows.select_related("club").order_by("starts_at", "pk")[:MOST_IN_FEED])
    file = _calendar()
    file.add("x-wr-calname", club.name)
    file.add("refresh-interval", ASKED_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("x-published-ttl", "PT6H")
    lengths = events_last(events)
    for event in events:
        page = base_url() + event.get_absolute_url()
        appointment = _appointment(event, page, page, lengths[event.pk], now)
        file.add_component(appointment)
    return HttpResponse(file.to_ical(), content_type=TYPE)


def _file(event: Event, sentence: str, page: str) -> HttpResponse:
    file = _calendar()
    file.add_component(_appointment(event, sentence, page, event_lasts(event), present(event)))
    response = HttpResponse(file.to_ical(), content_type=TYPE)
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.ics"'
    return response


def _calendar() -> Calendar:
    from icalendar import Calendar

    file = Calendar.new(prodid="-//KRRU//KRRU//DE", method="PUBLISH")
    file.add("calscale", "GREGORIAN")
    return file


def _appointment(
    event: Event, sentence: str, page: str, lasts: timedelta, now: datetime
) -> Appointment:
    from icalendar import STATUS, Alarm
    from icalendar import Event as Appointment

    appointment = Appointment.new(
        uid=f"{event.pk}-{event.slug}@krru",
        sequence=event.version,
        stamp=event.log_recorded_at or now,
        # In UTC, so that the file needs no time zone rules.
        start=event.starts_at,
        end=event.starts_at + lasts,
        summary=event.name,
        description=_description(event, sentence),
        location=event.about.place or None,
        url=page,
        status=STATUS.CANCELLED if event.cancelled_by_id else STATUS.CONFIRMED,
    )
    if not event.is_over:
        alarm = Alarm.new(description=event.name)
        alarm.add("action", "DISPLAY")
        alarm.add("trigger", -ALARM_BEFORE)
        appointment.add_component(alarm)
    return appointment


def _description(event: Event, sentence: str) -> str:
    costs = "\n".join(f"{line.label}: {line.text}" for line in announced(event))
    game = f"{GAMES.get(event.game, event.game)}, {LIMITS.get(event.limit, event.limit)}"
    about = event.about
    parts = (game, costs, about.description, about.contact, sentence)
    return "\n\n".join(filter(None, parts))
