"""Who is registered under a name that may be the same person's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from django.db.models import Q, QuerySet

from tournaments.models import Event, Registration
from tournaments.people.domain.naming import are_near, normal_name, sort_key, spelling_of

MOST_ORDERED = 4  # words whose every order is looked up
LETTERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Somebody registered who may be the one who types."""

    name: str
    is_same_name: bool


def double_of(event: Event, name: str) -> Double | None:
    """Return a listed person with a similar name, one of the very same name first.

    Whoever does not want to be listed is never asked about: the form would tell every stranger
    who is registered. The desk is told instead (`doubles_at_the_desk`).
    """
    alike = _alike(event, name).filter(is_listed=True)
    plain = normal_name(name)
    found = [Double(name=one, is_same_name=other == plain) for one, other in _near(alike, name)]
    return min(found, key=lambda double: not double.is_same_name, default=None)


def doubles_at_the_desk(row: Registration) -> list[str]:
    """Return the names of others registered at the event who may be the same person."""
    return [
        name for name, _plain in _near(_alike(row.event, row.name).exclude(pk=row.pk), row.name)
    ]


def _alike(event: Event, name: str) -> QuerySet[Registration]:
    """Return those whose names begin like one of these words: a range of an index each."""
    words = sort_key(name).split()
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return rows.filter(may_be(words)) if words else rows.none()


def _near(rows: QuerySet[Registration], name: str) -> list[tuple[str, str]]:
    """Return name and plain name of those who may be the one of this name."""
    plain, own = normal_name(name), spelling_of(sort_key(name))
    names = rows.values_list("person__name", "person__plain_name", "person__sort_name")
    return [row[:2] for row in names if row[1] == plain or are_near(own, spelling_of(row[2]))]


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
