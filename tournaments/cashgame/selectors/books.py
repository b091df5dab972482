"""Cash tables in the journal: chips on them, purchases and debts. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Exists, OuterRef, Q, Sum

from tournaments.cashgame.domain.house_fee import FeeWay, period_end, time_fee_cents
from tournaments.cashgame.domain.stakes import Range, buying_range, returning_range
from tournaments.models import (
    Action,
    CashClosing,
    CashHand,
    CashHandEnd,
    CashSeat,
    CashTable,
    Event,
    Posting,
    Registration,
)
from tournaments.money.domain.accounts import Account


@dataclass(frozen=True, slots=True)
class Bought:
    """A player's purchases and cash-outs at all cash tables of an event, in cents."""

    bought_cents: int = 0
    cashed_cents: int = 0


def chips_on(tables: Iterable[int]) -> dict[int, int]:
    """Return the chips on each of these tables by the books, in cents. One query."""
    rows = Posting.objects.live().filter(cash_table__in=list(tables), account=Account.CHIPS)
    sums = rows.values("cash_table").annotate(sum=Sum("amount_cents")).order_by()
    return {table: -cents for table, cents in sums.values_list("cash_table", "sum") if table}


def chips_on_table(table: CashTable) -> int:
    """Return the chips on a table by the books, in cents."""
    return chips_on([table.pk]).get(table.pk, 0)


def bought_by(event: Event, registrations: Iterable[int] | None = None) -> dict[int, Bought]:
    """Return purchases and cash-outs, by registration. One query."""
    rows = Posting.objects.live().filter(event=event, account=Account.CHIPS)
    rows = rows.filter(registration__isnull=False)
    if registrations is not None:
        rows = rows.filter(registration__in=list(registrations))
    sums = rows.values("registration").annotate(
        bought=Sum("amount_cents", filter=Q(amount_cents__lt=0)),
        cashed=Sum("amount_cents", filter=Q(amount_cents__gt=0)),
    )
    found = sums.order_by().values_list("registration", "bought", "cashed")
    return {row: Bought(-(bought or 0), cashed or 0) for row, bought, cashed in found if row}


def balances_noted(event: Event) -> dict[int, int]:
    """Return each player's balance at tables on account; below zero, a debt."""
    rows = Posting.objects.live().filter(event=event, account=Account.OWED)
    sums = rows.filter(registration__isnull=False).values("registration")
    sums = sums.annotate(sum=Sum("amount_cents")).order_by()
    return {row: -cents for row, cents in sums.values_list("registration", "sum") if row}


def fees_open(seats: Iterable[CashSeat], now: datetime) -> dict[int, int]:
    """Return the open time fee of each of these seats. Two queries."""
    timed = [seat for seat in seats if seat.table.fee_way == FeeWay.TIME]
    if not timed:
        return {}
    paid, begins, found = _fees_paid(timed), _fees_begin(timed), {}
    for seat in timed:
        due = time_fee_cents(
            begins[seat.pk], now, cents=seat.table.fee_cents, minutes=seat.table.fee_minutes
        )
        own = (seat.registration_id, seat.table_id)
        found[seat.pk] = due - sum(c for *of, at, c in paid if tuple(of) == own and at > seat.since)
    return {pk: cents for pk, cents in found.items() if cents > 0}


def fee_counted_until(seat: CashSeat, to: CashTable, now: datetime) -> datetime | None:
    """Return until when a moving player's time is counted; None to begin a new period.

    Between tables with the same fee a begun period carries over: it is paid once.
    """
    terms = [(row.fee_way, row.fee_cents, row.fee_minutes) for row in (seat.table, to)]
    if terms[0] != terms[1] or to.fee_way != FeeWay.TIME:
        return None
    begins = _fees_begin([seat])[seat.pk]
    return begins if seat.table_id == to.pk else period_end(begins, now, minutes=to.fee_minutes)


def _fees_begin(seats: list[CashSeat]) -> dict[int, datetime]:
    """Return the start of unpaid time at these seats: later if some was paid elsewhere."""
    moves = Action.objects.filter(pk__in={seat.made_by_id for seat in seats})
    paid = dict(moves.values_list("pk", "payload__fee_until"))
    return {
        seat.pk: max(seat.since, datetime.fromtimestamp(paid[seat.made_by_id] or 0, UTC))
        for seat in seats
    }


def _fees_paid(seats: list[CashSeat]) -> list[tuple[int | None, int | None, datetime, int]]:
    rows = Posting.objects.live().filter(
        account=Account.RAKE,
        registration__in=[seat.registration_id for seat in seats],
        cash_table__in={seat.table_id for seat in seats},
    )
    values = rows.values_list("registration", "cash_table", "made_by__at", "amount_cents")
    return [(row, table, at, -cents) for row, table, at, cents in values]


def range_for(
    table: CashTable, registration: Registration, now: datetime, largest_cents: int | None
) -> Range:
    """Return the range of a player's stack after sitting down at a table.

    Chips recently taken from a table of the same stakes must be brought back. A player who has
    bought since, and left with nothing, took nothing.
    """
    bounds = buying_range(table.stakes, largest_cents)
    rows = Posting.objects.live().filter(
        event=table.event_id,
        registration=registration,
        account=Account.CHIPS,
        cash_table__big_blind_cents=table.big_blind_cents,
    )
    last = rows.order_by("-pk").values_list("amount_cents", "made_by__at").first()
    if last is None or last[0] < 0:
        return bounds
    return returning_range(bounds, *last, now, timedelta(minutes=table.return_minutes))


def hands_running(tables: Iterable[int]) -> dict[int, CashHand]:
    """Return the running hands, by table. One query."""
    rows = CashHand.objects.live().filter(table__in=list(tables))
    rows = rows.exclude(Exists(CashHandEnd.objects.live().filter(hand=OuterRef("pk"))))
    return {row.table_id: row for row in rows.order_by("number")}


def tables_closed(tables: Iterable[int]) -> set[int]:
    """Return the closed ones among these tables."""
    rows = CashClosing.objects.live().filter(table__in=list(tables))
    return set(rows.values_list("table", flat=True))


def open_tables(event: Event) -> list[CashTable]:
    """Return the cash tables that are not closed, by number."""
    closed = CashClosing.objects.live().filter(table__event=event).values("table")
    rows = CashTable.objects.live().filter(event=event).exclude(pk__in=closed)
    return list(rows.order_by("number"))
