"""Who is registered, or known, under a name that may be the same person's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, permutations
from operator import itemgetter

from django.db.models import Q, QuerySet

from krru.data import by_hand
from tournaments.models import Event, Person, Registration
from tournaments.models.log import among
from tournaments.people.domain.naming import are_near, normal_name, sort_key, spelling_of

MOST_ORDERED = 4  # words whose every order is looked up
LETTERS = 2
MOST_COMPARED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Somebody who may be the one who types; for the desk with what leads there."""

    name: str
    is_same_name: bool
    registration: int | None = None
    person: int | None = None


def double_of(event: Event, name: str) -> Double | None:
    """Return a listed person with a similar name, one of the very same name first.

    One who does not want to be listed is never asked about: the form would tell every stranger
    who is registered. The desk is told instead (`doubles_at_the_desk`).
    """
    return _first(_near(event, name, "AND own.is_listed"), name)


def double_at_the_desk(event: Event, people: QuerySet[Person], name: str) -> Double | None:
    """Return who is registered by such a name, listed or not, or else known by one alike.

    :param people: Whom the club knows. One of the very same name is taken to be meant.
    """
    words = sort_key(name).split()
    found = _first(_near(event, name), name)
    if found is not None or not words:
        return found
    own = spelling_of(sort_key(name))
    near = people.filter(may_be(words, column="sort_name")).exclude(plain_name=normal_name(name))
    rows = near.order_by("pk").values_list("pk", "name", "sort_name")[:MOST_COMPARED]
    alike = (row for row in rows if are_near(own, spelling_of(row[2])))
    return next((Double(name=row[1], is_same_name=False, person=row[0]) for row in alike), None)


def _first(near: Iterable[tuple[str, str, int]], name: str) -> Double | None:
    plain = normal_name(name)
    found = [
        Double(name=one, is_same_name=other == plain, registration=pk) for one, other, pk in near
    ]
    return min(found, key=lambda double: not double.is_same_name, default=None)


def doubles_at_the_desk(row: Registration) -> list[str]:
    """Return the names of others registered at the event who may be the same person."""
    return [name for name, _plain, pk in _near(row.event, row.name) if pk != row.pk]


# Written by hand: it is asked at every registration. People are found first, and each is looked up
# in the list by an index: of a new database PostgreSQL knows too little to find that out itself.
_ALIKE = """
WITH near AS MATERIALIZED (
  SELECT id, name, plain_name, sort_name FROM tournaments_person
  WHERE club_id = %s AND (sort_name IN {orders}{ranges}))
SELECT name, plain_name, sort_name, (
  SELECT own.id FROM tournaments_registration own
  WHERE own.event_id = %s AND own.person_id = near.id AND own.voided_by_id IS NULL {more})
FROM near
"""


def _near(event: Event, name: str, more: str = "") -> list[tuple[str, str, int]]:
    """Return name, plain name and key of those who may be the one of this name.

    They are looked for among those whose names begin like one of its words: a range of an index
    each.
    """
    words, plain = sort_key(name).split(), normal_name(name)
    if not words:
        return []
    orders, ranges = _places_of(words)
    between = " OR sort_name BETWEEN %s AND %s" * len(ranges)
    sql = _ALIKE.format(orders=among(orders), ranges=between, more=more)
    found = by_hand.ask(sql, [event.club_id, *orders, *chain.from_iterable(ranges), event.pk])
    own = spelling_of(sort_key(name))
    near = [
        (one, other, registration)
        for one, other, key, registration in found
        if registration is not None and (other == plain or are_near(own, spelling_of(key)))
    ]
    return sorted(near, key=itemgetter(2))


def may_be(*names: list[str], column: str) -> Q:
    """Return where to look for people of these names, each given by its words."""
    orders, ranges = _places_of(*names)
    narrowed = Q(**{f"{column}__in": orders})
    for one in ranges:
        narrowed |= Q(**{f"{column}__range": one})
    return narrowed


def _places_of(*names: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names to look up as they are, and the ranges of an index to look through."""
    orders: set[str] = set()
    begins: set[str] = set()
    for words in names:
        ways = permutations(words) if len(words) <= MOST_ORDERED else [tuple(words)]
        orders |= {" ".join(way) for way in ways}
        if not any(char.isdigit() for word in words for char in word):
            begins |= _begins(words)
    return sorted(orders), [
        (begin, begin[:-1] + chr(ord(begin[-1]) + 1)) for begin in sorted(begins)
    ]


def _begins(words: Iterable[str]) -> set[str]:
    return {part[:LETTERS] for word in words for part in (word, _without_e(word))}


def _without_e(word: str) -> str:
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
