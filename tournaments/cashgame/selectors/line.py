"""Who waits for a seat at which cash table, and what is kept for whom. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.cashgame.domain.waiting import Waiter, waiting_order
from tournaments.cashgame.selectors.books import open_tables
from tournaments.models import CashOffer, CashSeat, CashTable, CashWaiting, Registration


@dataclass(frozen=True, slots=True)
class InLine:
    """Somebody in the line of a table.

    :param until: Until when a seat is kept for the player; None while none is.
    :param sits: Where a player sits meanwhile who wants to change the table.
    """

    place: int
    row: CashWaiting
    until: datetime | None
    waiter: Waiter
    sits: CashSeat | None = None

    @property
    def name(self) -> str:
        name: str = self.row.registration.person.name
        return name


def tables_alike(table: CashTable) -> list[CashTable]:
    """Return the open tables where the same is played for the same, itself among them."""
    rows = open_tables(table.event)
    return [row for row in rows if row.kind_of_game == table.kind_of_game]


def seats_kept(table: CashTable, now: datetime, besides: Registration) -> int:
    """Return how many seats of a table are kept for people who wait, besides somebody."""
    rows = CashOffer.objects.live().filter(waiting__table=table, waiting__voided_by=None)
    rows = rows.filter(waiting__registration__voided_by=None)
    return rows.filter(until__gt=now).exclude(waiting__registration=besides).count()


def lines_of(tables: Iterable[int], now: datetime) -> dict[int, list[InLine]]:
    """Return who waits at these tables, in the order in which seats are given. Three queries."""
    rows = CashWaiting.objects.live().filter(table__in=list(tables))
    rows = rows.filter(registration__voided_by=None).select_related("registration__person")
    waiting = {row.pk: row for row in rows}
    offers = CashOffer.objects.live().filter(waiting__in=list(waiting))
    until = dict(offers.values_list("waiting", "until"))
    seats = CashSeat.objects.live().filter(registration__in=[r.registration_id for r in rows])
    sitting = {seat.registration_id: seat for seat in seats.select_related("table")}
    found: dict[int, list[InLine]] = {}
    waiters = [Waiter(pk, row.asked_at, until.get(pk)) for pk, row in waiting.items()]
    for waiter in waiting_order(waiters, now):
        row = waiting[waiter.key]
        line = found.setdefault(row.table_id, [])
        kept = waiter.until if waiter.holds_seat(now) else None
        sits = sitting.get(row.registration_id)
        line.append(InLine(len(line) + 1, row, kept, waiter, sits))
    return found
