"""Table stakes: buy in, top up, bring back, cash out.

All amounts are whole cents, because a cash game chip is money. Sources: HOME (S18), WIESBADEN and
STUD (S19): a least buy-in, more only between hands and up to at least that, and chips stay on the
table until their owner leaves it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

MOST_CENTS = 10_000_000


class Way(StrEnum):
    """How a bound of the buy-in is given."""

    FIXED = "fixed"
    BIG_BLINDS = "big_blinds"
    LARGEST_STACK = "largest_stack"


class No(StrEnum):
    """Why chips cannot be bought or taken away."""

    NO_AMOUNT = "no_amount"
    CHIPS_STAY = "chips_stay"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    LARGEST_UNKNOWN = "largest_unknown"
    DURING_HAND = "during_hand"
    BELOW_TAKEN_AWAY = "below_taken_away"
    MORE_THAN_THERE_IS = "more_than_there_is"
    FEE_OPEN = "fee_open"


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of the buy-in.

    :param number: Cents if fixed, or a number of big blinds. For the largest stack the cents that
    may be bought whatever the stacks are.
    """

    way: Way
    number: int = 0

    def cents(self, big_blind_cents: int, largest_cents: int | None = None) -> int:
        """Return the bound in cents; an unknown largest stack counts as none.

        >>> Bound(Way.FIXED, 2000).cents(100)
        2000
        >>> Bound(Way.BIG_BLINDS, 40).cents(100)
        4000
        >>> [Bound(Way.LARGEST_STACK, 5000).cents(100, cents) for cents in (12_500, 300, None)]
        [12500, 5000, 5000]
        """
        if self.way is Way.LARGEST_STACK:
            return max(self.number, largest_cents or 0)
        return self.number * (big_blind_cents if self.way is Way.BIG_BLINDS else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """A table's stakes, in cents.

    :param minimum: The least buy-in; never the largest stack.
    :param maximum: The most a player may have after buying.
    """

    small_blind_cents: int
    big_blind_cents: int
    minimum: Bound
    maximum: Bound


@dataclass(frozen=True, slots=True)
class Range:
    """The range of a stack after buying, in cents.

    :param taken: Chips the player took away and has to bring back; 0 if none.
    :param is_open: Whether the largest stack may allow more, and is unknown.
    """

    least: int
    most: int
    taken: int = 0
    is_open: bool = False


def buying_range(stakes: Stakes, largest_cents: int | None = None) -> Range:
    """Return the range of a stack after buying.

    The maximum may be the larger of an amount and the largest stack. The minimum can always be
    bought.

    >>> up_to = Bound(Way.LARGEST_STACK, 5000)
    >>> stakes = Stakes(small_blind_cents=50, big_blind_cents=100,
    ...                 minimum=Bound(Way.BIG_BLINDS, 20), maximum=up_to)
    >>> buying_range(stakes, 9000)
    Range(least=2000, most=9000, taken=0, is_open=False)
    >>> buying_range(stakes, 500).most
    5000
    >>> buying_range(stakes)
    Range(least=2000, most=5000, taken=0, is_open=True)
    """
    least = stakes.minimum.cents(stakes.big_blind_cents)
    most = stakes.maximum.cents(stakes.big_blind_cents, largest_cents)
    is_open = stakes.maximum.way is Way.LARGEST_STACK and largest_cents is None
    return Range(least, max(least, most), is_open=is_open)


def returning_range(
    bounds: Range, taken_cents: int, taken_at: datetime, now: datetime, within: timedelta
) -> Range:
    """Return the range for a returning player: in time, at least the chips taken away.

    Instants are compared, so that no clock change shortens the time.

    >>> from datetime import UTC
    >>> at = datetime(2026, 10, 24, 22, tzinfo=UTC)
    >>> hour = timedelta(hours=1)
    >>> returning_range(Range(2000, 10_000), 14_000, at, at + hour, hour)
    Range(least=14000, most=14000, taken=14000, is_open=False)
    >>> returning_range(Range(2000, 10_000), 14_000, at, at + hour * 2, hour)
    Range(least=2000, most=10000, taken=0, is_open=False)
    """
    if now.timestamp() - taken_at.timestamp() > within.total_seconds():
        return bounds
    least = max(bounds.least, taken_cents)
    return Range(least, max(bounds.most, least), taken_cents, bounds.is_open)


def obstacle_to_buy(
    bounds: Range, cents: int, *, stack_cents: int = 0, is_hand_running: bool = False
) -> No | None:
    """Return why this purchase is not allowed, or None.

    :param stack_cents: The player's chips; 0 when sitting down.
    :param is_hand_running: Whether the player is in a hand; not when sitting down.

    >>> obstacle_to_buy(Range(2000, 10_000), 2000) is None
    True
    >>> obstacle_to_buy(Range(2000, 10_000), -500, stack_cents=5000)
    <No.CHIPS_STAY: 'chips_stay'>
    >>> obstacle_to_buy(Range(2000, 10_000), 9000, stack_cents=1500)
    <No.ABOVE_MAXIMUM: 'above_maximum'>
    >>> obstacle_to_buy(Range(2000, 10_000), 300, stack_cents=1500)
    <No.BELOW_MINIMUM: 'below_minimum'>
    >>> obstacle_to_buy(Range(2000, 10_000), 500, stack_cents=1500, is_hand_running=True)
    <No.DURING_HAND: 'during_hand'>
    """
    if cents < 0:
        return No.CHIPS_STAY
    if not 0 < cents <= MOST_CENTS or not 0 <= stack_cents <= MOST_CENTS:
        return No.NO_AMOUNT
    if is_hand_running:
        return No.DURING_HAND
    after = stack_cents + cents
    if after < bounds.least:
        return No.BELOW_TAKEN_AWAY if bounds.taken == bounds.least else No.BELOW_MINIMUM
    if after <= bounds.most:
        return None
    return No.LARGEST_UNKNOWN if bounds.is_open else No.ABOVE_MAXIMUM


def obstacle_to_take(
    there_cents: int, cents: int, *, fee_open_cents: int = 0, is_hand_running: bool = False
) -> No | None:
    """Return why this cash-out is not allowed, or None.

    :param there_cents: Chips on the table by the books: bought, less cashed and taken.
    :param fee_open_cents: The player's open house fee.

    >>> obstacle_to_take(30_000, 12_000) is None
    True
    >>> obstacle_to_take(30_000, 30_001)
    <No.MORE_THAN_THERE_IS: 'more_than_there_is'>
    >>> obstacle_to_take(30_000, 0, fee_open_cents=500)
    <No.FEE_OPEN: 'fee_open'>
    """
    if cents < 0:
        return No.NO_AMOUNT
    if cents > there_cents:
        return No.MORE_THAN_THERE_IS
    if is_hand_running:
        return No.DURING_HAND
    return No.FEE_OPEN if fee_open_cents > 0 else None
