"""Tickets of satellites: their number, what a redemption covers, the sums of a season."""

from dataclasses import dataclass
from enum import StrEnum

# A plan's tickets pay for any event of the club.
ANY_EVENT = -1


def ticket_name(number: int) -> str:
    """Return a ticket's printed number.

    >>> ticket_name(17)
    'T-0017'
    """
    return f"T-{number:04}"


class Rest(StrEnum):
    """The way of what a ticket is worth beyond the price."""

    LOST = "lost"
    TICKET = "ticket"
    POOL = "pool"


@dataclass(frozen=True, slots=True)
class Redemption:
    """The cents that a ticket pays, and its rest: on a new ticket, for the pool, or lost."""

    cents: int
    rest: int = 0
    to_pool: int = 0
    lost: int = 0


def redeemed(worth_cents: int, open_cents: int, rest: Rest) -> Redemption:
    """Return what a ticket covers of an open amount.

    >>> redeemed(25000, 27500, Rest.LOST)
    Redemption(cents=25000, rest=0, to_pool=0, lost=0)
    >>> redeemed(25000, 20000, Rest.TICKET)
    Redemption(cents=20000, rest=5000, to_pool=0, lost=0)
    >>> redeemed(25000, 20000, Rest.POOL).to_pool
    5000
    """
    cents = min(worth_cents, open_cents)
    left = worth_cents - cents
    return Redemption(
        cents,
        rest=left if rest is Rest.TICKET else 0,
        to_pool=left if rest is Rest.POOL else 0,
        lost=left if rest is Rest.LOST else 0,
    )
