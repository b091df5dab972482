"""Who is registered at an event, and whether a link is surely that person's. Reads only."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.models import Entry, Event, Registration
from tournaments.people.domain.naming import sort_key

MOST_WORDS = 8


def is_sure(registration: Registration) -> bool:
    """Tell whether the link of a registration opens all that the club knows of the person.

    Anybody can type a known name: that link opens what was typed, and nothing that was known.
    """
    return registration.owns_person and registration.voided_by_id is None


def contact_of(registration: Registration, *, with_person: bool) -> dict[str, str]:
    """Return name, address and phone: as they were said, or with what the club knows besides."""
    contact = {field: getattr(registration, field) for field in ("name", "email", "phone")}
    if not with_person:
        return contact
    person = registration.person
    known = {field: value or getattr(person, field) for field, value in contact.items()}
    return known | {"name": person.name}


def registrations_live(event: Event) -> QuerySet[Registration]:
    return Registration.objects.live().filter(event=event).select_related("person")


def holds_word(word: str, column: str) -> Q:
    """Return where a sort key holds a word, an umlaut of which may be typed as two letters."""
    as_two = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    return Q(**{f"{column}__contains": word}) | Q(**{f"{column}__contains": as_two})


def registrations_found(
    event: Event, search: str, *, only_missing: bool = False
) -> QuerySet[Registration]:
    """Return the registrations whose names hold every word of the search.

    An umlaut may be typed as such, without its dots, or as two letters.
    """
    rows = registrations_live(event).order_by("person__sort_name", "pk")
    for word in sort_key(search).split()[:MOST_WORDS]:
        rows = rows.filter(holds_word(word, "person__sort_name"))
    if only_missing:
        entries = Entry.objects.live().filter(registration=OuterRef("pk"))
        rows = rows.exclude(Exists(entries))
    return rows
