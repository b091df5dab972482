"""Who gets a place and who waits: capacity, places held back, members first, offers.

Counting is enough for that. The line is what its order says: who registered earlier gets a freed
place earlier. Nothing here is stored.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

# From so long before the start on people come, and may say that they are here.
DOORS_OPEN = timedelta(hours=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The places of an event and what has become of them.

    `reserved` of the `capacity` are given away by the director alone. `placed` and
    `placed_reserved` count the registrations that have a place, `offered` the places that are held
    for somebody who was asked, `waiting` those in line.

    :raises ValueError: If a number is below zero.
    """

    capacity: int
    reserved: int = 0
    placed: int = 0
    placed_reserved: int = 0
    offered: int = 0
    waiting: int = 0

    def __post_init__(self) -> None:
        given = (self.placed, self.placed_reserved, self.offered, self.waiting)
        numbers = (self.capacity, self.reserved, *given)
        if min(numbers) < 0:
            raise ValueError(f"No number of places is below zero: {numbers}.")

    @property
    def taken(self) -> int:
        """Return how many places are given or held, of whatever kind."""
        return self.placed + self.placed_reserved + self.offered

    @property
    def free(self) -> int:
        """Return how many places anybody may have now, never below zero.

        More reserved registrations than places held back take from what is open to all.

        >>> Capacity(capacity=40, reserved=4, placed=30, placed_reserved=1, offered=2).free
        4
        >>> Capacity(capacity=40, reserved=4, placed=30, placed_reserved=6).free
        4
        """
        kept = max(self.reserved, self.placed_reserved)
        return max(0, self.capacity - kept - self.placed - self.offered)

    @property
    def free_reserved(self) -> int:
        """Return how many of the places held back are left, as long as the room has any.

        >>> Capacity(capacity=40, reserved=4, placed=30, placed_reserved=1).free_reserved
        3
        >>> Capacity(capacity=10, reserved=4, placed=9, placed_reserved=1).free_reserved
        0
        """
        left = self.capacity - self.placed - self.placed_reserved - self.offered
        return max(0, min(self.reserved - self.placed_reserved, left))


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiter:
    """A registration in line; `is_asked` while a place is held for it."""

    registration: int
    is_member: bool = False
    is_asked: bool = False


def waiting_list_next(line: Iterable[Waiter], *, free: int, members_only: bool) -> tuple[int, ...]:
    """Return the registrations to which the free places go, the first in line first.

    The place of who was asked already is counted in the room.

    >>> line = [Waiter(registration=1), Waiter(registration=2, is_member=True),
    ...         Waiter(registration=3, is_asked=True), Waiter(registration=4)]
    >>> waiting_list_next(line, free=2, members_only=False)
    (1, 2)
    >>> waiting_list_next(line, free=2, members_only=True)
    (2,)
    """
    waiting = [
        waiter.registration
        for waiter in line
        if not waiter.is_asked and (waiter.is_member or not members_only)
    ]
    return tuple(waiting[: max(0, free)])
