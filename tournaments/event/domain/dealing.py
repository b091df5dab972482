"""The chips of everyone's stack, without a printed table.

All players get the same pieces (HOME), worth the stack. The best stack has the lowest measure:

1. Whether everyone can post both blinds once from pieces no larger than the small blind.

2. Missing change, in chips. A player with a piece should hold smaller pieces worth three of it, and
pieces no larger than the small blind worth three big blinds. A piece no larger than the small blind
needs no smaller one.

3. The number of pieces.

So the first levels need no change at the table, and there are no needless pieces. Pieces smaller
than every bet needs are not dealt. Sets are
enough where everyone can post the blinds: the table makes the rest of the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

FOLD = 3
# The most pieces of one value in a stack.
MOST_OF_ONE = 200
MOST_PLAYERS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The target of everyone's stack: its chips, and the blinds of the first level."""

    stack: int
    small_blind: int
    big_blind: int


Measure = tuple[bool, int, int]


def measure(pieces: Mapping[int, int], need: Need) -> Measure:
    """Return whether a stack cannot post the blinds, its missing change and its number of pieces.

    >>> need = Need(stack=100, small_blind=1, big_blind=1)
    >>> measure({1: 15, 5: 11, 10: 3}, need), measure({1: 5, 5: 1, 10: 9}, need)
    ((False, 0, 29), (False, 30, 15))
    >>> measure({1000: 5}, Need(stack=5000, small_blind=25, big_blind=50))
    (True, 3150, 5)
    """
    lacks, before = 0, 0
    for value, count in sorted(pieces.items()):
        lacks += _cost(need, value, count, before)
        before += value * count
    small = sum(value * count for value, count in pieces.items() if value <= need.small_blind)
    lacks += max(0, FOLD * need.big_blind - small)
    return small < need.big_blind, lacks, sum(pieces.values())


