"""Match a list's rows with known people by name, read once for the whole list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tournaments.models import Club, Person
from tournaments.people.domain.naming import normal_name, words_key
from tournaments.people.selectors.club_people import meant_by, people_of


@dataclass(frozen=True, slots=True)
class Met:
    """A person under one of several names; its address, and another one since."""

    email: str
    other_email: str
    is_member: bool


@dataclass(frozen=True, slots=True)
class Acquaintances:
    """A club's people, for matching each row of a list without a query."""

    by_name: dict[str, list[Met]] = field(default_factory=dict)
    by_words: dict[str, str] = field(default_factory=dict)

    def meet(self, name: str, row: Met) -> None:
        """Add a name."""
        self.by_name.setdefault(normal_name(name), []).append(row)
        self.by_words.setdefault(words_key(name), name)

    def meant(self, name: str, email: str) -> Met | None:
        """Return the match of a row, by the same rules as `people_known` and `may_have`."""
        rows = self.by_name.get(normal_name(name), ())
        return next((row for row in rows if not email or row.email in ("", email)
                     or email == row.other_email), None)  # fmt: skip

    def alike(self, name: str) -> str:
        """Return a known name of the same words, if there is one."""
        return self.by_words.get(words_key(name), "")


def person_matches(club: Club) -> Acquaintances:
    """Return the club's people for matching, merged ones also by their former name."""
    found = Acquaintances()
    rows = people_of(club).order_by("pk")
    for name, email, is_member in rows.values_list("name", "email", "is_member").iterator():
        found.meet(name, Met(email, "", is_member))
    meant = meant_by(club)
    people = Person.objects.in_bulk({*meant, *meant.values()})
    for gone, kept in sorted(meant.items()):
        end = people[kept]
        found.meet(people[gone].name, Met(end.email, people[gone].email, end.is_member))
    return found


def members_besides(club: Club, names: Iterable[str]) -> int:
    """Return the number of members with none of these names, in plain form."""
    listed = set(names)
    rows = people_of(club).filter(is_member=True).values_list("plain_name", flat=True)
    return sum(name not in listed for name in rows.iterator())
