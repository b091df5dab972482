"""Settle without a drawer: the fewest payments among players.

People whose balances sum to zero settle with one payment fewer than there are people. So the
payments are fewest with the largest number of such groups. Up to `MOST_EXACT` people it is found
exactly; for more the payments are right, and at most one fewer than there are people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

# Twenty, and the house.
MOST_EXACT = 21


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment of cents from one person to another."""

    payer: int
    payee: int
    cents: int


def payments_fewest(balances: Mapping[int, int]) -> list[Payment]:
    """Return the fewest payments that settle all debts.

    :param balances: By person, in cents: above zero to receive, below zero to pay.

    >>> payments_fewest({1: -500, 2: 300, 3: 200})
    [Payment(payer=1, payee=2, cents=300), Payment(payer=1, payee=3, cents=200)]
    >>> len(payments_fewest({1: 500, 2: -300, 3: -200, 4: 400, 5: -400}))
    3

    :raises ValueError: The balances do not sum to zero.
    """
    if sum(balances.values()):
        raise ValueError("What some get is not what the others owe.")
    open_ = {person: cents for person, cents in sorted(balances.items()) if cents}
    return [payment for group in _groups(open_) for payment in _within(group)]


def is_certain(people: int) -> bool:
    """Tell whether the payments of this many people are certainly the fewest.

    >>> is_certain(MOST_EXACT), is_certain(MOST_EXACT + 1)
    (True, False)
    """
    return people <= MOST_EXACT


def _within(group: Mapping[int, int]) -> list[Payment]:
    """Return payments inside a group, at most one fewer than its people."""
    gets = sorted(([cents, person] for person, cents in group.items() if cents > 0), reverse=True)
    owes = sorted(([-cents, person] for person, cents in group.items() if cents < 0), reverse=True)
    found = []
    while gets and owes:
        cents = min(gets[0][0], owes[0][0])
        found.append(Payment(owes[0][1], gets[0][1], cents))
        for side in (gets, owes):
            side[0][0] -= cents
            if not side[0][0]:
                side.pop(0)
    return found


def _groups(balances: Mapping[int, int]) -> list[dict[int, int]]:
    """Return the people in as many groups as possible, each with sum zero."""
    people: dict[int, list[int]] = {}
    for person, cents in balances.items():
        people.setdefault(cents, []).append(person)
    # Two people with opposite balances form a group in some best answer: without them, the rest of
    # their groups still sums to zero.
    found = [
        {people[cents].pop(): cents, people[-cents].pop(): -cents}
        for cents in sorted(people)
        if cents > 0
        for _pair in range(min(len(people[cents]), len(people.get(-cents, ()))))
    ]
    rest = {cents: len(those) for cents, those in sorted(people.items()) if those}
    parts = _Search(rest).best() if sum(rest.values()) <= MOST_EXACT else [rest]
    return found + [
        {people[cents].pop(): cents for cents, times in part.items() for _each in range(times)}
        for part in parts
        if part
    ]


class _Search:
    """Search for the most groups in a multiset of balances without opposite pairs.

    A set is a number with a bit for each person; equal balances are adjacent and lowest first, so
    that sets with the same balances are the same number.
    """

    def __init__(self, times: Mapping[int, int]) -> None:
        self.values = list(times)
        self.sizes = [times[value] for value in self.values]
        self.starts = [0, *accumulate(self.sizes)]
        self.known: dict[int, list[int]] = {0: []}
        self.by_lowest: dict[int, list[int]] = {}
        for found in sorted(self._even_sets(), key=int.bit_count):
            self.by_lowest.setdefault(found & -found, []).append(found)

    def best(self) -> list[dict[int, int]]:
        everybody = (1 << self.starts[-1]) - 1
        return [self._balances(found) for found in self._most(everybody)]

    def _even_sets(self) -> list[int]:
        """Return all non-empty sets with sum zero."""
        sets, sums = [0], [0]
        for value, size, start in zip(self.values, self.sizes, self.starts, strict=False):
            bits = [((1 << times) - 1) << start for times in range(size + 1)]
            sets = [found | more for more in bits for found in sets]
            sums = [cents + value * times for times in range(size + 1) for cents in sums]
        return [found for found, cents in zip(sets, sums, strict=True) if found and not cents]

    def _most(self, left: int) -> list[int]:
        """Return the most groups among the remaining; a group has at least three people."""
        if left in self.known:
            return self.known[left]
        best: list[int] = []
        people = left.bit_count()
        for group in self.by_lowest.get(left & -left, ()):
            if best and 1 + (people - group.bit_count()) // 3 <= len(best):
                break
            if group & ~left:
                continue
            found = [group, *self._most(self._without(left, group))]
            best = found if len(found) > len(best) else best
        self.known[left] = best
        return best

    def _without(self, left: int, group: int) -> int:
        counts = zip(self._counts(left), self._counts(group), self.starts, strict=False)
        return sum(((1 << (have - less)) - 1) << start for have, less, start in counts)

    def _counts(self, found: int) -> Sequence[int]:
        return [
            (found >> start & ((1 << size) - 1)).bit_count()
            for start, size in zip(self.starts, self.sizes, strict=False)
        ]

    def _balances(self, found: int) -> dict[int, int]:
        counts = zip(self.values, self._counts(found), strict=True)
        return dict(Counter({value: times for value, times in counts if times}))
