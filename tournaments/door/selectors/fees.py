"""What people owe: the prices of what they take part in, and what of it is still open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import (
    BigIntegerField,
    Case,
    Exists,
    Expression,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from tournaments.cash.domain.accounts import Price, price_cents
from tournaments.cash.domain.prices import price_of
from tournaments.cash.selectors.journal import payments
from tournaments.models import Event, Purchase, Registration, Waiting


def entry_price(event: Event, *, is_early: bool = False) -> Price:
    """Return what an entry costs, in shares; early, less of it goes to the pool."""
    return price_of(event.early_fee_cents if is_early else event.fee_cents, event.fee_parts)


def early_of(event: Event) -> QuerySet[Registration] | None:
    """Return who pays the early price: in time, and among the first; None: there is none.

    Who waits for a place is not among the first. Who withdraws lets the next one in.
    """
    if not event.early_fee_cents:
        return None
    rows = Registration.objects.live().filter(event=event)
    if event.early_until is not None:
        rows = rows.filter(registered_at__lte=event.early_until)
    if not event.early_entries:
        return rows
    waits = Waiting.objects.live().filter(registration=OuterRef("pk"))
    first = rows.exclude(Exists(waits)).order_by("registered_at", "pk")
    return rows.filter(pk__in=first.values("pk")[: event.early_entries])


def price_now(event: Event, now: datetime) -> Price:
    """Return what an entry costs somebody who registers now."""
    early = early_of(event)
    if early is None or (event.early_until is not None and now > event.early_until):
        return entry_price(event)
    is_early = not event.early_entries or early.count() < event.early_entries
    return entry_price(event, is_early=is_early)


def prices_owed(event: Event, registrations: Iterable[int]) -> dict[int, list[Price]]:
    """Return the prices that each registration owes, in the order in which they are covered.

    The entry first, then what was bought, as it was bought.
    """
    wanted, early = list(registrations), early_of(event)
    is_early = (
        set() if early is None else set(early.filter(pk__in=wanted).values_list("pk", flat=True))
    )
    found = {row: [entry_price(event, is_early=row in is_early)] for row in wanted}
    bought = Purchase.objects.live().filter(event=event, registration__in=wanted).order_by("pk")
    for row, cents, parts in bought.values_list("registration", "cents", "parts"):
        found[row].append(price_of(cents, parts))
    return found


def owed_of_row(event: Event) -> Expression:
    """Return what a registration owes, as an expression of the database."""
    early, full = early_of(event), Value(event.fee_cents, output_field=BigIntegerField())
    entry: Expression = full
    if early is not None:
        less = Value(event.early_fee_cents, output_field=BigIntegerField())
        entry = Case(When(Q(pk__in=early.values("pk")), then=less), default=full)
    rows = Purchase.objects.live().filter(registration=OuterRef("pk")).order_by()
    sums = rows.values("registration").annotate(owed=Sum("cents"))
    bought = Subquery(sums.values("owed"), output_field=BigIntegerField())
    return entry + Coalesce(bought, 0, output_field=BigIntegerField())


def owed_cents(registration: Registration) -> int:
    """Return what somebody has to pay in all."""
    prices = prices_owed(registration.event, [registration.pk])[registration.pk]
    return sum(map(price_cents, prices))


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player owes, price by price, and what was paid of it and not given back."""

    owed: list[Price]
    paid: int

    @property
    def balance_cents(self) -> int:
        """What the player still has to pay; below zero what the player gets back."""
        return sum(map(price_cents, self.owed)) - self.paid

    @property
    def open_cents(self) -> int:
        return max(0, self.balance_cents)


def standing_of(registration: Registration) -> Standing:
    """Return how somebody stands. Two questions."""
    event, row = registration.event, registration.pk
    return Standing(prices_owed(event, [row])[row], payments(event, [row]).get(row, 0))


def balance_cents(registration: Registration) -> int:
    """Return what a player still has to pay; below zero what the player gets back."""
    return standing_of(registration).balance_cents


def open_cents(registration: Registration) -> int:
    """Return what a player still has to pay; zero where more was paid than is owed."""
    return standing_of(registration).open_cents


def open_by_registration(event: Event, registrations: Iterable[int]) -> dict[int, int]:
    """Return what each of these still has to pay."""
    owed = prices_owed(event, registrations)
    paid = payments(event, owed)
    return {
        row: max(0, sum(map(price_cents, prices)) - paid.get(row, 0))
        for row, prices in owed.items()
    }
