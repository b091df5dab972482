"""Deals: share the remaining prizes by ICM, by chips, or evenly.

Amounts are whole numbers of the smallest unit of money. Shares are rounded together, so that they
sum exactly.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

# Precision of ICM in fractions of a cent, far finer than a payment.
DIGITS = 4


class Way(StrEnum):
    """The method of a deal."""

    ICM = "icm"
    CHIPS = "chips"
    EVEN = "even"
    OWN = "own"


RECKONED = (Way.ICM, Way.CHIPS, Way.EVEN)


class Unshareable(ValueError):
    """Prizes or amounts that make no deal; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def shares(
    way: Way, stacks: Sequence[int], prizes: Sequence[int], *, unit: int = 1, kept: int = 0
) -> list[int]:
    """Return each stack's share, in the order of the stacks; they sum to the prizes less `kept`.

    The prizes of as many places as there are stacks are shared. By chips, everybody first gets the
    lowest of these prizes, which is certain for all.

    >>> shares(Way.CHIPS, [6000, 3000, 1000], [50_00, 30_00, 20_00])
    [4400, 3200, 2400]
    >>> shares(Way.EVEN, [6000, 3000, 1000], [50_00, 30_00, 20_00], unit=100)
    [3400, 3300, 3300]
    >>> shares(Way.CHIPS, [6000, 3000, 1000], [50_00, 30_00, 20_00], kept=10_00)
    [3800, 2900, 2300]
    >>> shares(Way.EVEN, [5000, 3000], [1000_00, 900_00], kept=200_00)
    [85000, 85000]

    :param prizes: By place, first place first, not rising.
    :param unit: Shares are whole multiples of it; a remainder goes to the largest share.
    :param kept: Taken from the first prize and still played for. More than the difference of the
        first prizes is taken from all of them alike.
    :raises Unshareable: "no_prizes", "rising" prizes, or "kept" is all there is.
    :raises ValueError: If a stack is not positive.
    """
    if not stacks or min(stacks) <= 0:
        raise ValueError("Every stack of a deal has chips.")
    shared = _shared(len(stacks), prizes, kept)
    # Where equal shares do not divide into whole units, the larger stack gets one more.
    order = sorted(range(len(stacks)), key=lambda one: -stacks[one])
    found = rounded(_exact(way, [stacks[one] for one in order], shared), sum(shared), unit=unit)
    return [amount for _, amount in sorted(zip(order, found, strict=True))]


def own_amounts(
    amounts: Sequence[int], stacks: Sequence[int], prizes: Sequence[int], *, kept: int = 0
) -> list[int]:
    """Return amounts negotiated by the players, if they sum to the shared prizes.

    >>> own_amounts([60_00, 40_00], [500, 500], [70_00, 40_00], kept=10_00)
    [6000, 4000]

    :raises Unshareable: As `shares`; "negative", or "own_sum" for another sum.
    """
    if min(amounts) < 0:
        raise Unshareable("negative")
    if sum(amounts) != sum(_shared(len(stacks), prizes, kept)):
        raise Unshareable("own_sum")
    return list(amounts)


def _shared(many: int, prizes: Sequence[int], kept: int) -> list[int]:
    """Return the prizes of `many` places, less the kept part of the first."""
    shared = [*prizes[:many], *[0] * (many - len(prizes))]
    if shared != sorted(shared, reverse=True) or shared[-1] < 0:
        raise Unshareable("rising")
    if shared[0] == 0:
        raise Unshareable("no_prizes")
    if kept < 0 or kept >= sum(shared):
        raise Unshareable("kept")
    for equal in range(1, many + 1):
        # The first prizes are equal by now: lower all of them, at most to the next one.
        following = shared[equal] if equal < many else 0
        taken = min(kept, equal * (shared[0] - following))
        each, odd = divmod(taken, equal)
        lowered = [each] * (equal - odd) + [each + 1] * odd
        shared[:equal] = [prize - less for prize, less in zip(shared, lowered, strict=False)]
        kept -= taken
        if not kept:
            break
    return shared


def _exact(way: Way, stacks: Sequence[int], prizes: Sequence[int]) -> list[Fraction]:
    """Return the unrounded shares; ICM's sum is exact."""
    pool = sum(prizes)
    if way is Way.EVEN:
        return [Fraction(pool, len(stacks))] * len(stacks)
    if way is Way.CHIPS:
        lowest, chips = prizes[-1], sum(stacks)
        rest = pool - lowest * len(stacks)
        return [lowest + Fraction(rest * stack, chips) for stack in stacks]
    # numpy takes a tenth of a second to load and is rarely needed.
    from tournaments.prizes.domain.icm import icm_equities  # noqa: PLC0415

    return [Fraction(round(worth, DIGITS)) for worth in icm_equities(stacks, prizes)]


def rounded(shares: Sequence[Fraction], pool: int, *, unit: int = 1) -> list[int]:
    """Return multiples of the unit with this sum, in the same order of size.

    Every share is rounded down; remaining units go to the largest fractions, on a tie to the larger
    share. A remainder below one unit goes to the largest share.

    >>> rounded([Fraction(10, 3)] * 3, 10)
    [4, 3, 3]
    >>> rounded([Fraction(76), Fraction(27)], 103, unit=10)
    [73, 30]
    """
    down = [int(share // unit) for share in shares]
    left, below = divmod(pool - unit * sum(down), unit)
    missing = sorted(
        range(len(shares)), key=lambda one: (down[one] * unit - shares[one], -shares[one], one)
    )
    for one in missing[: max(0, left)]:
        down[one] += 1
    amounts = [unit * many for many in down]
    largest = max(range(len(amounts)), key=lambda one: (amounts[one], shares[one], -one))
    amounts[largest] += below
    return amounts
