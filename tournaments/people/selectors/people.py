"""The club's people: search, their evenings, possible doubles. Reads only."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from django.db.models import (
    Exists,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)

from clock.snapshot import read_once
from tournaments.models import (
    Club,
    Entry,
    Event,
    LeagueMember,
    Person,
    PersonMerge,
    Posting,
    Registration,
)
from tournaments.people.domain.naming import (
    are_near,
    are_similar,
    normal_name,
    public_names,
    short_names,
    sort_key,
    spelling_of,
    with_plain_umlauts,
    words_key,
)

MOST_ALIKE = 20
BY_NAME = ("sort_name", "pk")


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
    """Return people with every word in name or address, by name, with their number of evenings."""
    rows = people_of(club)
    for raw in search.split()[:MOST_WORDS]:
        word = sort_key(raw)
        by_name = holds_word(word, "sort_name") if word else Q()
        rows = rows.filter(by_name | Q(email__icontains=raw) | Q(phone__contains=raw))
    if only_members:
        rows = rows.filter(is_member=True)
    return with_evenings(rows, *BY_NAME)


def with_evenings(rows: QuerySet[Person], *order: str) -> QuerySet[Person, Person]:
    """Return people with their number of evenings, ordered, possibly by it."""
    came = Registration.objects.live().filter(has_come(), person=OuterRef("pk")).order_by()
    # Without GROUP BY, which would sort the registrations of each person.
    number = Func(F("event"), template="COUNT(DISTINCT %(expressions)s)")
    counted = came.values(n=ExpressionWrapper(number, IntegerField()))
    return rows.annotate(evenings=Subquery(counted)).order_by(*order)


def plays_cash() -> Exists:
    """Return a condition on registrations: the person has bought chips at a cash table."""
    bought = Posting.objects.live().filter(registration=OuterRef("pk"), amount_cents__lt=0)
    return Exists(bought.filter(cash_table__isnull=False))


def has_come() -> Q:
    """Return a condition on registrations: the person played, in the tournament or for cash."""
    return Q(Exists(Entry.objects.live().filter(registration=OuterRef("pk")))) | Q(plays_cash())


def people_alike(person: Person) -> list[Person]:
    """Return possible doubles: by a similar name, the same address or the same number."""
    rows = people_found(person.club).exclude(pk=person.pk)
    contact = Q(pk__in=[])
    if person.email:
        contact |= Q(email__iexact=person.email)
    if person.phone:
        contact |= Q(phone=person.phone)
    near = rows.filter(may_be(person.sort_name.split()))[:MOST_COMPARED]
    similar = [row for row in near if are_similar(person.name, row.name)]
    found = {row.pk: row for row in [*similar, *rows.filter(contact)[:MOST_ALIKE]]}
    return list(found.values())[:MOST_ALIKE]


@dataclass(frozen=True, slots=True)
class Known:
    """A person known by a name, and the address of a merged row."""

    person: Person
    other_email: str = ""

    def may_have(self, email: str) -> bool:
        return not email or self.person.email in ("", email) or email == self.other_email


def people_known(
    club: int, names: Iterable[str], *, sample: Event | None = None
) -> dict[str, list[Known]]:
    """Return known people with these names, by their plain form.

    A merged person stands for both names. Sample people never count as real ones.

    :param sample: A sample evening, which knows its own people only.
    """
    real = Exists(invented(event=sample)) if sample else ~Exists(invented())

    def rows_where(column: str, values: Collection[object]) -> dict[int, Person]:
        rows = Person.objects.filter(real, club=club, erased_at=None, **{f"{column}__in": values})
        return {row.pk: row for row in rows.order_by("pk")}

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
    merges = PersonMerge.objects.live().filter(gone__club=club)
    direct = dict(merges.values_list("gone", "kept"))
    meant = {}
    for gone, kept in direct.items():
        meant[gone] = kept
        while meant[gone] in direct:
            meant[gone] = direct[meant[gone]]
    return meant


def one_person(club: Club | int, person: int) -> set[int]:
    """Return all ids of this person: its own, and those merged with it."""
    same = meant_by(club)
    kept = same.get(person, person)
    return {kept, person, *(gone for gone, to in same.items() if to == kept)}


def evenings_of(person: Person) -> QuerySet[Registration]:
    """Return a person's registrations with their events, the latest first."""
    rows = Registration.objects.live().filter(person=person).select_related("event__head")
    return rows.annotate(has_played=has_come()).order_by("-event__starts_at", "-pk")


def teams_of(person: Person) -> dict[str, str]:
    """Return a person's teams by the name of their league; own ones before those of doubles."""
    doubles = [gone for gone, kept in meant_by(person.club_id).items() if kept == person.pk]
    rows = LeagueMember.objects.live().filter(league__removed_by=None)
    named = ("person", "league__name", "team")
    found = rows.filter(person__in=[*doubles, person.pk]).order_by("pk").values_list(*named)
    said = sorted(found, key=lambda row: row[0] == person.pk)
    return {league: team for _person, league, team in said}


def event_of_both(one: Person, other: Person) -> Event | None:
    """Return an event with both registered, where they are two people."""
    first = Registration.objects.live().filter(event=OuterRef("pk"), person=one)
    second = Registration.objects.live().filter(event=OuterRef("pk"), person=other)
    return Event.objects.filter(Exists(first), Exists(second)).order_by("pk").first()


def merge_of(person: Person) -> PersonMerge | None:
    rows = PersonMerge.objects.live().filter(gone=person)
    return rows.select_related("kept", "made_by").first()


# --- Find people registered or known under a similar name


