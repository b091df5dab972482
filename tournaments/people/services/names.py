"""Log hashes of names, which say nothing once the person's salt is erased."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from tournaments.changes.audit import Change
from tournaments.models import Person, Registration
from tournaments.people.domain.name_hashes import NAMES, name_hash


def note_names(
    change: Change, people: Iterable[Person] = (), registrations: Iterable[Registration] = ()
) -> None:
    """Log these names; a registration together with its person if the names are equal."""
    names = {(person.pk, 0): (person, person.name) for person in people}
    for row in registrations:
        if (row.person_id, 0) in names and row.name == row.person.name:
            del names[row.person_id, 0]
            names[row.person_id, row.pk] = row.person, row.name
        elif row.name:
            names[0, row.pk] = row.person, row.name
    # Without a salt (erased person), anyone could guess names.
    noted = [
        [*key, name_hash(person.name_salt, name)]
        for key, (person, name) in names.items()
        if person.name_salt
    ]
    if noted:
        change.record(**{NAMES: [*change.action.payload.get(NAMES, ()), *noted]})


def new_salt() -> str:
    """Return a salt for the hashes of one person's names."""
    return secrets.token_hex(16)


def salted(people: Iterable[Person]) -> None:
    """Add a salt to people from before names were logged."""
    bare = [person for person in people if not person.name_salt and person.erased_at is None]
    for person in bare:
        person.name_salt = new_salt()
    if bare:
        Person.objects.bulk_update(bare, ["name_salt"], batch_size=500)
