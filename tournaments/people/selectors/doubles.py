"""Who is registered under a name that may be the same person's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from django.db.models import Q

from tournaments.models import Event, Registration
from tournaments.people.domain.naming import are_near, normal_name, sort_key, spelling_of

MOST_ORDERED = 4  # words whose every order is looked up
LETTERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Somebody registered who may be the one who types. His name is told only if he is listed."""

    name: str
    is_same_name: bool


def double_of(event: Event, name: str) -> Double | None:
    """Return a registered person with a similar name, one of the very same name first.

    Compared are those whose names begin like one of the words that were typed: a range of an index
    each, and not the whole field.
    """
    words = sort_key(name).split()
    if not words:
        return None
    rows = Registration.objects.live().filter(may_be(words), event=event).order_by("pk")
    names = rows.values_list("person__name", "person__plain_name", "person__sort_name", "is_listed")
    plain, own = normal_name(name), spelling_of(sort_key(name))
    alike = [row for row in names if row[1] == plain or are_near(own, spelling_of(row[2]))]
    if not alike:
        return None
    found, found_plain, _key, is_listed = min(alike, key=lambda row: row[1] != plain)
    is_same = found_plain == plain
    return Double(name=found if is_listed or is_same else "", is_same_name=is_same)


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
