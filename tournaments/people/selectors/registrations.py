"""Registrations at an event, and the rights of their links. Reads only."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.models import Entry, Event, Registration
from tournaments.people.domain.naming import sort_key

MOST_WORDS = 8


def is_sure(registration: Registration) -> bool:
    """Tell whether a registration's link opens all of the person's data.

    Anyone can type a known name: such a link opens only the typed data.
    """
    return registration.owns_person and registration.voided_by_id is None


def contact_of(registration: Registration, *, with_person: bool) -> dict[str, str]:
    """Return name, address and phone: as typed, or completed from the person."""
    contact = {field: getattr(registration, field) for field in ("name", "email", "phone")}
    if not with_person:
        return contact
    person = registration.person
    known = {field: value or getattr(person, field) for field, value in contact.items()}
    return known | {"name": person.name}


def registrations_live(event: Event) -> QuerySet[Registration]:
    return Registration.objects.live().filter(event=event).select_related("person")


def holds_word(word: str, column: str) -> Q:
    """Return a filter for a word in a sort key; umlauts may be typed as two letters."""
    as_two = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    return Q(**{f"{column}__contains": word}) | Q(**{f"{column}__contains": as_two})


def registrations_found(
    event: Event, search: str, *, only_missing: bool = False
) -> QuerySet[Registration]:
    """Return the registrations with every word of the search in the name.

    An umlaut may be typed as such, without dots, or as two letters.
    """
    rows = registrations_live(event).order_by("person__sort_name", "pk")
    for word in sort_key(search).split()[:MOST_WORDS]:
        rows = rows.filter(holds_word(word, "person__sort_name"))
    if only_missing:
        entries = Entry.objects.live().filter(registration=OuterRef("pk"))
        rows = rows.exclude(Exists(entries))
    return rows
