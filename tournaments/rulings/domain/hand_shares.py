"""How often each kind of hand comes among seven cards: all 133,784,560 counted, by classes.

A hand with five of a suit is a flush or better, whatever else is there; what else a hand is follows
from how often each rank is there alone. So both are counted by classes, and nothing is estimated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb, prod

from tournaments.rulings.domain.hands import Category, category_of, value_of_numbers

SEVEN, RANKS, SUITS, FIVE = 7, 13, 4, 5
ALL_HANDS = comb(RANKS * SUITS, SEVEN)


def counts_by_category() -> dict[Category, int]:
    """Return how many of all seven-card hands are of each kind; in all 133,784,560.

    STEFFEN prints the shares rounded, the royal flush among the straight flushes.

    >>> found = counts_by_category()
    >>> sum(found.values()), found[Category.ROYAL_FLUSH], found[Category.PAIR]
    (133784560, 4324, 58627800)
    """
    found = Counter(_flushes())
    for counts in _rank_counts(SEVEN, RANKS):
        free = prod(comb(SUITS, count) for count in counts) - _with_flush(counts)
        found[_category(counts)] += free
    return {category: found[category] for category in Category}


def _flushes() -> Counter[Category]:
    """Return the hands with five or more of a suit, by what these make of them."""
    found: Counter[Category] = Counter()
    for suited in range(FIVE, SEVEN + 1):
        others = comb(RANKS * (SUITS - 1), SEVEN - suited)
        for ranks in combinations(range(RANKS), suited):
            category = category_of(value_of_numbers([rank * SUITS for rank in ranks]))
            found[category] += SUITS * others
    return found


def _rank_counts(left: int, ranks: int) -> Iterator[tuple[int, ...]]:
    """Yield how often each rank can be there, at most four times each."""
    if ranks == 0:
        if left == 0:
            yield ()
        return
    for count in range(min(left, SUITS) + 1):
        for rest in _rank_counts(left - count, ranks - 1):
            yield (count, *rest)


def _with_flush(counts: tuple[int, ...]) -> int:
    """Return how many hands of these ranks have five or more of a suit: only one suit can."""
    ways = [1]  # by how many cards are of the suit
    for count in counts:
        if count == 0:
            continue
        without, within = comb(SUITS - 1, count), comb(SUITS - 1, count - 1)
        ways = [
            (ways[held] * without if held < len(ways) else 0)
            + (ways[held - 1] * within if held else 0)
            for held in range(len(ways) + 1)
        ]
    return SUITS * sum(ways[FIVE:])


def _category(counts: tuple[int, ...]) -> Category:
    """Return what ranks alone make: their cards are of different suits as far as can be."""
    numbers: list[int] = []
    for rank, count in enumerate(counts):
        # Suits in turn: no five of seven cards are of one suit.
        numbers += [rank * SUITS + (len(numbers) + step) % SUITS for step in range(count)]
    return category_of(value_of_numbers(numbers))
