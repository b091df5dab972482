"""What a plan of prizes comes to: with a field that is only thought of, or with what is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.cash.domain.accounts import Account, Price, price_cents
from tournaments.cash.domain.prizes import Pool, PrizePlan, places_paid, pool_of
from tournaments.cash.selectors.prizes import prize_pool
from tournaments.door.selectors.fees import entry_price
from tournaments.entries.selectors.offers import good_of
from tournaments.event.selectors.event import registrations_placed_count
from tournaments.models import Event, What
from tournaments.money.domain.payouts import PrizeTable, Unpayable, prize_table
from tournaments.money.domain.pictures import PrizeRow, curve_path, prize_rows
from tournaments.money.selectors.prize_words import why_unpayable
from tournaments.money.selectors.prizes import prizes_now

USUAL_FIELD = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A table of prizes with what it rests on; `obstacle` says why there is none."""

    pool: Pool
    rows: Sequence[PrizeRow] = ()
    refund: int = 0
    path: str = ""
    obstacle: str = ""
    has_money: bool = False
    places: int = 0
    entries: int = 0
    rebuys: int = 0


def price_again(event: Event) -> Price:
    """Return what is paid for a re-buy, in shares; nothing where none is sold."""
    return good_of(event, What.REBUY).price


def preview_of(
    event: Event, plan: PrizePlan, *, typed_places: int, entries: int, rebuys: int
) -> Preview:
    """Return what a plan comes to with so many entries and re-buys, all of them paid."""
    paid = entries * _to_the_pool(entry_price(event)) + rebuys * _to_the_pool(price_again(event))
    pool = pool_of(plan, paid)
    places = places_paid(plan, typed=typed_places, entries=entries, pool_cents=pool.cents)
    found: PrizeTable | Unpayable
    try:
        found = prize_table(
            plan,
            pool_cents=pool.cents,
            places=places,
            entries=entries,
            buy_in_cents=price_cents(entry_price(event)),
        )
    except Unpayable as no:
        found = no
    return _shown(plan, pool, found, places=places, entries=entries, rebuys=rebuys)


def preview_now(event: Event) -> Preview:
    """Return the prizes as they are, of what has been paid and who has entered."""
    return _shown(event.prize_plan, prize_pool(event), prizes_now(event))


def _shown(
    plan: PrizePlan,
    pool: Pool,
    found: PrizeTable | Unpayable,
    *,
    places: int = 0,
    entries: int = 0,
    rebuys: int = 0,
) -> Preview:
    table = PrizeTable() if isinstance(found, Unpayable) else found
    return Preview(
        pool=pool,
        rows=prize_rows(table.prizes, plan.in_kind),
        refund=table.refund,
        path=curve_path(table.prizes),
        obstacle=why_unpayable(found) if isinstance(found, Unpayable) else "",
        has_money=plan.has_money,
        places=places,
        entries=entries,
        rebuys=rebuys,
    )


def _to_the_pool(price: Price) -> int:
    return sum(share.cents for share in price if share.account in (Account.POOL, Account.FEES))


def field_expected(event: Event) -> int:
    """Return with how many a preview begins: those on the list, or a usual evening's."""
    return registrations_placed_count(event) or min(USUAL_FIELD, event.capacity)
