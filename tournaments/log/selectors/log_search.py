"""Search an event's whole log and verify it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Model, Q, QuerySet

from tournaments.changes.domain.numbers import whole
from tournaments.changes.kinds import kind_names, kinds
from tournaments.changes.selectors.log import log_actions, log_first_fault
from tournaments.log.domain.names import Book, Named, NameFault, fault_of
from tournaments.models import (
    Action,
    Arrival,
    CashAway,
    CashLeave,
    CashOffer,
    Club,
    DealAnswer,
    Entry,
    Event,
    Person,
    PlaceOffer,
    Registration,
    Table,
    Ticket,
    TicketUse,
)
from tournaments.models.log import Fact
from tournaments.people.domain.naming import NAMES, sort_key

# --- The names of a club's people and their hashes in its logs


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


# The searched texts of an entry; "first" and "second" are the two of a swap or a wish.
SEARCHED = ("name", "reason", "text", "first", "second", "asked", "decided")
MOST_WORDS, MOST_PEOPLE = 8, 20


def _facts_with(column: str, target: type[Model], path: str) -> dict[type[Fact], str]:
    """Return the kinds of facts with this column, each with the path to search by.

    Entries of tickets are found by their words.
    """
    return {
        model: path
        for model in Fact.__subclasses__()
        if not model._meta.abstract and model not in (Ticket, TicketUse)
        for field in model._meta.concrete_fields
        if field.name == column and field.related_model is target
    }


AT_TABLE: Mapping[type[Fact], str] = {Table: "pk", **_facts_with("table", Table, "table")}
OF_PERSON: Mapping[type[Fact], str] = {
    Registration: "pk",
    Arrival: "seating__entry__registration",
    PlaceOffer: "waiting__registration",
    DealAnswer: "share__entry__registration",
    CashLeave: "seat__registration",
    CashAway: "seat__registration",
    CashOffer: "waiting__registration",
    **_facts_with("registration", Registration, "registration"),
    **_facts_with("entry", Entry, "entry__registration"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search of a log; empty fields do not narrow it.

    `finds_discreet`: whether words also find names hidden from the reader.
    """

    words: str = ""
    finds_discreet: bool = True
    group: str = ""
    device: int | None = None
    table: int | None = None
    since: datetime | None = None
    until: datetime | None = None


def actions_found(event: Event, search: Search) -> QuerySet[Action]:
    """Return the matching actions, newest first, with related rows for `log_line`."""
    found = log_actions(event)
    if search.group:
        found = found.filter(kind__in=kind_names(lambda kind: kind.group == search.group))
    if search.device is not None:
        found = found.filter(device=search.device)
    if search.since is not None:
        found = found.filter(at__gte=search.since)
    if search.until is not None:
        found = found.filter(at__lte=search.until)
    if search.table is not None:
        tables = Table.objects.filter(event=event, number=search.table)
        found = found.filter(_touching(AT_TABLE, tables.values_list("pk", flat=True)))
    if search.words.split():
        if not search.finds_discreet:
            discreet = kind_names(lambda kind: kind.is_discreet)
            found = found.exclude(kind__in=discreet).exclude(undoes__kind__in=discreet)
        found = found.filter(_saying(event, search.words.split()[:MOST_WORDS]))
    return found


def _saying(event: Event, words: list[str]) -> Q:
    """Return entries with every word, or about a person with every word in the name.

    A number alone, or after "#", is an entry's number.
    """
    says = Q()
    for word in words:
        number = word.removeprefix("#") if len(words) == 1 else word.partition("#")[2]
        sequence = whole(number)
        fits = Q(kind__in=kinds_saying(word)) | (Q() if sequence is None else Q(sequence=sequence))
        for name in SEARCHED:
            # SQLite ignores case for ASCII only, so ask twice: "öz" must find "Öz".
            fits |= Q(**{f"text__data__{name}__icontains": word})
            fits |= Q(**{f"text__data__{name}__icontains": word.capitalize()})
        says &= fits
    if any(word.startswith("#") for word in words):
        return says
    people = Registration.objects.filter(event=event)
    for word in words:
        people = people.filter(person__sort_name__contains=sort_key(word))
    about = list(people.values_list("pk", flat=True)[: MOST_PEOPLE + 1])
    # A word matching so many people identifies none; their own entries are found anyway.
    return says | _touching(OF_PERSON, about) if 0 < len(about) <= MOST_PEOPLE else says


def kinds_saying(word: str) -> list[str]:
    """Return the kinds with a word in their sentence, in the reader's language."""
    wanted = word.casefold()
    return sorted(
        kind.name
        for kind in kinds()
        for text in (kind.sentence, *kind.outcomes.values())
        if wanted in re.sub(r"%\(\w+\)\w", "", str(text)).casefold()
    )


def _touching(columns: Mapping[type[Fact], str], keys: Iterable[int]) -> Q:
    found: set[int | None] = set()
    rows = list(keys)
    for model, column in columns.items():
        facts = model.objects.filter(**{f"{column}__in": rows})
        for pair in facts.values_list("made_by", "voided_by"):
            found.update(pair)
    return Q(pk__in=found - {None})


def log_fault(subject: Event | Club) -> int | None:
    """Return the number of the first altered entry, or None.

    The chain cannot show a cut-off end, so compare it with the subject's own record.
    """
    fault = log_first_fault(subject)
    if fault is not None or not subject.log_sequence:
        return fault
    own = {"event": subject} if isinstance(subject, Event) else {"club": subject, "event": None}
    head = Action.objects.filter(**own, sequence=subject.log_sequence, hash=subject.log_hash)
    return None if head.exists() else subject.log_sequence
