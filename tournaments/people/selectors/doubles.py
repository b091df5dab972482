"""Who is registered, or known, under a name that may be the same person's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from django.db.models import Q, QuerySet

from tournaments.models import Event, Person, Registration
from tournaments.people.domain.naming import are_near, normal_name, sort_key, spelling_of

MOST_ORDERED = 4  # words whose every order is looked up
LETTERS = 2
MOST_COMPARED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Somebody who may be the one who types; for the desk with what leads to him."""

    name: str
    is_same_name: bool
    registration: int | None = None
    person: int | None = None


def double_of(event: Event, name: str) -> Double | None:
    """Return a listed person with a similar name, one of the very same name first.

    One who does not want to be listed is never asked about: the form would tell every stranger
    who is registered. The desk is told instead (`doubles_at_the_desk`).
    """
    alike = _alike(event, name).filter(is_listed=True)
    return _first(alike, name)


def double_at_the_desk(event: Event, people: QuerySet[Person], name: str) -> Double | None:
    """Return who is registered by such a name, listed or not, or else known by one alike.

    :param people: Whom the club knows. One of the very same name is taken for him unasked.
    """
    words = sort_key(name).split()
    found = _first(_alike(event, name), name)
    if found is not None or not words:
        return found
    own = spelling_of(sort_key(name))
    near = people.filter(may_be(words, column="sort_name")).exclude(plain_name=normal_name(name))
    rows = near.order_by("pk").values_list("pk", "name", "sort_name")[:MOST_COMPARED]
    alike = (row for row in rows if are_near(own, spelling_of(row[2])))
    return next((Double(name=row[1], is_same_name=False, person=row[0]) for row in alike), None)


def _first(rows: QuerySet[Registration], name: str) -> Double | None:
    plain = normal_name(name)
    found = [
        Double(name=one, is_same_name=other == plain, registration=pk)
        for one, other, pk in _near(rows, name)
    ]
    return min(found, key=lambda double: not double.is_same_name, default=None)


def doubles_at_the_desk(row: Registration) -> list[str]:
    """Return the names of others registered at the event who may be the same person."""
    others = _alike(row.event, row.name).exclude(pk=row.pk)
    return [name for name, _plain, _pk in _near(others, row.name)]


def _alike(event: Event, name: str) -> QuerySet[Registration]:
    """Return those whose names begin like one of these words: a range of an index each."""
    words = sort_key(name).split()
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return rows.filter(may_be(words)) if words else rows.none()


def _near(rows: QuerySet[Registration], name: str) -> list[tuple[str, str, int]]:
    """Return name, plain name and key of those who may be the one of this name."""
    plain, own = normal_name(name), spelling_of(sort_key(name))
    names = rows.values_list("person__name", "person__plain_name", "pk", "person__sort_name")
    return [row[:3] for row in names if row[1] == plain or are_near(own, spelling_of(row[3]))]


def may_be(*names: list[str], column: str = "person__sort_name") -> Q:
    """Return where to look for people of these names, each given by its words."""
    orders: set[str] = set()
    begins: set[str] = set()
    for words in names:
        ways = permutations(words) if len(words) <= MOST_ORDERED else [tuple(words)]
        orders |= {" ".join(way) for way in ways}
        if not any(char.isdigit() for word in words for char in word):
            begins |= _begins(words)
    narrowed = Q(**{f"{column}__in": orders})
    for begin in sorted(begins):
        after = begin[:-1] + chr(ord(begin[-1]) + 1)
        narrowed |= Q(**{f"{column}__range": (begin, after)})
    return narrowed


def _begins(words: Iterable[str]) -> set[str]:
    return {part[:LETTERS] for word in words for part in (word, _without_e(word))}


def _without_e(word: str) -> str:
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
