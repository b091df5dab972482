"""Must-move: seats of main tables due to players at feeder tables. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from tournaments.cashgame.domain.ledger import Sitter, next_to_move
from tournaments.cashgame.selectors.books import open_tables
from tournaments.models import CashAway, CashClosing, CashOffer, CashSeat, CashTable, Event


@dataclass(frozen=True, slots=True)
class MoveDue:
    """A due move from a feeder table to its main table."""

    seat: CashSeat
    main: CashTable


def main_tables(event: Event) -> list[CashTable]:
    """Return the open tables that a new one could feed."""
    return [table for table in open_tables(event) if table.feeds_id is None]


def mains_of(tables: Iterable[CashTable]) -> dict[int, int]:
    """Return the main table's number by feeder, if the main table is open."""
    ids = {table.pk: table.feeds_id for table in tables if table.feeds_id is not None}
    if not ids:
        return {}
    closed = CashClosing.objects.live().values("table")
    rows = CashTable.objects.live().filter(pk__in=set(ids.values())).exclude(pk__in=closed)
    numbers = dict(rows.values_list("pk", "number"))
    return {pk: numbers[main] for pk, main in ids.items() if main in numbers}


def moves_due(tables: Iterable[CashTable], now: datetime) -> dict[int, list[MoveDue]]:
    """Return the due moves to the free seats of these tables, by table, in order.

    Seats offered to waiting players are not free. Usually one query.
    """
    mains = {table.pk: table for table in tables}
    closed = CashClosing.objects.live().values("table")
    feeding = CashTable.objects.live().filter(feeds__in=list(mains)).exclude(pk__in=closed)
    feeders = dict(feeding.values_list("pk", "feeds"))
    if not feeders:
        return {}
    sitting = CashSeat.objects.live().filter(table__in=list(feeders))
    rows = {row.pk: row for row in sitting.select_related("registration__person", "table")}
    away = set(CashAway.objects.live().filter(seat__in=list(rows)).values_list("seat", flat=True))
    free = _free(mains, now)
    found: dict[int, list[MoveDue]] = {}
    for pk, main in mains.items():
        own = [row for row in rows.values() if feeders[row.table_id] == pk]
        sitters = [Sitter(row.pk, row.since, row.pk in away) for row in own]
        due = next_to_move(free[pk], sitters)
        if due:
            found[pk] = [MoveDue(rows[sitter.key], main) for sitter in due]
    return found


def _free(tables: dict[int, CashTable], now: datetime) -> dict[int, int]:
    """Return the number of empty seats without an offer, by table. Two queries."""
    seats = CashSeat.objects.live().filter(table__in=list(tables))
    taken = dict(seats.values("table").annotate(n=Count("pk")).order_by().values_list("table", "n"))
    offers = CashOffer.objects.live().filter(
        Q(waiting__voided_by=None) & Q(waiting__registration__voided_by=None),
        waiting__table__in=list(tables),
        until__gt=now,
    )
    sums = offers.values("waiting__table").annotate(n=Count("pk")).order_by()
    kept = dict(sums.values_list("waiting__table", "n"))
    return {pk: row.seats - taken.get(pk, 0) - kept.get(pk, 0) for pk, row in tables.items()}
