"""Tickets of satellites: their number, what a redemption covers, the sums of a season."""

from __future__ import annotations

from dataclasses import dataclass

# A plan's tickets pay for any event of the club.
ANY_EVENT = -1


def ticket_name(number: int) -> str:
    """Return a ticket's printed number.

    >>> ticket_name(17)
    'T-0017'
    """
    return f"T-{number:04}"


@dataclass(frozen=True, slots=True)
class Redemption:
    """What a ticket pays, and what is left: on a new ticket, or lost."""

    cents: int
    rest: int = 0
    lost: int = 0


def redeemed(worth_cents: int, open_cents: int, *, keeps_rest: bool) -> Redemption:
    """Return what a ticket covers of an open amount.

    >>> redeemed(25000, 27500, keeps_rest=False)
    Redemption(cents=25000, rest=0, lost=0)
    >>> redeemed(25000, 20000, keeps_rest=True)
    Redemption(cents=20000, rest=5000, lost=0)
    """
    cents = min(worth_cents, open_cents)
    left = worth_cents - cents
    return Redemption(cents, left if keeps_rest else 0, 0 if keeps_rest else left)
