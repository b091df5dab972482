"""Find people registered or known under a similar name."""

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

    Unlisted people are never returned: the form would reveal them to strangers. The desk is told
    instead (`doubles_at_the_desk`).
    """
    return _first(_near(event, name, "AND own.is_listed"), name)


def double_at_the_desk(event: Event, people: QuerySet[Person], name: str) -> Double | None:
    """Return a registered person with such a name, listed or not, else a known similar one.

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
    """Return the names of other registrations at the event that may be the same person."""
    return [name for name, _plain, pk in _near(row.event, row.name) if pk != row.pk]


# Raw SQL for every registration. It finds people first, then each one's registration by an index:
# in a new database PostgreSQL's statistics are too poor to choose this.
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
    """Return name, plain name and key of possible doubles of this name.

    Searches names that begin like one of its words: one index range each.
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
    """Return a filter for people with these names, each given as words."""
    orders, ranges = _places_of(*names)
    narrowed = Q(**{f"{column}__in": orders})
    for one in ranges:
        narrowed |= Q(**{f"{column}__range": one})
    return narrowed


def _places_of(*names: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names for exact look-up, and the index ranges to search."""
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
