"""The order of the lobby: first what one may miss next. Instants are milliseconds since 1970."""

from collections.abc import Iterable
from enum import StrEnum


class Miss(StrEnum):
    """Something a player may miss, or waits for."""

    LATE = "late"
    REBUY = "rebuy"
    ADDON = "addon"
    START = "start"
    BREAK = "break"


def order_of(instants: Iterable[int], now: int, *, is_cash: bool = False) -> tuple[bool, bool, int]:
    """Return by what a row is sorted: the next instant, then rows without one, then cash tables.

    `instants` are those of all one may miss, in the order of time.

    >>> order_of([5, 9], 5) < order_of([5], 5) < order_of([], 0, is_cash=True)
    True
    """
    at = next((at for at in instants if at > now), None)
    return at is None, is_cash, at or 0
