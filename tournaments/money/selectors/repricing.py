"""The effect of a new entry price on paid registrations. Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from hashlib import sha256

from tournaments.models import Event, Registration
from tournaments.money.domain.accounts import Account, Price, allotted, price_cents
from tournaments.money.selectors.fees import prices_owed
from tournaments.money.selectors.journal import payments

OF_THE_POOL = {Account.POOL, Account.FEES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repricing:
    """The effect in people and cents, for registrations that have paid.

    :param more_cents: Additional open amount.
    :param back_cents: Additional amount to refund.
    """

    paid: int
    unpaid: int
    more: int
    more_cents: int
    back: int
    back_cents: int
    pool_before: int
    pool_after: int

    @property
    def seen(self) -> str:
        return sha256(repr(astuple(self)).encode()).hexdigest()[:32]


def repricing_of(event: Event, would: Event) -> Repricing | None:
    """Return the effect of a new price; None if no registration has paid.

    :param would: The event with the new price, unsaved.
    """
    paid = {row: cents for row, cents in payments(event).items() if cents > 0}
    if not paid:
        return None
    rows = Registration.objects.live().filter(event=event).values_list("pk", flat=True)
    listed = set(rows)
    before, after = prices_owed(event, paid), prices_owed(would, paid)
    here = {row: cents for row, cents in paid.items() if row in listed}
    more = _grown(_missing(before, here), _missing(after, here))
    back = _grown(_too_much(before, here), _too_much(after, here))
    return Repricing(
        paid=len(here),
        unpaid=len(listed) - len(here),
        more=len(more),
        more_cents=sum(more),
        back=len(back),
        back_cents=sum(back),
        pool_before=sum(_in_pool(before[row], cents) for row, cents in paid.items()),
        pool_after=sum(_in_pool(after[row], cents) for row, cents in paid.items()),
    )


Prices = Mapping[int, list[Price]]
Cents = dict[int, int]


def _missing(owed: Prices, paid: Cents) -> Cents:
    return {row: max(0, sum(map(price_cents, owed[row])) - cents) for row, cents in paid.items()}


def _too_much(owed: Prices, paid: Cents) -> Cents:
    return {row: max(0, cents - sum(map(price_cents, owed[row]))) for row, cents in paid.items()}


def _grown(before: Cents, after: Cents) -> list[int]:
    """Return the increases, without registrations whose amount did not grow."""
    return [cents - before[row] for row, cents in after.items() if cents > before[row]]


def _in_pool(owed: list[Price], paid: int) -> int:
    covered = allotted(owed, paid)
    return sum(cents for (account, _part), cents in covered.items() if account in OF_THE_POOL)