MOST_ORDERED = 4  # words for which every order is looked up
LETTERS = 2
MOST_COMPARED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """A possible double of a typed person; for the desk with its address."""

    name: str
    is_same_name: bool
    registration: int | None = None
    person: int | None = None


def double_of(event: Event, name: str) -> Double | None:
    """Return a listed person with a similar name, preferring the same name.

    Unlisted ones would be revealed to strangers; the desk is told (`doubles_at_the_desk`).
    """
    return _first(_near(event, name, is_listed=True))


def double_at_the_desk(event: Event, people: QuerySet[Person], name: str) -> Double | None:
    """Return a registered person with such a name, listed or not, else a known similar one.

    :param people: Whom the club knows. One of the very same name is taken to be meant.
    """
    words = sort_key(name).split()
    found = _first(_near(event, name))
    if found is not None or not words:
        return found
    own = spelling_of(sort_key(name))
    near = people.filter(may_be(words)).exclude(plain_name=normal_name(name))
    rows = near.order_by("pk").values_list("pk", "name", "sort_name")[:MOST_COMPARED]
    alike = (row for row in rows if are_near(own, spelling_of(row[2])))
    return next((Double(name=row[1], is_same_name=False, person=row[0]) for row in alike), None)


def _first(near: list[Double]) -> Double | None:
    return min(near, key=lambda double: not double.is_same_name, default=None)


def doubles_at_the_desk(row: Registration) -> list[str]:
    """Return the names of other registrations at the event that may be the same person."""
    return [one.name for one in _near(row.event, row.name) if one.registration != row.pk]


def _near(event: Event, name: str, **only: bool) -> list[Double]:
    """Return registered people who may be meant by this name, in the order of registration."""
    words, plain = sort_key(name).split(), normal_name(name)
    if not words:
        return []
    own = spelling_of(sort_key(name))
    there = Registration.objects.live().filter(event=event, person=OuterRef("pk"), **only)
    # A subquery, not a join: people are found first, then each one's registration by an index.
    people = Person.objects.filter(may_be(words), club=event.club_id)
    found = people.values_list("name", "plain_name", "sort_name", Subquery(there.values("pk")[:1]))
    near = [
        Double(name=one, is_same_name=other == plain, registration=registration)
        for one, other, key, registration in found
        if registration is not None and (other == plain or are_near(own, spelling_of(key)))
    ]
    return sorted(near, key=lambda double: double.registration or 0)


def may_be(words: list[str]) -> Q:
    """Return a filter for people with these words in any order, or names that begin like one."""
    ways = permutations(words) if len(words) <= MOST_ORDERED else [tuple(words)]
    narrowed = Q(sort_name__in=sorted({" ".join(way) for way in ways}))
    if any(char.isdigit() for word in words for char in word):
        return narrowed
    plain = with_plain_umlauts(" ".join(words)).split()
    begins = {part[:LETTERS] for part in (*words, *plain)}
    for begin in sorted(begins):
        after = begin[:-1] + chr(ord(begin[-1]) + 1)
        narrowed |= Q(sort_name__range=(begin, after))
    return narrowed


# --- Match a list's rows with known people by name, read once for the whole list


class Acquaintances:
    """A club's people, merged ones also by their former name, to match each row of a list."""

    def __init__(self, club: Club) -> None:
        self.by_name: dict[str, list[Known]] = {}
        self.by_words: dict[str, str] = {}
        told = people_of(club).only("name", "email", "is_member")
        for person in told.order_by("pk").iterator():
            self._meet(person.name, Known(person))
        meant = meant_by(club)
        people = Person.objects.in_bulk({*meant, *meant.values()})
        for gone, kept in sorted(meant.items()):
            self._meet(people[gone].name, Known(people[kept], people[gone].email))

    def _meet(self, name: str, known: Known) -> None:
        self.by_name.setdefault(normal_name(name), []).append(known)
        self.by_words.setdefault(words_key(name), name)

    def meant(self, name: str, email: str) -> Person | None:
        """Return the match of a row, by the same rules as `people_known`."""
        rows = self.by_name.get(normal_name(name), ())
        return next((row.person for row in rows if row.may_have(email)), None)

    def alike(self, name: str) -> str:
        """Return a known name of the same words, if there is one."""
        return self.by_words.get(words_key(name), "")


# --- Registrations at an event, and the rights of their links


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
    plain = with_plain_umlauts(word)
    return Q(**{f"{column}__contains": word}) | Q(**{f"{column}__contains": plain})


def registrations_found(
    event: Event, search: str, *, only_missing: bool = False
) -> QuerySet[Registration]:
    """Return the registrations with every word of the search in the name."""
    rows = registrations_live(event).order_by("person__sort_name", "pk")
    for word in sort_key(search).split()[:MOST_WORDS]:
        rows = rows.filter(holds_word(word, "person__sort_name"))
    if only_missing:
        entries = Entry.objects.live().filter(registration=OuterRef("pk"))
        rows = rows.filter(is_cash_guest=False).exclude(Exists(entries))
    return rows


# --- The names of an evening's players, in its hall and on the internet. Reads only


@read_once
def names_shown(event: Event, *, in_hall: bool) -> Mapping[int, str]:
    """Return the name of each registration as strangers see it (one query).

    :param in_hall: Whether on a wall of the hall; the club decides on first names there.
    """
    every = Registration.objects.filter(event=event).order_by("pk")
    rows = list(every.values_list("pk", "person__name", "is_listed"))
    if in_hall and event.club.has_hall_names:
        short = short_names([name for _pk, name, _is_listed in rows])
        return {pk: short[name] for pk, name, _is_listed in rows}
    return public_names(rows)
