"""The result of a prize plan: for an assumed field, or for the present one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from tournaments.event.selectors.counts import counted
from tournaments.event.selectors.event import entries_live_count, registrations_placed_count
from tournaments.models import Event, Purchase, What
from tournaments.money.domain.accounts import Account, Price, price_cents
from tournaments.money.selectors.fees import entry_price
from tournaments.payouts.domain.pictures import PrizeRow, curve_path, prize_rows
from tournaments.payouts.selectors.prize_words import why_unpayable
from tournaments.payouts.selectors.prizes import prizes_now
from tournaments.prizes.domain.payouts import PrizeTable, Unpayable, prize_table
from tournaments.prizes.domain.plans import Pool, PrizePlan, places_paid, pool_of
from tournaments.prizes.selectors.plans import entries_that_count, prize_pool
from tournaments.rebuys.selectors.offers import good_of

USUAL_FIELD = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sold:
    """The number of sales, real or assumed."""

    entries: int
    rebuys: int = 0
    addons: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A prize table with its basis; `obstacle` says why there is none."""

    pool: Pool
    rows: Sequence[PrizeRow] = ()
    refund: int = 0
    path: str = ""
    obstacle: str = ""
    has_money: bool = False
    sold: Sold | None = None


def sold_of(event: Event) -> Sold:
    """Return the sales so far; before the start, the expected entries."""
    entries = entries_live_count(event) if event.has_started else field_expected(event)
    if event.is_clock_only:
        return Sold(entries=entries, rebuys=counted(event).rebuys)
    rows = Purchase.objects.live().filter(event=event).order_by().values_list("what")
    bought = dict(rows.annotate(Sum("number")))
    return Sold(entries=entries, rebuys=bought.get(What.REBUY, 0), addons=bought.get(What.ADDON, 0))


def preview_of(event: Event, plan: PrizePlan, *, typed_places: int, sold: Sold) -> Preview:
    """Return the result of a plan for these sales.

    Real sales count as far as paid, as after saving the plan; assumed ones as if paid. Before the
    start all are assumed.
    """
    is_known = event.has_started and not event.is_clock_only
    now = sold_of(event) if is_known else Sold(entries=0)
    paid = prize_pool(event).paid if is_known else 0
    entries = sold.entries - now.entries + (entries_that_count(event) if is_known else 0)
    for price, more in (
        (entry_price(event), sold.entries - now.entries),
        (good_of(event, What.REBUY).price, sold.rebuys - now.rebuys),
        (good_of(event, What.ADDON).price, sold.addons - now.addons),
    ):
        paid += more * _to_the_pool(price)
    pool = pool_of(plan, max(0, paid))
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
    return _shown(plan, pool, found, sold=sold)


def preview_now(event: Event) -> Preview:
    """Return the present prizes, from actual payments and entries."""
    return _shown(event.prize_plan, prize_pool(event), prizes_now(event))


def _shown(
    plan: PrizePlan,
    pool: Pool,
    found: PrizeTable | Unpayable,
    *,
    sold: Sold | None = None,
) -> Preview:
    table = PrizeTable() if isinstance(found, Unpayable) else found
    return Preview(
        pool=pool,
        rows=prize_rows(table.prizes, plan.in_kind),
        refund=table.refund,
        path=curve_path(table.prizes),
        obstacle=why_unpayable(found) if isinstance(found, Unpayable) else "",
        has_money=plan.has_money,
        sold=sold,
    )


def _to_the_pool(price: Price) -> int:
    return sum(share.cents for share in price if share.account in (Account.POOL, Account.FEES))


def field_expected(event: Event) -> int:
    """Return the field for a first preview: registrations, or a usual evening's field."""
    return registrations_placed_count(event) or min(USUAL_FIELD, event.capacity)
