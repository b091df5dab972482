"""Who gets the next seat of a cash table: the one who asked first and answers in time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

# For no longer than this is a seat kept for somebody who is away.
MOST_AWAY_MINUTES = 180


@dataclass(frozen=True, slots=True)
class Waiter:
    """Somebody who waits for a seat.

    :param until: Until when a seat is offered to the player; None while none is.
    """

    key: int
    asked_at: datetime
    until: datetime | None = None

    def holds_seat(self, now: datetime) -> bool:
        """Tell whether a seat is kept for the player."""
        return self.until is not None and now < self.until


def waiting_order(waiters: Iterable[Waiter], now: datetime) -> list[Waiter]:
    """Return who waits in the order in which seats are given.

    A player who let an offer pass stands behind the others, by when it lapsed.

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
    """Return how many free seats are kept for nobody.

    >>> seats_free(1, [], datetime(2026, 11, 23))
    1
    """
    return max(0, free - sum(waiter.holds_seat(now) for waiter in waiters))


def next_unasked(free: int, waiters: Sequence[Waiter], now: datetime) -> list[Waiter]:
    """Return to whom the free seats are offered by themselves: nobody who let one pass.

    >>> from datetime import UTC, timedelta
    >>> at = datetime(2026, 11, 23, 20, tzinfo=UTC)
    >>> line = [Waiter(1, at, until=at), Waiter(2, at), Waiter(3, at)]
    >>> [waiter.key for waiter in next_unasked(2, line, at)]
    [2, 3]
    """
    return [waiter for waiter in next_to_ask(free, waiters, now) if waiter.until is None]


def next_to_ask(free: int, waiters: Sequence[Waiter], now: datetime) -> list[Waiter]:
    """Return to whom the free seats are to be offered now.

    >>> from datetime import UTC, timedelta
    >>> at = datetime(2026, 11, 23, 20, tzinfo=UTC)
    >>> line = [Waiter(1, at), Waiter(2, at), Waiter(3, at)]
    >>> [waiter.key for waiter in next_to_ask(2, line, at)]
    [1, 2]
    """
    asked = [waiter for waiter in waiting_order(waiters, now) if not waiter.holds_seat(now)]
    return asked[: seats_free(free, waiters, now)]
