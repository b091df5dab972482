"""The way of bags to the next day: the stack of each person, further qualifications, prizes.

Practice of organisers: best stack forward, with a bonus from the pool for each further
qualification (Casinos Austria); or the removed stacks take the last paid places (MGM). The ranking
of a contest is ours.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby


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

    @property
    def still_to_pay(self) -> int:
        return self.for_places - self.travel


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


def prize_left(prize: int, travel_each: int) -> int:
    """Return the rest of a prize after the travel money paid at once.

    >>> prize_left(1500, 500), prize_left(300, 500)
    (1000, 0)
    """
    return max(0, prize - travel_each)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidInFlight:
    """The places that a flight pays beyond those with a bag."""

    paid: int
    advance: int

    @property
    def places(self) -> tuple[int, int] | None:
        """Return the first and the last of them; None if there are none."""
        return (self.advance + 1, self.paid) if self.paid > self.advance else None

    @property
    def marks(self) -> list[int]:
        """Return the players left at which a hand may reach the money, or the bag.

        >>> PaidInFlight(paid=30, advance=20).marks, PaidInFlight(paid=54, advance=54).marks
        ([31, 21], [55])
        """
        return sorted({self.paid + 1, self.advance + 1}, reverse=True)

    def cents(self, min_cash: int) -> int:
        """Return what they cost the pool of the whole contest.

        >>> PaidInFlight(paid=30, advance=20).cents(1500)
        15000
        """
        return max(0, self.paid - self.advance) * min_cash


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraCashes:
    """The last paid places, taken by removed stacks at the start of day 2."""

    stacks: int
    people: int
    min_cash: int

    @property
    def removed(self) -> int:
        return self.stacks - self.people

    @property
    def places(self) -> tuple[int, int] | None:
        """Return the first and the last of their places; None if there are none.

        >>> ExtraCashes(stacks=56, people=52, min_cash=1100).places
        (53, 56)
        """
        return (self.people + 1, self.stacks) if self.removed else None

    @property
    def paid_at_once(self) -> int:
        """Return what they get.

        >>> ExtraCashes(stacks=56, people=52, min_cash=1100).paid_at_once
        4400
        """
        return self.removed * self.min_cash


# --- The ranking of a contest


def contest_ranking(
    last: Mapping[int, int],
    removed: Collection[int] = (),
    in_flight: Sequence[Mapping[int, int]] = (),
) -> dict[int, int]:
    """Return the places of a contest by key: last day, removed stacks, then the flights' outs.

    Removed stacks share. Outs of flights rank by their distance from the bag, and equal distances
    share.

    :param last: Places of the last day. Keys without a place are still in play.
    :param in_flight: Of each flight the places of its outs, the best of them 1 behind the bags.

    >>> contest_ranking({1: 2, 2: 3}, removed=[8, 9], in_flight=[{5: 1, 6: 2}, {7: 1}])
    {1: 2, 2: 3, 8: 4, 9: 4, 5: 6, 7: 6, 6: 8}
    """
    places = dict(last)
    after = min(last.values(), default=1) + len(last)
    tiers = [sorted(removed)] if removed else []
    outs = sorted((place, key) for flight in in_flight for key, place in flight.items())
    tiers += [[key for _place, key in tied] for _, tied in groupby(outs, key=lambda out: out[0])]
    for tier in tiers:
        places.update(dict.fromkeys(tier, after))
        after += len(tier)
    return places
