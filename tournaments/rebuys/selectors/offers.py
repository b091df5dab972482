"""Purchases offered beside the entry: deadline, price, chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.selectors import clock_levels, clock_state
from tournaments.event.domain.latecomers import last_late_position
from tournaments.event.selectors.event import event_last_late_position
from tournaments.event.selectors.settings.entries import OFFERED_BY
from tournaments.models import Event, What
from tournaments.money.domain.accounts import Price
from tournaments.money.domain.prices import price_of
from tournaments.rebuys.domain.buying import Offer

AT_ONCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    """A good for sale: re-buy, add-on or re-entry, as announced."""

    what: What
    cents: int
    parts: Sequence[Sequence[int | str]]
    chips: int
    offer: Offer

    @property
    def price(self) -> Price:
        return price_of(self.cents, self.parts)

    @property
    def is_offered(self) -> bool:
        return self.offer.last is not None


def good_of(event: Event, what: What) -> Good:
    """Return the good of this name, offered or not."""
    return {What.REBUY: _rebuy, What.ADDON: _addon, What.REENTRY: _reentry}[what](event)


def goods_of(event: Event) -> list[Good]:
    """Return the goods offered at this event beside the entry."""
    goods = [good_of(event, what) for what in What]
    return [good for good in goods if good.is_offered]


def sells_again(event: Event) -> bool:
    """Tell whether any purchase is offered after the entry. No query."""
    return any(getattr(event, name) for name in OFFERED_BY)


def position_at(event: Event, at: datetime) -> int | None:
    """Return the schedule position of the level at an instant, None before the start."""
    return clock_state(event.clock, at).index if event.has_started else None


def _rebuy(event: Event) -> Good:
    last = _last(event, event.rebuy_level, event.rebuy_break)
    offer = Offer(
        last=last,
        most=event.rebuy_most,
        at_once=AT_ONCE if event.rebuy_double else 1,
        threshold=event.rebuy_threshold,
    )
    chips = event.rebuy_chips or event.starting_stack
    return Good(
        what=What.REBUY, cents=event.rebuy_cents, parts=event.rebuy_parts, chips=chips, offer=offer
    )


def _addon(event: Event) -> Good:
    last = _last(event, event.addon_level, event.addon_break)
    first = last if event.addon_break and last is not None else 0
    offer = Offer(first=first, last=last, most=0 if event.addon_many else 1)
    chips = event.addon_chips or event.starting_stack
    return Good(
        what=What.ADDON, cents=event.addon_cents, parts=event.addon_parts, chips=chips, offer=offer
    )


def _reentry(event: Event) -> Good:
    last = event_last_late_position(event) if event.reentry_most else None
    own = bool(event.reentry_cents)
    return Good(
        what=What.REENTRY,
        cents=event.reentry_cents if own else event.fee_cents,
        parts=event.reentry_parts if own else event.fee_parts,
        chips=event.starting_stack,
        offer=Offer(last=last, most=event.reentry_most),
    )


def _last(event: Event, level: int, pause: int) -> int | None:
    if not (level or pause):
        return None
    return last_late_position(clock_levels(event.clock), level=level, pause=pause)
