"""Purposes of money: accounts of the journal, prices in shares, coverage of payments.

Amounts are whole cents. Knows neither persons nor times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Account(StrEnum):
    """The account of a posting. A booking has sum zero; income is above zero at `CASH`.

    `FEES` holds payments from before prices had shares; it belongs to the prize pool.
    """

    CASH = "cash"
    FEES = "fees"
    POOL = "pool"
    BOUNTY = "bounty"
    HOUSE = "house"
    EXTRA = "extra"
    # Paid without an owed price.
    CREDIT = "credit"
    # Paid out of the pool, and out of the bounties.
    PRIZES = "prizes"
    BOUNTIES = "bounties"
    # Satellite seats instead of cash: their value goes to another event.
    SEATS = "seats"
    # Float of a drawer, cash added or removed, difference at closing.
    FLOAT = "float"
    OTHER = "other"
    DIFFERENCE = "difference"
    # Of cash tables, see `cashgame.domain.ledger`: chips on a table, house fee, tips, chips carried
    # between tables, differences of a count, and debts between players without a drawer.
    CHIPS = "chips"
    RAKE = "rake"
    TIPS = "tips"
    CARRIED = "carried"
    MISSING = "missing"
    OWED = "owed"


# A posting to one of these is no payment for the tournament.
NOT_PAID = frozenset(
    {
        Account.PRIZES, Account.BOUNTIES, Account.SEATS, Account.CHIPS, Account.RAKE, Account.TIPS,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a price with its account; an extra part has a name of its own."""

    account: Account
    cents: int
    name: str = ""


Price = tuple[Share, ...]
Side = tuple[Account, str]


def price_cents(price: Price) -> int:
    """Return the total of a price.

    >>> price_cents((Share(Account.POOL, 800), Share(Account.HOUSE, 200)))
    1000
    """
    return sum(share.cents for share in price)


def allotted(prices: Iterable[Price], paid_cents: int) -> dict[Side, int]:
    """Return the coverage of a paid sum by account: price after price, share after share.

    So a part payment covers the first shares. An amount above all prices is a credit.

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
    """Return the sides, without cash, that turn the booked coverage into this one.

    :param booked: The journal by account; payments are below zero.
    :param covered: The coverage to reach by account, above zero.

    >>> pool, house = (Account.POOL, ""), (Account.HOUSE, "")
    >>> sides_of({pool: -500}, {pool: 800, house: 200}) == {pool: -300, house: -200}
    True
    >>> sides_of({pool: -500}, {}) == {pool: 500}
    True
    """
    sides = [*covered, *(side for side in booked if side not in covered)]
    change = {side: -covered.get(side, 0) - booked.get(side, 0) for side in sides}
    return {side: cents for side, cents in change.items() if cents}
