"""The waiting lists of cash tables, and the seats kept for players. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.cashgame.domain.waiting import Waiter, waiting_order
from tournaments.cashgame.selectors.books import open_tables
from tournaments.models import CashOffer, CashSeat, CashTable, CashWaiting, Registration


@dataclass(frozen=True, slots=True)
class InLine:
    """A player on a table's waiting list.

    :param until: The deadline of the offered seat; None without an offer.
    :param sits: The player's present seat, if changing tables.
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
    """Return the open tables with the same game and stakes, including this one."""
    rows = open_tables(table.event)
    return [row for row in rows if row.kind_of_game == table.kind_of_game]


def seats_kept(table: CashTable, now: datetime, besides: Registration) -> int:
    """Return the seats of a table kept for waiting players, except `besides`."""
    rows = CashOffer.objects.live().filter(waiting__table=table, waiting__voided_by=None)
    rows = rows.filter(waiting__registration__voided_by=None)
    return rows.filter(until__gt=now).exclude(waiting__registration=besides).count()


def lines_of(tables: Iterable[int], now: datetime) -> dict[int, list[InLine]]:
    """Return the waiting lists of these tables, in the order of giving. Three queries."""
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
