"""A running evening for those who follow at home: outs, players left, money. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.event.selectors.event import event_accepts_late
from tournaments.models import Event
from tournaments.payouts.domain.pictures import PrizeRow, rows_ahead
from tournaments.payouts.selectors.prize_labels import rows_to_tell
from tournaments.prizes.selectors.plans import paid_places, prize_pool
from tournaments.public.selectors.told import (
    ToldOut,
    ToldPost,
    ToldSeat,
    ToldStack,
    told_outs,
    told_posts,
    told_seats,
    told_stacks,
)

MOST_OUTS = 7
MOST_POSTS = 5
MOST_SEATED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMoney:
    """The way to the money. `paid` is 0 while somebody can still enter, and so unknown.

    `to_money` players go out before; whoever is out next gets `next`, if that is paid. `rows` are
    the prizes still to win, `ahead` the next two and the first.
    """

    paid: int
    to_money: int
    next: int
    rows: Sequence[PrizeRow]
    ahead: Sequence[PrizeRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What is told of a running evening; names of players who agreed, as told at an instant."""

    outs: Sequence[ToldOut]
    seats: Sequence[tuple[ToldSeat, ToldStack | None]]
    tables: int
    others: int
    pot_cents: int
    posts: Sequence[ToldPost]


def near_money(event: Event, left: int, now: datetime) -> NearMoney:
    paid = 0 if event_accepts_late(event, now) else paid_places(event)
    rows = rows_to_tell(event, now)
    return NearMoney(
        paid=paid,
        to_money=max(left - paid, 0) if paid else 0,
        next=min(left, paid),
        rows=[row for row in rows if row.first <= left],
        ahead=rows_ahead(rows, left),
    )


def live_of(event: Event, told: datetime) -> Live:
    """Return the evening as told at an instant."""
    seats = [] if event.is_clock_only else told_seats(event, told)
    stacks = told_stacks(event, told) if seats else {}
    listed = [seat for seat in seats if seat.is_listed][:MOST_SEATED]
    return Live(
        outs=[] if event.is_clock_only else told_outs(event, told, MOST_OUTS),
        seats=[(seat, stacks.get(seat.entry)) for seat in listed],
        tables=len({seat.table for seat in seats}),
        others=len(seats) - len(listed),
        posts=told_posts(event, told, MOST_POSTS),
        pot_cents=0 if event.is_clock_only else max(0, prize_pool(event).cents),
    )
