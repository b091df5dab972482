"""What tests of places do and ask: who waits, who is asked, and the worker who comes by."""

from datetime import timedelta
from unittest.mock import patch

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.door.services.arrivals import registration_arrive
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.models import PlaceOffer, Registration, Waiting
from tournaments.tasks import places_due

MINUTE = timedelta(minutes=1)


def say(service, event, minute, *, by=SYSTEM, **own):
    """Call a service so many minutes after the doors have opened, an hour before the start."""
    return call_service(service, event=event, by=by, at=f.ARRIVAL + minute * MINUTE, **own)


def of(event, name):
    return Registration.objects.live().get(event=event, person__name=name)


def in_line(event):
    rows = Waiting.objects.live().filter(event=event).order_by("since", "pk")
    return list(rows.values_list("registration__person__name", flat=True))


def offered(event):
    rows = PlaceOffer.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("waiting__registration__person__name", flat=True))


def withdraw(event, name, minute):
    return say(registration_withdraw, event, minute, registration=of(event, name))


def arrive(event, name, minute):
    return say(registration_arrive, event, minute, registration=of(event, name))


def change(event, minute, **settings):
    return say(event_update, event, minute, settings=settings)


def undo(event, minute, action=None):
    return f.undo(event, action, at=f.ARRIVAL + minute * MINUTE)


def work(at):
    """Let the worker come by at this instant."""
    with patch("django.utils.timezone.now", return_value=at):
        places_due()
