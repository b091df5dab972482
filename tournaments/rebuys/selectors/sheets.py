"""A player's possible purchases now, with the reasons against them. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Entry, PurchaseWish, RebuyChance, What
from tournaments.rebuys.domain.buying import MAY_BE_LET_PASS, No
from tournaments.rebuys.selectors.offers import (
    Good,
    chance_of,
    decided_at,
    goods_of,
    name_of,
    no_words,
    obstacle_to_buy,
    wish_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyLine:
    """One good: price, chips, and the obstacle for this player, or None.

    :param no_pass: Whether a director may override the obstacle.
    :param stack: The assumed remaining stack; None if it is to be typed.
    :param numbers: The choices of how many at once.
    """

    what: What
    name: str
    cents: int
    chips: int
    obstacle: str | None
    may_pass: bool
    stack: int | None
    numbers: range

    @property
    def asks_stack(self) -> bool:
        return self.what == What.REBUY and self.stack is None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuySheet:
    """A player's possible purchases, the held seat, and the open request."""

    entry: Entry
    lines: list[BuyLine]
    chance: RebuyChance | None
    wish: PurchaseWish | None

    @property
    def wish_name(self) -> str:
        return name_of(What(self.wish.what)) if self.wish else ""

    @property
    def open_lines(self) -> list[BuyLine]:
        """Return the lines without an obstacle."""
        return [line for line in self.lines if line.obstacle is None]


def buy_sheet(entry: Entry, at: datetime) -> BuySheet:
    """Return the purchases possible with this stack, or after it."""
    chance = chance_of(entry)
    wish = wish_of(entry)
    lines = [
        _line(entry, good, _asked_at(entry, good, chance, wish, at), chance, wish)
        for good in goods_of(entry.event)
    ]
    return BuySheet(entry=entry, lines=lines, chance=chance, wish=wish)


def _asked_at(
    entry: Entry, good: Good, chance: RebuyChance | None, wish: PurchaseWish | None, at: datetime
) -> datetime:
    """Return the instant that decides about this good; a held seat is for a re-buy."""
    return decided_at(entry.event, wish, at, chance if good.what == What.REBUY else None)


def _line(
    entry: Entry,
    good: Good,
    at: datetime,
    chance: RebuyChance | None,
    wish: PurchaseWish | None,
) -> BuyLine:
    threshold = good.offer.threshold
    told = wish.stack if wish and wish.what == good.what else None
    # If only players without chips may buy, the request itself says so.
    stack = 0 if chance is not None or not threshold else told
    tried: int | None = threshold if stack is None else stack
    tried = tried if good.what == What.REBUY else None
    no = obstacle_to_buy(entry, good, at, stack=tried)
    return BuyLine(
        what=good.what,
        name=name_of(good.what),
        cents=good.cents,
        chips=good.chips,
        obstacle=no_words(no, good) if no else None,
        may_pass=no in MAY_BE_LET_PASS and _is_only(entry, good, at, tried),
        stack=stack,
        numbers=range(1, good.offer.at_once + 1),
    )


def _is_only(entry: Entry, good: Good, at: datetime, stack: int | None) -> bool:
    """Tell whether a director may override every obstacle."""
    no: No | None = obstacle_to_buy(entry, good, at, lets_pass=True, stack=stack)
    return no is None
