"""The terms of a contest, and the way of bags to the next day: stacks, qualifications, prizes.

Practice of organisers: best stack forward, with a bonus from the pool for each further
qualification (Casinos Austria); or the removed stacks take the last paid places (MGM). The ranking
of a contest is ours.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import timedelta
from enum import StrEnum
from itertools import groupby
from typing import Any

MOST_CENTS = 100_000_000


class Forward(StrEnum):
    """The stack of a player with several bags."""

    BEST = "best"
    SUM = "sum"
    FIRST = "first"


class Further(StrEnum):
    """The prize of each further qualification."""

    NOTHING = "nothing"
    BONUS = "bonus"
    MIN_CASH = "min_cash"


class Begins(StrEnum):
    """The level at which the next day begins.

    At that of the flight that came least far, for its rest or whole, or by the day's own schedule.
    """

    REST = "rest"
    WHOLE = "whole"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a contest.

    :param further_cents: Paid from the pool for each further qualification.
    :param travel_cents: Paid to each qualified player at once, as a part of the prize.
    """

    forward: Forward = Forward.BEST
    further: Further = Further.NOTHING
    further_cents: int = 0
    travel_cents: int = 0
    begins: Begins = Begins.REST

    @property
    def bonus_cents(self) -> int:
        """Return what each further qualification takes from the pool."""
        return 0 if self.further is Further.NOTHING else self.further_cents


def terms_from(data: Mapping[str, Any]) -> Terms:
    """Return terms from their stored form.

    >>> terms_from({"forward": "first", "of a newer program": 1}).forward
    <Forward.FIRST: 'first'>
    """
    known: dict[str, Any] = {one.name: one.default for one in fields(Terms)}
    return Terms(**{name: type(own)(data.get(name, own)) for name, own in known.items()})


@dataclass(frozen=True, slots=True)
class Reached:
    """The level a flight stopped at, and the time left of it."""

    level: int
    left: timedelta


def level_of_next_day(flights: Iterable[Reached]) -> Reached:
    """Return the level of the flight that came least far: the smallest, with most time left.

    >>> minutes = lambda number: timedelta(minutes=number)
    >>> level_of_next_day([Reached(18, minutes(7)), Reached(17, minutes(12))]).level
    17

    :raises ValueError: There is no flight.
    """
    return min(flights, key=lambda reached: (reached.level, -reached.left))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A sealed bag of a person; `order` is that of its flight."""

    key: int
    person: int
    chips: int
    order: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A person's stack of the next day.

    :param bag: The key of the bag it comes from; of several added up the largest.
    :param further: The person's other bags.
    :param removed: The chips of those that leave play.
    """

    person: int
    chips: int
    bag: int
    further: tuple[int, ...] = ()
    removed: int = 0


def carried_stacks(bags: Iterable[Sealed], way: Forward) -> list[Carried]:
    """Return the stack of each person, by the order of flight and key of the bag.

    >>> bags = [Sealed(key=1, person=7, chips=161000, order=1),
    ...         Sealed(key=2, person=7, chips=402500, order=3)]
    >>> [(one.chips, one.bag, one.removed) for one in carried_stacks(bags, Forward.BEST)]
    [(402500, 2, 161000)]
    >>> [(one.chips, one.bag, one.removed) for one in carried_stacks(bags, Forward.SUM)]
    [(563500, 2, 0)]
    """
    ordered = sorted(bags, key=lambda bag: (bag.person, bag.order, bag.key))
    found = [
        (_carried(list(own), way)) for _person, own in groupby(ordered, key=lambda bag: bag.person)
    ]
    orders = {bag.key: (bag.order, bag.key) for bag in ordered}
    return sorted(found, key=lambda one: orders[one.bag])


def _carried(own: Sequence[Sealed], way: Forward) -> Carried:
    """Return the stack of one person; of equal bags the earliest goes on."""
    best = own[0] if way is Forward.FIRST else max(own, key=lambda bag: bag.chips)
    total = sum(bag.chips for bag in own)
    chips = total if way is Forward.SUM else best.chips
    return Carried(
        person=best.person,
        chips=chips,
        bag=best.key,
        further=tuple(bag.key for bag in own if bag is not best),
        removed=total - chips,
    )


# --- Money: the pool of all flights, bonuses, travel money, prizes inside a flight


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestPool:
    """The pool of a contest and what leaves it before day 2. Amounts are of one unit."""

    pool: int
    bonuses: int = 0
    in_flight: int = 0
    travel: int = 0

    @property
    def for_places(self) -> int:
        """Return the prizes by place; travel money is a part of them, paid earlier."""
        return self.pool - self.bonuses - self.in_flight


def contest_pool(
    pool: int,
    *,
    people: int,
    bags: int,
    bonus_each: int = 0,
    in_flight: int = 0,
    travel_each: int = 0,
) -> ContestPool:
    """Return the pool with the bonuses of the further bags and everybody's travel money.

    >>> contest_pool(1_468_500, people=254, bags=294, bonus_each=4000).for_places
    1308500
    """
    return ContestPool(
        pool=pool,
        bonuses=(bags - people) * bonus_each,
        in_flight=in_flight,
        travel=people * travel_each,
    )


def places_behind(people: int, tiers: Sequence[int]) -> list[int]:
    """Return the places behind so many people, the lowest tier first; equal ones share.

    >>> places_behind(7, [0, 0, 1, 2, 1])
    [8, 8, 10, 12, 10]
    """
    ordered = sorted(tiers)
    return [people + 1 + bisect_left(ordered, tier) for tier in tiers]
