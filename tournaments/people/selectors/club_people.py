"""The club's people: search, their evenings, possible doubles. Reads only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from krru.data import by_hand
from tournaments.models import Club, Entry, Event, Person, PersonMerge, Registration
from tournaments.models.log import among
from tournaments.people.domain.naming import are_similar, normal_name, sort_key
from tournaments.people.selectors.doubles import MOST_COMPARED, may_be
from tournaments.people.selectors.registrations import MOST_WORDS, holds_word

MOST_ALIKE = 20


def people_of(club: Club | int) -> QuerySet[Person]:
    """Return the club's people: not erased, not merged into another, not from samples."""
    gone = PersonMerge.objects.live().filter(gone=OuterRef("pk"))
    rows = Person.objects.filter(club=club, erased_at=None)
    return rows.exclude(Exists(invented())).exclude(Exists(gone))


def invented(**where: Any) -> QuerySet[Registration]:
    """Return a person's registrations at sample evenings, for a subquery."""
    return Registration.objects.filter(person=OuterRef("pk"), event__is_sample=True, **where)


def people_found(
    club: Club, search: str = "", *, only_members: bool = False
) -> QuerySet[Person, Person]:
    """Return people with every word in name or address, by name, with their number of evenings.

    An umlaut may be typed as such, without dots, or as two letters.
    """
    rows = people_of(club)
    for raw in search.split()[:MOST_WORDS]:
        word = sort_key(raw)
        by_name = holds_word(word, "sort_name") if word else Q()
        rows = rows.filter(by_name | Q(email__icontains=raw) | Q(phone__contains=raw))
    if only_members:
        rows = rows.filter(is_member=True)
    return with_evenings(rows, "sort_name", "pk")


def with_evenings(rows: QuerySet[Person], *order: str) -> QuerySet[Person, Person]:
    """Return people with their number of evenings, ordered, possibly by it."""
    played = Q(registrations__voided_by=None, registrations__entries__voided_by=None)
    played &= Q(registrations__entries__isnull=False)
    evenings = Count("registrations__event", filter=played, distinct=True)
    return rows.annotate(evenings=evenings).order_by(*order)


def people_alike(person: Person) -> list[Person]:
    """Return possible doubles: by a similar name, the same address or the same number."""
    rows = people_found(person.club).exclude(pk=person.pk)
    contact = Q(pk__in=[])
    if person.email:
        contact |= Q(email__iexact=person.email)
    if person.phone:
        contact |= Q(phone=person.phone)
    near = rows.filter(may_be(person.sort_name.split(), column="sort_name"))[:MOST_COMPARED]
    similar = [row for row in near if are_similar(person.name, row.name)]
    found = {row.pk: row for row in [*similar, *rows.filter(contact)[:MOST_ALIKE]]}
    return list(found.values())[:MOST_ALIKE]


@dataclass(frozen=True, slots=True)
class Known:
    """A person known by a name, and the address of a merged row."""

    person: Person
    other_email: str = ""

    def may_have(self, email: str) -> bool:
        """Tell whether this address is compatible."""
        return not email or self.person.email in ("", email) or email == self.other_email


# Raw SQL: every registration looks up known people by name.
_KNOWN = "club_id = %s AND erased_at IS NULL AND {asked} AND {real} ORDER BY id"
_INVENTED = """EXISTS (
  SELECT 1 FROM tournaments_registration own JOIN tournaments_event event ON event.id = own.event_id
  WHERE own.person_id = tournaments_person.id AND event.is_sample{at})"""
_REAL = f"NOT {_INVENTED.format(at='')}"
_MEANT = """
SELECT merge.gone_id, merge.kept_id
FROM tournaments_personmerge merge JOIN tournaments_person gone ON gone.id = merge.gone_id
WHERE gone.club_id = %s AND merge.voided_by_id IS NULL
"""


def people_known(club: int, names: Iterable[str]) -> dict[str, list[Known]]:
    """Return known people with these names, by their plain form.

    A merged person stands for both names. Sample people never count as real ones.
    """
    return _by_name(club, names, _REAL)


def people_named(event: Event, names: Iterable[str]) -> dict[str, list[Known]]:
    """Return known people for an event; at a sample evening only its own sample people."""
    if not event.is_sample:
        return people_known(event.club_id, names)
    return _by_name(event.club_id, names, _INVENTED.format(at=f" AND event.id = {event.pk:d}"))


def _by_name(club: int, names: Iterable[str], real: str) -> dict[str, list[Known]]:
    def rows_where(column: str, values: Collection[object]) -> dict[int, Person]:
        condition = _KNOWN.format(asked=f"{column} IN {among(values)}", real=real)
        return {row.pk: row for row in by_hand.select(Person, condition, [club, *values])}

    named = rows_where("plain_name", {normal_name(name) for name in names})
    meant = meant_by(club) if named else {}
    others = {meant[pk] for pk in named if pk in meant} - named.keys()
    known = named | (rows_where("id", others) if others else {})
    found: dict[str, list[Known]] = {}
    for pk, row in named.items():
        person = known.get(meant.get(pk, pk))
        if person is not None:
            other = "" if person is row else row.email
            found.setdefault(row.plain_name, []).append(Known(person, other))
    return found


def meant_by(club: Club | int) -> dict[int, int]:
    """Return the target of each merged person; usually few."""
    direct = dict(by_hand.ask(_MEANT, [club if isinstance(club, int) else club.pk]))
    return {gone: _end(direct, kept) for gone, kept in direct.items()}


def _end(direct: dict[int, int], person: int) -> int:
    while person in direct:
        person = direct[person]
    return person


def evenings_of(person: Person) -> QuerySet[Registration]:
    """Return a person's registrations with their events, the latest first."""
    played = Entry.objects.live().filter(registration=OuterRef("pk"))
    rows = Registration.objects.live().filter(person=person).select_related("event")
    return rows.annotate(has_played=Exists(played)).order_by("-event__starts_at", "-pk")


def event_of_both(one: Person, other: Person) -> Event | None:
    """Return an event with both registered, where they are two people."""
    first = Registration.objects.live().filter(event=OuterRef("pk"), person=one)
    second = Registration.objects.live().filter(event=OuterRef("pk"), person=other)
    return Event.objects.filter(Exists(first), Exists(second)).order_by("pk").first()


def merges_of(person: Person) -> QuerySet[PersonMerge]:
    """Return the merges into this person, the latest first."""
    rows = PersonMerge.objects.live().filter(kept=person)
    return rows.select_related("gone", "made_by").order_by("-pk")


def merge_of(person: Person) -> PersonMerge | None:
    """Return the merge of this person into another."""
    rows = PersonMerge.objects.live().filter(gone=person)
    return rows.select_related("kept", "made_by").first()
