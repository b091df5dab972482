"""Who gets which prize, what of it was paid out, and what is still to be. Reads only.

Places come from the outs, the pool from the journal: nothing here is stored but what the director
has fixed (`PrizeFreeze`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.db.models import Sum

from clock.snapshot import read_once
from tournaments.cash.domain.accounts import Account, price_cents
from tournaments.cash.domain.prizes import Way
from tournaments.cash.selectors.prizes import (
    entries_that_count,
    paid_places,
    prize_pool,
    prizes_frozen,
)
from tournaments.door.selectors.fees import entry_price
from tournaments.event.domain.rules import DisqualifiedPrize
from tournaments.event.selectors.event import players_left
from tournaments.models import Entry, Event, Posting
from tournaments.money.domain.payouts import (
    PrizeTable,
    Unpayable,
    prize_table,
    prizes_by_entry,
    ranked,
)
from tournaments.money.selectors.deals import deal_shares, deals_agreed, prizes_after_deals
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.ranking import PlacesBasis, places_basis, places_from


@read_once
def prizes_now(event: Event) -> PrizeTable | Unpayable:
    """Return the prizes as they are now, or why there are none yet."""
    frozen = prizes_frozen(event)
    if frozen is not None:
        return PrizeTable(prizes=tuple(frozen.prizes), refund=frozen.refund_cents)
    try:
        return prize_table(
            event.prize_plan,
            pool_cents=prize_pool(event).cents,
            places=paid_places(event),
            entries=entries_that_count(event),
            buy_in_cents=price_cents(entry_price(event)),
        )
    except Unpayable as no:
        return no


def prize_table_of(event: Event) -> PrizeTable:
    """Return the prizes as they are now; an empty table while there are none."""
    found = prizes_now(event)
    return PrizeTable() if isinstance(found, Unpayable) else found


def prizes_left(event: Event) -> list[int]:
    """Return the prizes of those who are still in, the first one first: what a deal shares.

    After a deal it is what it left to play for. Nothing where no prizes are planned.
    """
    table = table_after_deals(event)
    return [cents for cents in table.prizes[: players_left(event)] if cents]


def table_after_deals(event: Event) -> PrizeTable:
    """Return the prizes by place, without what deals have given to those who were left then."""
    table, after = prize_table_of(event), prizes_after_deals(event)
    if after is None:
        return table
    shared = max(len(deal.shares) for deal in deals_agreed(event))
    left = (*after, *[0] * (shared - len(after)), *table.prizes[shared:])
    return replace(table, prizes=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Places, and what each entry gets for its own in money or in kind."""

    places: dict[int, int]
    prizes: dict[int, int]
    in_kind: dict[int, str]


@read_once
def _given(event: Event) -> Given:
    return (
        given_by(event, places_basis(event))
        if event.prizes
        else Given(places={}, prizes={}, in_kind={})
    )


def given_by(event: Event, basis: PlacesBasis) -> Given:
    """Return what everybody gets for his place, of places that were read before."""
    places = places_from(basis)
    without: Collection[int] = ()
    if event.rule_set.disqualified_prize is DisqualifiedPrize.NONE:
        without = basis.disqualified
    kinds = event.prize_plan.in_kind
    return Given(
        places=places,
        prizes=_with_deals(
            event, prizes_by_entry(table_after_deals(event), places, without=without)
        ),
        in_kind={
            entry: kinds[ahead]
            for ahead, entries in ranked(places, without)
            for entry in entries
            if ahead < len(kinds)
        },
    )


def _with_deals(event: Event, prizes: dict[int, int]) -> dict[int, int]:
    """Return what each gets with his share of the deals that were agreed."""
    shares = deal_shares(event)
    return {
        entry: prizes.get(entry, 0) + shares.get(entry, 0)
        for entry in {**prizes, **shares}
        if prizes.get(entry, 0) + shares.get(entry, 0)
    }


def prizes_given(event: Event) -> Given:
    """Return places and prizes of everybody who has some."""
    return _given(event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """What somebody gets in all, and what of it was paid out. `open` below zero is a debt.

    :param is_seat: What is open is a seat that a satellite gives; no cash leaves a drawer for it.
    """

    registration: int
    name: str
    place: int | None
    prize: int
    paid_out: int
    in_kind: str
    is_provisional: bool
    is_seat: bool = False

    @property
    def open(self) -> int:
        return self.prize - self.paid_out

    @property
    def owed_back(self) -> int:
        return max(0, -self.open)


def paid_out_cents(event: Event) -> dict[int, int]:
    """Return what was paid out of prizes, by registration."""
    rows = Posting.objects.live().filter(event=event, account=Account.PRIZES)
    rows = rows.filter(registration__isnull=False)
    sums = rows.values("registration").annotate(paid=Sum("amount_cents")).order_by()
    return {one: cents for one, cents in sums.values_list("registration", "paid") if cents}


def seats_given_cents(event: Event, registration: int) -> int:
    """Return what the seats are worth that somebody was given instead of cash."""
    rows = Posting.objects.live().filter(event=event, account=Account.SEATS)
    return -(rows.filter(registration=registration).aggregate(sum=Sum("amount_cents"))["sum"] or 0)


@read_once
def payouts(event: Event) -> list[Payout]:
    """Return everybody who gets a prize or was paid one, best place first."""
    found, paid = _given(event), paid_out_cents(event)
    winning = {*found.prizes, *found.in_kind}
    entries = Entry.objects.filter(event=event, registration__in=paid) | Entry.objects.filter(
        event=event, pk__in=winning
    )
    provisional = provisional_entries(event)
    plan = event.prize_plan
    seat_cents = plan.seat_cents if plan.way is Way.SEATS else 0
    person = "registration__person__name"
    lines: dict[int, list[tuple[int, str]]] = {}
    for entry, registration, name in entries.values_list("pk", "registration_id", person):
        lines.setdefault(registration, []).append((entry, name))
    rows = [
        Payout(
            registration=registration,
            name=own[0][1],
            place=min((found.places[one] for one, _ in own if one in found.places), default=None),
            prize=sum(found.prizes.get(one, 0) for one, _ in own),
            paid_out=paid.get(registration, 0),
            in_kind=", ".join(found.in_kind[one] for one, _ in own if one in found.in_kind),
            is_provisional=any(one in provisional for one, _ in own),
        )
        for registration, own in lines.items()
    ]
    rows = [replace(row, is_seat=bool(seat_cents) and row.open == seat_cents) for row in rows]
    return sorted(rows, key=lambda row: (row.place or len(found.places) + 1, row.name))


def payout_of(event: Event, registration: int) -> Payout | None:
    """Return what somebody gets and got; None for nothing at all."""
    return next((row for row in payouts(event) if row.registration == registration), None)


def debts(event: Event) -> list[Payout]:
    """Return who was paid more than he is to get, once prizes are fixed."""
    if not event.prizes or prizes_frozen(event) is None:
        return []
    return [row for row in payouts(event) if row.owed_back]
