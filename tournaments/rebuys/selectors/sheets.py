"""A player's possible purchases now, with the reasons against them. Reads only."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from tournaments.event.selectors.event import without_chips
from tournaments.models import Entry, Event, PurchaseWish, RebuyChance, Seating, What
from tournaments.rebuys.domain.buying import MAY_BE_LET_PASS, Buyer, obstacle_to_add_on
from tournaments.rebuys.selectors.offers import (
    Good,
    bought_of,
    chance_of,
    decided_at,
    good_of,
    goods_of,
    name_of,
    no_words,
    obstacle_to_buy,
    position_at,
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
    chance, wish = chance_of(entry), wish_of(entry)
    lines = [_line(entry, good, at, chance, wish) for good in goods_of(entry.event)]
    return BuySheet(entry=entry, lines=lines, chance=chance, wish=wish)


def _line(
    entry: Entry, good: Good, at: datetime, chance: RebuyChance | None, wish: PurchaseWish | None
) -> BuyLine:
    # A held seat is for a re-buy.
    at = decided_at(entry.event, wish, at, chance if good.what == What.REBUY else None)
    threshold = good.offer.threshold
    told = wish.stack if wish and wish.what == good.what else None
    # If only players without chips may buy, the request itself says so.
    stack = 0 if chance is not None or not threshold else told
    tried: int | None = threshold if stack is None else stack
    tried = tried if good.what == What.REBUY else None
    no = obstacle_to_buy(entry, good, at, stack=tried)
    may_pass = no in MAY_BE_LET_PASS
    if may_pass:  # every other obstacle, too
        may_pass = obstacle_to_buy(entry, good, at, lets_pass=True, stack=tried) is None
    return BuyLine(
        what=good.what,
        name=name_of(good.what),
        cents=good.cents,
        chips=good.chips,
        obstacle=no_words(no, good) if no else None,
        may_pass=may_pass,
        stack=stack,
        numbers=range(1, good.offer.at_once + 1),
    )


# --- Add-ons of all tables


@dataclass(frozen=True, slots=True, kw_only=True)
class AddonLine:
    """A seated player: whether an add-on may be bought, and how many were."""

    entry: int
    name: str
    table: int
    bought: int
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddonSheet:
    """The good, and every seated player by table and seat; empty while it is not for sale."""

    good: Good
    lines: tuple[AddonLine, ...] = ()

    @property
    def open_count(self) -> int:
        """Return how many may buy one and have none."""
        return sum(line.is_open and not line.bought for line in self.lines)


def addon_sheet(event: Event, at: datetime) -> AddonSheet:
    """Return who may buy an add-on now. A fixed number of queries for any number of players."""
    good, position = good_of(event, What.ADDON), position_at(event, at)
    if obstacle_to_add_on(good.offer, Buyer(), position=position) is not None:
        return AddonSheet(good=good)
    return AddonSheet(good=good, lines=tuple(_addon_lines(event, good, position)))


def _addon_lines(event: Event, good: Good, position: int | None) -> Iterator[AddonLine]:
    rows = Seating.objects.live().filter(event=event).order_by("table__number", "seat")
    seated = list(
        rows.values_list(
            "entry", "entry__registration", "entry__registration__person__name", "table__number"
        )
    )
    bought = bought_of(event, What.ADDON, {person for _entry, person, _name, _table in seated})
    held = without_chips(event)
    for entry, person, name, table in seated:
        number = bought.get(person, 0)
        buyer = Buyer(bought=number, stack=0 if entry in held else None)
        no = obstacle_to_add_on(good.offer, buyer, position=position)
        yield AddonLine(entry=entry, name=name, table=table, bought=number, is_open=no is None)
