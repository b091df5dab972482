"""Unconfirmed online registrations; proof of the mail address."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.changes.access import Role
from tournaments.door.selectors.places import capacity_of
from tournaments.models import Entry, Event, OnSite, PlaceOffer, Registration, Waiting

PROOF_DIGITS = 32
LAPSED = "registrations.lapsed"


def confirm_by(registration: Registration) -> datetime | None:
    """Return the deadline to confirm; None if confirmed or not required.

    Not required after registration by staff or after arrival.
    """
    event = registration.event
    is_asked = (
        event.confirm_minutes
        and registration.confirmed_at is None
        and registration.made_by.role == Role.VISITOR
        and not event.has_started
        and not event.is_over
    )
    limit = timedelta(minutes=event.confirm_minutes)
    return registration.registered_at + limit if is_asked else None


def unconfirmed(event: Event, now: datetime) -> list[Registration]:
    """Return the unconfirmed registrations to lose their place now, earliest deadline first.

    Only as many as wait without an offer, and only while no place is free. A player who lost a
    place this way takes none from others. A player who waited before keeps the place.
    """
    if not event.confirm_minutes or event.has_started or event.is_over:
        return []
    if capacity_of(event).free > 0:
        return []
    asked = PlaceOffer.objects.live().filter(waiting=OuterRef("pk"))
    line = Waiting.objects.live().filter(event=event).exclude(made_by__kind=LAPSED)
    wanted = line.exclude(Exists(asked)).count()
    of_row = {"registration": OuterRef("pk")}
    rows = (
        Registration.objects.live()
        .filter(
            event=event,
            confirmed_at=None,
            is_reserved=False,
            is_cash_guest=False,
            made_by__role=Role.VISITOR,
            registered_at__lte=now - timedelta(minutes=event.confirm_minutes),
        )
        .exclude(Exists(Entry.objects.live().filter(**of_row)))
        .exclude(Exists(OnSite.objects.live().filter(**of_row)))
        .exclude(Exists(Waiting.objects.filter(**of_row)))
    )
    return list(rows.select_related("person").order_by("registered_at", "pk")[:wanted])


def mailbox_proof(registration: Registration) -> str:
    """Return the secret that only a mail to the registration's address contains."""
    signed = f"{registration.pk}:{registration.email}"
    return salted_hmac("krru.mailbox", signed, algorithm="sha256").hexdigest()[:PROOF_DIGITS]


def is_proof(registration: Registration, given: str) -> bool:
    """Tell whether the request came by the link mailed to the present address."""
    return bool(registration.email) and constant_time_compare(given, mailbox_proof(registration))
