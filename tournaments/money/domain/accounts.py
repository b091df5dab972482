"""Purposes of money: accounts of the journal, prices in shares, coverage of payments.

Amounts are whole cents. Knows neither persons nor times.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

# --- Means of payment. The club sets the ones accepted beside cash, and their names


NOTES_CENTS = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
MOST_NOTES = 4


class Means(StrEnum):
    """A means of payment. Only cash is kept in a drawer and counted.

    A ticket was won in a satellite: it pays by its redemption alone, see `money.services.tickets`.
    """

    CASH = "cash"
    CARD = "card"
    TRANSFER = "transfer"
    VOUCHER = "voucher"
    TICKET = "ticket"


def handed_over(cents: int) -> list[tuple[int, int]]:
    """Return likely cash sums for an amount, each with the change, in cents.

    For each note, the least sum payable with that note only; the exact sum is left out.

    >>> handed_over(3000)
    [(4000, 1000), (5000, 2000), (10000, 7000), (20000, 17000)]
    >>> handed_over(1250)
    [(1500, 250), (2000, 750), (5000, 3750), (10000, 8750)]
    >>> handed_over(0)
    []
    """
    if cents <= 0:
        return []
    sums = {-(-cents // note) * note for note in NOTES_CENTS} - {cents}
    return [(given, given - cents) for given in sorted(sums)[:MOST_NOTES]]


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
    # Of a contest of several flights: the pool that went on to the next day, and what a further
    # qualification is worth, until it is paid.
    FORWARD = "forward"
    BONUS = "bonus"
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
        Account.PRIZES, Account.BOUNTIES, Account.SEATS, Account.BONUS, Account.CHIPS, Account.RAKE,
        Account.TIPS,
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


# --- Receipt numbers: format and gaps


def receipt_name(year: int, number: int, *, is_sample: bool = False) -> str:
    """Return a receipt's printed number.

    >>> receipt_name(2026, 17)
    '2026-0017'
    >>> receipt_name(2026, 17, is_sample=True)
    'M-2026-0017'
    """
    return f"{'M-' if is_sample else ''}{year}-{number:04}"


# --- Prices made of a total and the parts that do not go to the prize pool


def price_of(cents: int, parts: Iterable[Sequence[int | str]] = ()) -> Price:
    """Return a price in shares: first the rest for the pool, then the given parts.

    >>> [(str(share.account), share.cents) for share in price_of(1000, [("house", 200, "")])]
    [('pool', 800), ('house', 200)]
    >>> price_of(0)
    ()

    :raises ValueError: The parts are more than the price.
    """
    shares = [Share(Account(str(to)), int(part), str(name)) for to, part, name in parts]
    rest = cents - sum(share.cents for share in shares)
    if rest < 0:
        raise ValueError(f"The parts are more than {cents}.")
    return (*((Share(Account.POOL, rest),) if rest else ()), *shares)