def best_pieces(have: Mapping[int, int], players: int, need: Need) -> dict[int, int] | None:
    """Return the best stack for so many players; None if no stack sums to the amount.

    :param have: How many pieces there are of each value.

    >>> steffen = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
    >>> best_pieces(steffen, 10, Need(stack=100, small_blind=1, big_blind=1))
    {1: 15, 5: 4, 10: 4, 25: 1}
    >>> best_pieces({25: 100}, 10, Need(stack=110, small_blind=5, big_blind=10)) is None
    True
    """
    caps = {value: min(count // players, MOST_OF_ONE) for value, count in have.items()}
    return _search(caps, need, owned=None, players=players)


def missing_pieces(have: Mapping[int, int], players: int, need: Need) -> dict[int, int] | None:
    """Return the fewest pieces to get, by value, so that a stack can be dealt.

    None if no number of these values sums to the stack.

    >>> missing_pieces({1: 20, 5: 20}, 4, Need(stack=50, small_blind=1, big_blind=2))
    {5: 16}
    """
    caps = {value: min(need.stack // value, MOST_OF_ONE) for value in have}
    found = _search(caps, need, owned=have, players=players)
    if found is None:
        return None
    lacking = {value: count * players - have[value] for value, count in found.items()}
    return {value: count for value, count in lacking.items() if count > 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """Everyone's stack in a field, and the number of sets for it."""

    pieces: Mapping[int, int]
    sets: int


def dealt_to(have: Mapping[int, int], players: int, need: Need) -> Dealt | None:
    """Return the best stack for a field and its number of sets; None if there is none.

    >>> dealt_to({1: 150, 5: 150}, 20, Need(stack=100, small_blind=1, big_blind=1))
    Dealt(pieces={1: 15, 5: 17}, sets=3)
    """
    return _dealt_to(tuple(sorted(have.items())), max(1, players), need)


@lru_cache(maxsize=256)
def _dealt_to(have: tuple[tuple[int, int], ...], players: int, need: Need) -> Dealt | None:
    sets = sets_needed(dict(have), players, need)
    if sets is None:
        return None
    pieces = best_pieces({value: count * sets for value, count in have}, players, need)
    return Dealt(pieces=pieces, sets=sets) if pieces else None


def pieces_needed(
    have: Mapping[int, int], players: int, need: Need, amounts: Iterable[int]
) -> Mapping[int, int]:
    """Return the pieces to deal from: without those too small for any of the bets.

    All of them where the others give no stack, or only from more sets.

    >>> have = {25: 150, 100: 150, 500: 100, 1000: 75, 5000: 25}
    >>> need = Need(stack=20_000, small_blind=100, big_blind=200)
    >>> [min(pieces_needed(have, 10, need, bets)) for bets in ([100, 200, 300], [100, 200, 250])]
    [100, 25]
    """
    unit = gcd(*amounts)
    least = max((value for value in have if value and unit % value == 0), default=0)
    needed = {value: count for value, count in have.items() if value >= least}
    best, every = dealt_to(needed, players, need), dealt_to(have, players, need)
    is_enough = best is not None and (every is None or best.sets <= every.sets)
    return needed if is_enough else have


def sets_needed(have: Mapping[int, int], players: int, need: Need) -> int | None:
    """Return the fewest such sets from which everyone can post the blinds once.

    None if no number of sets gives the stack.

    >>> steffen = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
    >>> [sets_needed(steffen, n, Need(stack=100, small_blind=1, big_blind=1)) for n in (10, 25, 40)]
    [1, 1, 2]
    """
    most = players * MOST_OF_ONE
    every = _enough(have, players, need, most)
    if every is None:
        return None
    low, high = 0, 1
    while high < most and _enough(have, players, need, high) != every:
        low, high = high, min(most, 2 * high)
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = _enough(have, players, need, middle) == every
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def most_players(have: Mapping[int, int], need: Need) -> int:
    """Return the most players for whom one set is enough; zero if none.

    >>> steffen = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
    >>> most_players(steffen, Need(stack=100, small_blind=1, big_blind=1))
    25
    """
    every = _enough(have, 1, need)
    worth = sum(value * count for value, count in have.items())
    low, high = 0, min(worth // need.stack, MOST_PLAYERS) + 1
    while high - low > 1 and every is not None:
        middle = (low + high) // 2
        low, high = (middle, high) if _enough(have, middle, need) == every else (low, middle)
    return low


def _enough(have: Mapping[int, int], players: int, need: Need, sets: int = 1) -> bool | None:
    """Tell whether the best stack from so many sets posts the blinds; None without a stack."""
    pieces = best_pieces({value: count * sets for value, count in have.items()}, players, need)
    return None if pieces is None else not measure(pieces, need)[0]


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to a sum: its cost, the last count, and the way before."""

    cost: tuple[int, bool, int, int]
    count: int
    before: _Way | None


def _search(
    caps: Mapping[int, int], need: Need, *, owned: Mapping[int, int] | None, players: int
) -> dict[int, int] | None:
    """Find the best stack, from the smallest value up: the cheapest way to each sum.

    The cost of larger values does not depend on the way to a sum, so this is exact.
    """
    values = sorted(value for value, cap in caps.items() if value > 0 and cap > 0)
    ways = {0: _Way((0, False, 0, 0), 0, None)}
    for index, value in enumerate(values):
        rest = values[index + 1 :]
        room = sum(other * caps[other] for other in rest)
        spare = owned[value] if owned is not None else None
        after: dict[int, _Way] = {}
        for worth, way in ways.items():
            for count in _counts(need.stack - worth, value, caps[value], gcd(*rest), room):
                more = _cost(need, value, count, worth)
                extra = 0 if spare is None else max(0, count * players - spare)
                missing, posts_not, change, pieces = way.cost
                cost = (missing + extra, posts_not, change + more, pieces + count)
                reached = worth + count * value
                known = after.get(reached)
                if known is None or cost < known.cost:
                    after[reached] = _Way(cost, count, way)
        ways = after
        if index + 1 < len(values) and value <= need.small_blind < values[index + 1]:
            ways = {worth: _with_small(way, worth, need) for worth, way in ways.items()}
    best = ways.get(need.stack)
    if best is None:
        return None
    counts: list[int] = []
    while best.before is not None:
        counts.append(best.count)
        best = best.before
    return {v: n for v, n in zip(values, reversed(counts), strict=True) if n}


def _with_small(way: _Way, worth: int, need: Need) -> _Way:
    """Return the way with the missing pieces no larger than the small blind."""
    lacks = max(0, FOLD * need.big_blind - worth)
    missing, _posts_not, change, count = way.cost
    cost = (missing, worth < need.big_blind, change + lacks, count)
    return _Way(cost, way.count, way.before)


def _cost(need: Need, value: int, count: int, before: int) -> int:
    if not count or (not before and value <= need.small_blind):
        return 0
    return max(0, FOLD * value - before)


def _counts(left: int, value: int, cap: int, unit: int, room: int) -> Iterator[int]:
    """Yield the possible counts of this value, so that larger ones make up the rest.

    :param left: The worth that is still to be dealt.
    :param unit: The greatest common divisor of the larger values; 0 if there are none.
    :param room: The worth of all larger pieces that may be dealt.
    """
    most = min(cap, left // value)
    least = max(0, -(-(left - room) // value))
    if not unit:
        if left % value == 0 and least <= left // value <= most:
            yield left // value
        return
    step = unit // gcd(unit, value)
    for first in range(least, min(most, least + step - 1) + 1):
        if (left - first * value) % unit == 0:
            yield from range(first, most + 1, step)
            return
