"""Prices and purchases: as announced, and what a player may buy now, with the reasons against."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.selectors.event import without_chips
from tournaments.event.selectors.labels import end_words, event_pause_name, money
from tournaments.models import Entry, Event, PurchaseWish, RebuyChance, Seating, What
from tournaments.money.domain.accounts import Account, Price, price_cents
from tournaments.money.selectors.journal import entry_price
from tournaments.rebuys.domain.buying import MAY_BE_LET_PASS, Buyer, purchase_obstacle
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


@dataclass(frozen=True, slots=True)
class Announced:
    """One line of the announcement: subject and text."""

    label: str
    text: str


def announced(event: Event) -> list[Announced]:
    """Return the announced prices and purchases; empty if the event is free."""
    lines = []
    if event.fee_cents:
        told = [money(event.fee_cents), *_parts(entry_price(event))]
        lines.append(Announced(_("Startgeld"), ", ".join(told)))
    for name, cents, _own in event.fee_rates:
        told = [money(cents), *_parts(entry_price(event, rate=name))]
        lines.append(Announced(_("Startgeld: %(name)s") % {"name": name}, ", ".join(told)))
    if event.early_fee_cents:
        lines.append(Announced(_("Frühbucher"), _early(event)))
    if event.on_time_chips:
        text = _("%(chips)s Chips mehr, wer vor dem Start eingecheckt ist")
        lines.append(Announced(_("Pünktlich"), text % {"chips": _chips(event.on_time_chips)}))
    return [*lines, *(Announced(name_of(good.what), _of(event, good)) for good in goods_of(event))]


def prices_in_a_line(event: Event) -> str:
    """Return the prices in one line; empty if the event is free."""
    goods = [(name_of(good.what), good.cents) for good in goods_of(event)]
    told = [(_("Startgeld"), event.fee_cents), *goods]
    return ", ".join(f"{name} {money(cents)}" for name, cents in told if cents)


def costs_announced(event: Event) -> list[dict[str, Any]]:
    """Return prices and purchases as data, with the accounts they go to.

    `what` is `entry`, `rebuy`, `addon` or `reentry`; amounts are in cents, `to` is an account of
    the journal. Empty if the event is free.
    """
    entry = ("entry", entry_price(event), event.starting_stack)
    again = [(good.what.value, good.price, good.chips) for good in goods_of(event)]
    return [
        {
            "what": what,
            "cents": price_cents(price),
            "chips": chips,
            "parts": [
                {"to": share.account.value, "name": share.name, "cents": share.cents}
                for share in price
            ],
        }
        for what, price, chips in (entry, *again)
        if price_cents(price)
    ]


def _early(event: Event) -> str:
    told = [money(event.early_fee_cents)]
    if event.early_until is not None:
        until = date_format(timezone.localtime(event.early_until), "SHORT_DATETIME_FORMAT")
        told.append(_("wer sich bis %(until)s anmeldet") % {"until": until})
    if event.early_entries:
        count = event.early_entries
        text = ngettext("nur der Erste", "nur die ersten %(count)s", count)
        told.append(text % {"count": number_format(count, force_grouping=True)})
    return ", ".join(told)


def _of(event: Event, good: Good) -> str:
    told = [money(good.cents)] if good.cents else []
    told += [_("%(chips)s Chips") % {"chips": _chips(good.chips)}, _until(event, good)]
    if good.what == What.REBUY and good.offer.threshold:
        text = _("mit höchstens %(chips)s Chips")
        told.append(text % {"chips": _chips(good.offer.threshold)})
    elif good.what == What.REBUY:
        told.append(_("wenn alle Chips verloren sind"))
    if good.what == What.REBUY and event.rebuy_double:
        told.append(_("auch zwei auf einmal"))
    if good.offer.most:
        most = ngettext("einmal je Person", "höchstens %(most)s Mal je Person", good.offer.most)
        told.append(most % {"most": good.offer.most})
    return ", ".join([*told, *_parts(good.price)])


def _until(event: Event, good: Good) -> str:
    """Return the deadline, worded like its field in the settings."""
    if good.what == What.REENTRY:
        return _("solange die Nachmeldung offen ist")
    level, pause = (
        (event.rebuy_level, event.rebuy_break)
        if good.what == What.REBUY
        else (event.addon_level, event.addon_break)
    )
    name, in_break = event_pause_name(event, pause), good.what == What.ADDON
    return end_words(level=level, pause=name, in_break=in_break)


def _parts(price: Price) -> list[str]:
    """Return the parts of a price, unless all of it goes to the prize pool."""
    names = {
        Account.POOL: _("Preistopf"),
        Account.HOUSE: _("Haus"),
        Account.BOUNTY: _("Bounty"),
    }
    if all(share.account == Account.POOL for share in price):
        return []
    told = (f"{money(share.cents)} {share.name or names[share.account]}" for share in price)
    return [_("davon %(parts)s") % {"parts": " + ".join(told)}]


def _chips(chips: int) -> str:
    return number_format(chips, force_grouping=True)


# --- A player's possible purchases now


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
    if purchase_obstacle(good.what, good.offer, Buyer(), position=position) is not None:
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
        no = purchase_obstacle(good.what, good.offer, buyer, position=position)
        yield AddonLine(entry=entry, name=name, table=table, bought=number, is_open=no is None)
