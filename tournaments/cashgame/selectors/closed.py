"""Results of closed cash tables, from the journal. Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, Sum

from tournaments.cashgame.selectors.labels import stakes_words
from tournaments.models import CashClosing, CashTable, Event, Posting
from tournaments.money.domain.accounts import Account


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedTable:
    """A closed table, in cents.

    :param difference_cents: Counted surplus, below zero a shortage.
    """

    pk: int
    number: int
    stakes: str
    bought_cents: int
    cashed_cents: int
    fee_cents: int
    tips_cents: int
    difference_cents: int


def closed_tables(event: Event) -> list[ClosedTable]:
    """Return the closed cash tables of an event, by number. Two queries."""
    closed = CashClosing.objects.live().filter(table__event=event).values("table")
    rows = list(CashTable.objects.live().filter(pk__in=closed).order_by("number"))
    sums = _sums([row.pk for row in rows]) if rows else {}
    return [_closed(event, row, sums.get(row.pk, {})) for row in rows]


def _closed(event: Event, row: CashTable, sums: Mapping[str, Any]) -> ClosedTable:
    row.event = event
    return ClosedTable(
        pk=row.pk,
        number=row.number,
        stakes=stakes_words(row),
        bought_cents=-(sums.get("bought") or 0),
        cashed_cents=sums.get("cashed") or 0,
        fee_cents=-(sums.get("fee") or 0),
        tips_cents=-(sums.get("tips") or 0),
        difference_cents=sums.get("difference") or 0,
    )


def _sums(tables: list[int]) -> dict[int, Mapping[str, Any]]:
    chips = Q(account=Account.CHIPS, registration__isnull=False)
    rows = Posting.objects.live().filter(cash_table__in=tables).values("cash_table")
    found = rows.annotate(
        bought=Sum("amount_cents", filter=chips & Q(amount_cents__lt=0)),
        cashed=Sum("amount_cents", filter=chips & Q(amount_cents__gt=0)),
        fee=Sum("amount_cents", filter=Q(account=Account.RAKE)),
        tips=Sum("amount_cents", filter=Q(account=Account.TIPS)),
        difference=Sum("amount_cents", filter=Q(account=Account.MISSING)),
    ).order_by()
    return {row["cash_table"]: row for row in found}
