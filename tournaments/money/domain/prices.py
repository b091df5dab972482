"""Prices made of a total and the parts that do not go to the prize pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.money.domain.accounts import Account, Price, Share


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
