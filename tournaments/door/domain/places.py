"""Places and waiting: capacity, places held back, members first, offers.

Works with counts only. The line is ordered by registration: earlier ones get a freed place earlier.
Nothing is stored here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

# From this long before the start, players may say that they are here.
DOORS_OPEN = timedelta(hours=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The places of an event and their use.

    Only the director gives the `reserved` places of the `capacity`. `placed` and `placed_reserved`
    count the registrations with a place, `offered` the places offered to waiting players, `waiting`
    the line. `bags_only` means that players come only from the bags of a day before.

    :raises ValueError: If a number is below zero.
    """

    capacity: int
    reserved: int = 0
    placed: int = 0
    placed_reserved: int = 0
    offered: int = 0
    waiting: int = 0
    bags_only: bool = False

    def __post_init__(self) -> None:
        given = (self.placed, self.placed_reserved, self.offered, self.waiting)
        numbers = (self.capacity, self.reserved, *given)
        if min(numbers) < 0:
            raise ValueError(f"No number of places is below zero: {numbers}.")

    @property
    def taken(self) -> int:
        """Return the places given or offered, of both kinds."""
        return self.placed + self.placed_reserved + self.offered

    @property
    def free(self) -> int:
        """Return the places open to all now, never below zero.

        Reserved registrations beyond the places held back use places open to all.

        >>> Capacity(capacity=40, reserved=4, placed=30, placed_reserved=1, offered=2).free
        4
        >>> Capacity(capacity=40, reserved=4, placed=30, placed_reserved=6).free
        4
        """
        kept = max(self.reserved, self.placed_reserved)
        return max(0, self.capacity - kept - self.placed - self.offered)

    @property
    def free_reserved(self) -> int:
        """Return the remaining places held back, limited by the capacity.

        >>> Capacity(capacity=40, reserved=4, placed=30, placed_reserved=1).free_reserved
        3
        >>> Capacity(capacity=10, reserved=4, placed=9, placed_reserved=1).free_reserved
        0
        """
        left = self.capacity - self.placed - self.placed_reserved - self.offered
        return max(0, min(self.reserved - self.placed_reserved, left))


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiter:
    """A registration in line; `is_asked` while a place is offered to it."""

    registration: int
    is_member: bool = False
    is_asked: bool = False


def waiting_list_next(line: Iterable[Waiter], *, free: int, members_only: bool) -> tuple[int, ...]:
    """Return the registrations to get the free places, first in line first.

    A place already offered is not part of `free`.

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
