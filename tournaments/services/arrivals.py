"""Before a seat is given: "I come later", "I am here", and whoever never came."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from tournaments.access import Permission, Role
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused
from tournaments.models import Absence, Action, Expected, OnSite, Registration, Waiting
from tournaments.selectors.places import noshows, noshows_are_blinded, offer_of, waiting_of
from tournaments.services.registration import entry_make, live_registration
from tournaments.services.seats import seat_by_draw
from tournaments.services.waiting import places_offer, take_place

TOPICS = ("registrations",)
LATEST = timedelta(hours=12)


@service("registration.arrived", Permission.WITHDRAW, topics=TOPICS, running=True)
def registration_arrive(change: Change, *, registration: Registration) -> None:
    """Record that somebody has come; he is checked in at the desk, or waits for a seat.

    A place that is held for him is his: nobody else is asked who stands here.
    """
    row = _own(change, registration)
    if OnSite.objects.live().filter(registration=row).exists():
        raise Refused(_("Das ist schon bekannt: angekommen."), code="already_here")
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt."), code="checked_in")
    Expected.objects.live().filter(registration=row).update(voided_by=change.action)
    OnSite.objects.create(registration=row, came_at=change.at, made_by=change.action)
    change.record(registration=row.pk)
    change.tell(name=row.person.name)
    waiting = waiting_of(row)
    offer = offer_of(waiting)
    if waiting is not None and offer is not None and change.at <= offer.expires_at:
        take_place(change, waiting)
        change.record(accepted=True)
    places_offer(change)


@service("registration.expected", Permission.WITHDRAW, topics=TOPICS, running=True)
def registration_expect(
    change: Change, *, registration: Registration, expected_at: datetime
) -> None:
    """Record when somebody comes; until then he counts as no no-show."""
    row = _own(change, registration)
    event = change.event
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt."), code="checked_in")
    if expected_at <= change.at:
        raise Refused(_("Diese Uhrzeit ist schon vorbei."), code="past")
    if expected_at > max(event.starts_at, change.at) + LATEST:
        raise Refused(_("So spät ist das Turnier vorbei."), code="too_late")
    Expected.objects.live().filter(registration=row).update(voided_by=change.action)
    Expected.objects.create(registration=row, expected_at=expected_at, made_by=change.action)
    change.record(registration=row.pk, expected_ms=round(expected_at.timestamp() * 1000))
    change.tell(name=row.person.name)


def noshows_settle(**said: Any) -> Action:
    """Do with those who are not here in time what the rules of the event say."""
    blinded = noshows_are_blinded(said["event"])
    return noshows_blind(**said) if blinded else noshows_release(**said)


@service(
    "noshows.blinded", Permission.CHECK_IN, topics=(*TOPICS, "entries", "tables"), running=True
)
def noshows_blind(change: Change) -> None:
    """Seat those who are not here in time, by draw: their stacks pay the blinds until they come."""
    gone = _gone(change)
    entries = []
    for row in gone:
        entry = entry_make(change, row)
        seat_by_draw(change, entry)
        Absence.objects.create(
            event=change.event, entry=entry, left_at=change.at, made_by=change.action
        )
        entries.append(entry.pk)
    for single in ("entry", "registration", "chips", "table", "seat", "draw"):
        change.action.payload.pop(single, None)  # each of them told of the last one alone
    change.record(entries=entries, registrations=[row.pk for row in gone])
    change.announce("conduct")


@service("noshows.released", Permission.CHECK_IN, topics=TOPICS, running=True)
def noshows_release(change: Change) -> None:
    """Free the places of whoever is not here in time; who comes after all waits in line."""
    gone = _gone(change)
    Waiting.objects.bulk_create(
        Waiting(event=change.event, registration=row, since=change.at, made_by=change.action)
        for row in gone
    )
    change.record(registrations=[row.pk for row in gone])
    places_offer(change)


def _gone(change: Change) -> list[Registration]:
    gone = noshows(change.event, change.at)
    if not gone:
        raise Refused(_("Es fehlt niemand, dessen Zeit um ist."), code="none_due")
    change.tell(name=", ".join(row.person.name for row in gone))
    return gone


def _own(change: Change, registration: Registration) -> Registration:
    row = live_registration(change, registration)
    if change.by.role == Role.PLAYER and change.by.registration_id != row.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    return row
