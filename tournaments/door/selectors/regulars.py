"""Regulars: people known to the club and not registered yet. Reads only.

Only names, a few at a time: helpers at the door must not read the club's list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Entry, Event, Person, Registration
from tournaments.people.domain.naming import sort_key
from tournaments.people.selectors.club_people import people_of, with_evenings
from tournaments.people.selectors.registrations import MOST_WORDS, holds_word

SHORTEST_SEARCH = 3  # letters
MOST_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A person registered at an earlier event; `came`: and played there."""

    registration: Registration
    came: bool
    is_here: bool

    @property
    def person(self) -> Person:
        return self.registration.person


def people_not_registered(event: Event) -> QuerySet[Person]:
    """Return known people not registered at this event; for a sample event none."""
    if event.is_sample:
        return Person.objects.none()
    here = Registration.objects.live().filter(event=event, person=OuterRef("pk"))
    return people_of(event.club).exclude(Exists(here))


def regulars_found(event: Event, search: str) -> list[Person]:
    """Return the first matches (names that contain every word), with their events."""
    words = sort_key(search).split()[:MOST_WORDS]
    if event.is_over or sum(map(len, words)) < SHORTEST_SEARCH:
        return []
    rows = people_not_registered(event)
    for word in words:
        rows = rows.filter(holds_word(word, "sort_name"))
    return list(with_evenings(rows, "-evenings", "sort_name", "pk")[:MOST_SHOWN])


def last_registration_of(person: Person, event: Event) -> Registration | None:
    """Return the person's latest registration at another event."""
    rows = Registration.objects.live().filter(person=person).exclude(event=event)
    return rows.order_by("-registered_at", "-pk").first()


def taken_again(person: Person, last: Registration | None) -> dict[str, Any]:
    """Return the data to register a known person; the name is listed or not as last time."""
    return {
        "person": person.pk,
        "name": person.name,
        "is_listed": last.is_listed if last else False,
        "language": last.language if last else "",
    }


def evenings_with_guests(event: Event) -> QuerySet[Event]:
    """Return the club's other events with registrations, latest first."""
    there = Registration.objects.live().filter(event=OuterRef("pk"))
    rows = Event.objects.filter(Exists(there), club=event.club_id, is_sample=False)
    return rows.exclude(pk=event.pk).order_by("-starts_at", "-pk")


def guests_of(source: Event, event: Event) -> list[Guest]:
    """Return the people registered at another event by name, marked if already here."""
    rows = Registration.objects.live().filter(event=source, person__erased_at=None)
    came = Entry.objects.live().filter(registration=OuterRef("pk"))
    here = Registration.objects.live().filter(event=event, person=OuterRef("person"))
    found = rows.annotate(came=Exists(came), is_here=Exists(here)).select_related("person")
    return [
        Guest(registration=row, came=row.came, is_here=row.is_here)
        for row in found.order_by("person__sort_name", "pk")
    ]
