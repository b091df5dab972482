"""The club's people outside of events: corrected one by one, members imported from a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Club, Event, Person
from tournaments.people.selectors.club_people import merge_of, people_of
from tournaments.people.services.names import note_names, salted
from tournaments.people.services.people import (
    PERSONAL,
    Newcomer,
    clean,
    disown,
    people_taken,
    person_write,
)

CHUNK = 500


PERSON_CORRECTED = Kind(
    "person.corrected",
    lazy("Daten einer Person berichtigt"),
    Group.CLUB,
    # From a migration: the log's hashes of names, with a salt for each person.
    outcomes={"salted": lazy("Namen mit neuem Salz ins Protokoll geschrieben")},
)


@club_service(PERSON_CORRECTED, Permission.MANAGE)
def person_correct(
    change: Change, *, person: Person, name: str, email: str, phone: str, is_member: bool
) -> None:
    """Correct a person's data."""
    row = Person.objects.select_for_update().filter(club=change.club, pk=person.pk).first()
    if row is None or row.erased_at is not None or merge_of(row) is not None:
        raise Refused(_("Diese Person gibt es nicht mehr."), code="gone")
    wanted = clean(Newcomer(name=name, email=email, phone=phone))
    before = (*(getattr(row, field) for field in PERSONAL), row.is_member)
    after = (*(getattr(wanted, field) for field in PERSONAL), is_member)
    if before == after:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.record(person=row.pk)
    if (row.email, row.phone) != (wanted.email, wanted.phone):
        change.record(disowned=disown([row]))
    row.is_member = is_member
    salted([row])
    person_write(row, name=wanted.name, email=wanted.email, phone=wanted.phone)
    note_names(change, [row])


PERSON_IMPORTED = Kind(
    "person.imported", lazy("Mitgliederliste eingelesen: %(count)s Mitglieder"), Group.CLUB
)


@club_service(PERSON_IMPORTED, Permission.MANAGE)
def members_import(
    change: Change, *, people: Iterable[dict[str, Any]], is_complete: bool = False
) -> None:
    """Import a list of members. Known people become members, the others are added.

    People marked as non-members become none. With a complete list, so do all people not on it.
    """
    rows = [_newcomer(person) for person in people]
    if not rows:
        raise Refused(_("Die Liste enthält niemanden."), code="empty")
    list(Event.objects.select_for_update(of=("self",)).filter(club=change.club).order_by("pk"))
    taken = people_taken(change, [clean(row) for row in rows])
    on_list = {person.pk for person in taken}
    left = [
        person.pk
        for person, row in zip(taken, rows, strict=True)
        if not row.is_member and person.is_member
    ]
    if is_complete:
        left += [pk for pk in _members(change.club) if pk not in on_list]
    for start in range(0, len(left), CHUNK):
        Person.objects.filter(pk__in=left[start : start + CHUNK]).update(is_member=False)
    members = sum(bool(row.is_member) for row in rows)
    change.record(count=members, left=len(left))


def _newcomer(person: dict[str, Any]) -> Newcomer:
    """Return a row of the list; by default it is a member."""
    is_member = person.get("is_member")
    return Newcomer(
        name=person["name"],
        email=person.get("email", ""),
        phone=person.get("phone", ""),
        is_member=True if is_member is None else is_member,
    )


def _members(club: Club) -> list[int]:
    rows = people_of(club).filter(is_member=True).order_by("pk")
    return list(rows.values_list("pk", flat=True))
