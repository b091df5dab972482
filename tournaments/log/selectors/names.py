"""The names of a club's people and their hashes in its logs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.log.domain.names import Book, Named, NameFault, fault_of
from tournaments.models import Action, Club, Person, Registration
from tournaments.people.domain.name_hashes import NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesChecked:
    """The faults, and the numbers of names compared, erased, and older than the logs' hashes."""

    faults: list[NameFault]
    compared: int
    erased: int
    of_before: int


def names_checked(club: Club) -> NamesChecked:
    """Compare the names of people and registrations with the hashes in a club's logs."""
    book = _book(club)
    named = list(_named(club))
    people = [one for one in named if not one.registration]
    return NamesChecked(
        faults=[fault for one in named if (fault := fault_of(one, book)) is not None],
        compared=sum(bool(one.salt) for one in people),
        erased=sum(one.is_erased for one in people),
        of_before=sum(not one.salt and not one.is_erased for one in people),
    )


def _book(club: Club) -> Book:
    book = Book(people={}, registrations={}, erased=set())
    rows = Action.objects.filter(club=club).order_by("recorded_at", "pk")
    rows_of_log = rows.values_list("event__slug", "sequence", "payload")
    for slug, number, payload in rows_of_log.iterator():
        if NAMES in payload:
            book.note(slug or "", number, payload[NAMES])
        book.erased.update(payload.get("erased", ()))
        # An older version named only one of several rows of one person.
        if "initials" in payload and "erased" not in payload:
            book.tells_all_erased = False
    return book


def _named(club: Club) -> Iterator[Named]:
    people = Person.objects.filter(club=club).order_by("pk")
    for person, name, salt, erased_at in people.values_list("pk", "name", "name_salt", "erased_at"):
        yield Named(person=person, name=name, salt=salt, is_erased=erased_at is not None)
    rows = Registration.objects.filter(event__club=club, person__erased_at=None).order_by("pk")
    for row, person, name, salt in rows.values_list("pk", "person", "name", "person__name_salt"):
        yield Named(person=person, registration=row, name=name, salt=salt)
