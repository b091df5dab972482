"""The order of the lobby: first what one may miss next. Instants are milliseconds since 1970."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Miss(StrEnum):
    """Something a player may miss, or waits for."""

    LATE = "late"
    REBUY = "rebuy"
    ADDON = "addon"
    START = "start"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Coming:
    """Something that comes at an instant."""

    what: Miss
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyRow:
    """An event or the cash tables of one; `coming` is in the order of time."""

    name: str
    coming: tuple[Coming, ...] = ()
    is_cash: bool = False

    def next(self, now: int) -> Coming | None:
        """Return what comes next."""
        return next((one for one in self.coming if one.at > now), None)


def in_order(rows: Sequence[LobbyRow], now: int) -> list[LobbyRow]:
    """Return the rows by the next thing one may miss, then those without one, then cash tables.

    >>> soon, late = LobbyRow(name="PLO", coming=(Coming(Miss.START, 5),)), LobbyRow(name="Main")
    >>> [row.name for row in in_order([late, LobbyRow(name="1/2", is_cash=True), soon], 0)]
    ['PLO', 'Main', '1/2']
    >>> [row.name for row in in_order([soon, late], 5)]
    ['PLO', 'Main']
    """

    def key(row: LobbyRow) -> tuple[bool, bool, int]:
        one = row.next(now)
        return one is None, row.is_cash, one.at if one else 0

    return sorted(rows, key=key)
