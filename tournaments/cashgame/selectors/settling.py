"""Who pays whom, in the fewest payments, where nobody paid at the table. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.cashgame.domain.settling import is_certain, payments_fewest
from tournaments.cashgame.selectors.books import balances_noted, chips_on
from tournaments.models import CashTable, Event, Registration

HOUSE = 0


@dataclass(frozen=True, slots=True)
class Pays:
    """Somebody pays somebody else."""

    payer: str
    payee: str
    cents: int


@dataclass(frozen=True, slots=True)
class Result:
    """What somebody won, below zero lost."""

    name: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """Who pays whom.

    :param are_fewest: Whether it is certain that no other way takes fewer payments.
    :param house_cents: What the house gets, below zero what it gives.
    :param on_table_cents: What still lies on those tables. It is settled once everybody has left.
    """

    payments: tuple[Pays, ...]
    results: tuple[Result, ...]
    on_table_cents: int
    are_fewest: bool = True
    house_cents: int = 0


def settling_of(event: Event) -> Settling:
    """Return who pays whom of those who played at tables where nobody pays.

    What the house got, and what was missing when tables were counted, is the house's. Who still
    sits has chips in front: as long as there are any, nothing is final.
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
