"""Rules of a cash table: table stakes, the house fee, the next seat.

All amounts are whole cents, because a cash game chip is money. Sources: HOME (S18), WIESBADEN and
STUD (S19): a least buy-in, more only between hands and up to at least that, and chips stay on the
table until their owner leaves it; a fee from the pot, by time, or none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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
    """A table's stakes, in cents."""

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


# --- The house fee: by time, from the pot, for each hand, or none


class FeeWay(StrEnum):
    """How the house takes its fee."""

    NONE = "none"
    TIME = "time"
    POT = "pot"
    DROP = "drop"  # from the pots by hand, typed in when the box is emptied
    HAND = "hand"


def time_fee_cents(since: datetime, until: datetime, *, cents: int, minutes: int) -> int:
    """Return the time fee for a stay at a table; a begun period counts in full.

    Instants are compared, not clock times: if an hour comes twice in October, both are paid.

    >>> at = datetime(2026, 11, 23, 23, 50, tzinfo=UTC)
    >>> minutes = [at + timedelta(minutes=later) for later in (0, 1, 30, 31)]
    >>> [time_fee_cents(at, until, cents=300, minutes=30) for until in minutes]
    [0, 300, 300, 600]

    :raises ValueError: The period is not at least one minute.
    """
    if minutes < 1:
        raise ValueError("A period is at least one minute.")
    seconds = max(0, int(until.timestamp() - since.timestamp()))
    return -(-seconds // (60 * minutes)) * cents


def period_end(since: datetime, now: datetime, *, minutes: int) -> datetime:
    """Return the end of the latest begun period: time is counted until then.

    >>> at = datetime(2026, 11, 23, 23, 50, tzinfo=UTC)
    >>> period_end(at, at + timedelta(minutes=31), minutes=30).isoformat()
    '2026-11-24T00:50:00+00:00'
    >>> period_end(at, at, minutes=30) == at
    True
    """
    periods = time_fee_cents(since, now, cents=1, minutes=minutes)
    return since.astimezone(UTC) + periods * timedelta(minutes=minutes)


def hand_fee_cents(
    way: FeeWay, *, cents: int, percent: int, most_cents: int, pot_cents: int, step_cents: int
) -> int:
    """Return the chips that leave the table for the house at the end of a hand.

    From the pot it is a percentage, rounded down to a chip: a smaller remainder stays there.

    :param most_cents: The most from one pot; 0: without a limit.
    :param step_cents: The smallest chip.

    >>> own = {"cents": 100, "percent": 5, "most_cents": 300, "pot_cents": 4990, "step_cents": 50}
    >>> [hand_fee_cents(way, **own) for way in FeeWay]
    [0, 0, 200, 0, 100]
    >>> hand_fee_cents(FeeWay.POT, **own | {"pot_cents": 90_000})
    300
    """
    if way is FeeWay.HAND:
        return cents
    if way is not FeeWay.POT:
        return 0
    fee = pot_cents * percent // 100
    fee = min(fee, most_cents) if most_cents else fee
    return fee - fee % step_cents


# --- The next seat: first asked, first served, with a deadline


# The longest time a seat is kept for an absent player.
MOST_AWAY_MINUTES = 180


@dataclass(frozen=True, slots=True)
class Waiter:
    """A player who waits for a seat."""

    key: int
    asked_at: datetime
    until: datetime | None = None

    def holds_seat(self, now: datetime) -> bool:
        """Tell whether a seat is kept for the player."""
        return self.until is not None and now < self.until


def waiting_order(waiters: Iterable[Waiter], now: datetime) -> list[Waiter]:
    """Return the waiting players in the order of seats.

    After an expired offer a player ranks behind the others, by its time.

    >>> at, minute = datetime(2026, 11, 23, 20, tzinfo=UTC), timedelta(minutes=1)
    >>> late = Waiter(1, at, until=at + minute)
    >>> [w.key for w in waiting_order([Waiter(3, at + minute), Waiter(2, at), late], at + minute)]
    [2, 3, 1]
    """

    def rank(waiter: Waiter) -> tuple[bool, datetime, int]:
        has_lapsed = waiter.until is not None and not waiter.holds_seat(now)
        behind = waiter.until if has_lapsed and waiter.until else waiter.asked_at
        return has_lapsed, behind, waiter.key

    return sorted(waiters, key=rank)


def seats_free(free: int, waiters: Sequence[Waiter], now: datetime) -> int:
    """Return how many free seats are not kept for a player.

    >>> seats_free(1, [], datetime(2026, 11, 23))
    1
    """
    return max(0, free - sum(waiter.holds_seat(now) for waiter in waiters))


def expected_at(
    place: int, now: datetime, *, leaves: Iterable[datetime], mean: timedelta | None
) -> datetime | None:
    """Return when a seat is expected for this place in line; None without any sign.

    Announced departures come first, then one seat in each mean interval so far.

    >>> now, hour = datetime(2026, 11, 23, 20), timedelta(hours=1)
    >>> [expected_at(n, now, leaves=[now + hour], mean=hour / 2).hour for n in (1, 3)]
    [21, 22]
    >>> expected_at(1, now, leaves=[], mean=None) is None
    True
    """
    told = sorted(max(now, at) for at in leaves)
    if place <= len(told):
        return told[place - 1]
    if mean is None:
        return None
    return max([now, *told]) + (place - len(told)) * mean


def next_to_ask(free: int, waiters: Sequence[Waiter], now: datetime) -> list[Waiter]:
    """Return the players to offer the free seats now.

    >>> at = datetime(2026, 11, 23, 20, tzinfo=UTC)
    >>> line = [Waiter(1, at), Waiter(2, at), Waiter(3, at)]
    >>> [waiter.key for waiter in next_to_ask(2, line, at)]
    [1, 2]
    """
    asked = [waiter for waiter in waiting_order(waiters, now) if not waiter.holds_seat(now)]
    return asked[: seats_free(free, waiters, now)]
