"""What money is for: the accounts of the journal, prices in shares, and what a payment covers.

Amounts are whole cents. Nothing here knows who pays, or when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Account(StrEnum):
    """Where money is booked. A booking's sides sum to zero; what comes in is above zero at `CASH`.

    `FEES` holds what was paid before prices had shares; it belongs to the prize pool.
    """

    CASH = "cash"
    FEES = "fees"
    POOL = "pool"
    BOUNTY = "bounty"
    HOUSE = "house"
    EXTRA = "extra"
    # Paid, but nothing it is owed for.
    CREDIT = "credit"
    # Paid out of the pool, and out of the bounties.
    PRIZES = "prizes"
    BOUNTIES = "bounties"
    # Seats that a satellite gives instead of cash: what they are worth goes to another evening.
    SEATS = "seats"
    # What lay in a drawer before, what is put in or taken out, what was counted more or less.
    FLOAT = "float"
    OTHER = "other"
    DIFFERENCE = "difference"
    # Of cash tables, see `cashgame.domain.ledger`: chips on a table, what the house took, tips,
    # what was carried from table to table, what was missing when a table was counted, and what
    # people owe each other where there is no drawer.
    CHIPS = "chips"
    RAKE = "rake"
    TIPS = "tips"
    CARRIED = "carried"
    MISSING = "missing"
    OWED = "owed"


# A booking to one of these is nothing of what somebody paid for the tournament.
NOT_PAID = frozenset(
    {
        Account.PRIZES, Account.BOUNTIES, Account.SEATS, Account.CHIPS, Account.RAKE, Account.TIPS,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a price: to which account it goes; an extra part has a name of its own."""

    account: Account
    cents: int
    name: str = ""


Price = tuple[Share, ...]
Side = tuple[Account, str]


def price_cents(price: Price) -> int:
    """Return what a price comes to.

    >>> price_cents((Share(Account.POOL, 800), Share(Account.HOUSE, 200)))
    1000
    """
    return sum(share.cents for share in price)


def allotted(prices: Iterable[Price], paid_cents: int) -> dict[Side, int]:
    """Return what a paid sum covers, by account: price after price, share after share.

    So a part payment goes to what stands first. What is paid above all prices is a credit.

    >>> entry = (Share(Account.POOL, 800), Share(Account.HOUSE, 200))
    >>> {str(account): cents for (account, _), cents in allotted([entry], 900).items()}
    {'pool': 800, 'house': 100}
    >>> {str(account): cents for (account, _), cents in allotted([entry], 1050).items()}
    {'pool': 800, 'house': 200, 'credit': 50}
    """
    left, found = paid_cents, dict[Side, int]()
    shares = [share for price in prices for share in price]
    for share in [*shares, Share(Account.CREDIT, left)]:
        part = min(left, share.cents)
        if part:
            side = (share.account, share.name)
            found[side] = found.get(side, 0) + part
            left -= part
    return found


def sides_of(booked: Mapping[Side, int], covered: Mapping[Side, int]) -> dict[Side, int]:
    """Return the sides, without cash, that bring what was booked to what should be covered.

    :param booked: What stands in the journal, by account; what people paid in is below zero.
    :param covered: What it should cover, by account, above zero.

    >>> pool, house = (Account.POOL, ""), (Account.HOUSE, "")
    >>> sides_of({pool: -500}, {pool: 800, house: 200}) == {pool: -300, house: -200}
    True
    >>> sides_of({pool: -500}, {}) == {pool: 500}
    True
    """
    sides = [*covered, *(side for side in booked if side not in covered)]
    change = {side: -covered.get(side, 0) - booked.get(side, 0) for side in sides}
    return {side: cents for side, cents in change.items() if cents}
