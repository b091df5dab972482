"""Compare names with the log's hashes of them, salted per person."""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.people.domain.naming import name_hash


class Fault(StrEnum):
    """A fault of a name."""

    DIFFERS = "differs"
    UNKNOWN = "unknown"  # with a salt, but in no log
    UNSALTED = "unsalted"  # in a log, but its salt is gone
    NOT_ERASED = "not_erased"  # marked as erased, but no log has that


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A person's name, or with `registration` the name when registering."""

    person: int
    registration: int = 0
    name: str
    salt: str
    is_erased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hash:
    """The latest hash of a name in the logs, with its entry."""

    log: str
    number: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFault:
    """A name different from the log's, with the log entry."""

    whose: Named
    fault: Fault
    noted: Hash | None


@dataclass(slots=True)
class Book:
    """The name hashes of the logs, read in the order written."""

    people: dict[int, Hash]
    registrations: dict[int, Hash]
    erased: set[int]
    tells_all_erased: bool = True

    def note(self, log: str, number: int, names: Iterable[Sequence[int | str]]) -> None:
        for person, registration, digest in names:
            noted = Hash(log=log, number=number, hash=str(digest))
            if person:
                self.people[int(person)] = noted
            if registration:
                self.registrations[int(registration)] = noted


def fault_of(named: Named, book: Book) -> NameFault | None:
    """Return the fault of a name; None if it matches, is erased, or is older than the hashes.

    >>> book = Book(people={}, registrations={}, erased=set())
    >>> book.note("", 3, [[7, 9, name_hash("00ff", "Petra Probst")]])
    >>> fault_of(Named(person=7, name="Petra Probst", salt="00ff"), book) is None
    True
    >>> fault_of(Named(person=7, registration=9, name="Petra", salt="00ff"), book).fault.value
    'differs'
    """
    noted = book.registrations if named.registration else book.people
    found = noted.get(named.registration or named.person)
    fault = _fault(named, found, is_told=named.person in book.erased or not book.tells_all_erased)
    return NameFault(whose=named, fault=fault, noted=found) if fault else None


def _fault(named: Named, noted: Hash | None, *, is_told: bool) -> Fault | None:
    if named.is_erased:
        return None if is_told else Fault.NOT_ERASED
    if not named.salt:
        return Fault.UNSALTED if noted else None
    if noted is None:
        # A registration's name from before hashes were logged stays as it was.
        return None if named.registration else Fault.UNKNOWN
    is_same = hmac.compare_digest(noted.hash, name_hash(named.salt, named.name))
    return None if is_same else Fault.DIFFERS
