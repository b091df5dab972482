"""The fewest payments that settle tables on account. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.cashgame.domain.settling import is_certain, payments_fewest
from tournaments.cashgame.selectors.books import balances_noted, chips_on
from tournaments.models import CashTable, Event, Registration

HOUSE = 0


@dataclass(frozen=True, slots=True)
class Pays:
    """A payment from one player to another."""

    payer: str
    payee: str
    cents: int


@dataclass(frozen=True, slots=True)
class Result:
    """A player's win, or loss below zero."""

    name: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """The settlement.

    :param are_fewest: Whether this is certainly the least number of payments.
    :param house_cents: The house's share; below zero, it pays.
    :param on_table_cents: Chips still on those tables; settled once all players have left.
    """

    payments: tuple[Pays, ...]
    results: tuple[Result, ...]
    on_table_cents: int
    are_fewest: bool = True
    house_cents: int = 0


def settling_of(event: Event) -> Settling:
    """Return the payments among players at tables on account.

    House fees and differences of counts belong to the house. Seated players still have chips: until
    they leave, the result is not final.
    """
    balances = balances_noted(event)
    left = -sum(balances.values())
    tables = CashTable.objects.live().filter(event=event, is_noted=True)
    on_table = sum(chips_on(tables.values_list("pk", flat=True)).values())
    house = left - on_table
    rows = Registration.objects.filter(pk__in=balances).select_related("person")
    names = {row.pk: str(row.person.name) for row in rows} | {HOUSE: _("Haus")}
    results = [Result(names[pk], cents) for pk, cents in balances.items()]
    even = balances | ({HOUSE: house} if house else {})
    payments = () if on_table else payments_fewest(even)
    return Settling(
        payments=tuple(Pays(names[one.payer], names[one.payee], one.cents) for one in payments),
        results=tuple(sorted(results, key=lambda one: (-one.cents, one.name))),
        on_table_cents=on_table,
        are_fewest=is_certain(sum(1 for cents in even.values() if cents)),
        house_cents=house,
    )
