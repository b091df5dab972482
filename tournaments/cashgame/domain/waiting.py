"""The next seat of a cash table: first asked, first served, with a deadline."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

# The longest time a seat is kept for an absent player.
MOST_AWAY_MINUTES = 180


@dataclass(frozen=True, slots=True)
class Waiter:
    """A player who waits for a seat.

    :param until: The deadline of the offer; None without one.
    """

    key: int
    asked_at: datetime
    until: datetime | None = None

    def holds_seat(self, now: datetime) -> bool:
        """Tell whether a seat is kept for the player."""
        return self.until is not None and now < self.until


def waiting_order(waiters: Iterable[Waiter], now: datetime) -> list[Waiter]:
    """Return the waiting players in the order of seats.

    After an expired offer a player ranks behind the others, by its time.

    >>> from datetime import UTC, timedelta
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

    >>> from datetime import UTC, timedelta
    >>> at = datetime(2026, 11, 23, 20, tzinfo=UTC)
    >>> line = [Waiter(1, at), Waiter(2, at), Waiter(3, at)]
    >>> [waiter.key for waiter in next_to_ask(2, line, at)]
    [1, 2]
    """
    asked = [waiter for waiter in waiting_order(waiters, now) if not waiter.holds_seat(now)]
    return asked[: seats_free(free, waiters, now)]
