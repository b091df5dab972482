"""To whom free seats are offered by themselves, and where an offer lapsed. Reads only."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Exists, OuterRef

from tournaments.cashgame.domain.ending import Stage
from tournaments.cashgame.domain.waiting import Waiter, next_unasked
from tournaments.cashgame.selectors.books import open_tables
from tournaments.cashgame.selectors.ending import stages_of
from tournaments.cashgame.selectors.feeding import moves_due
from tournaments.models import CashOffer, CashSeat, CashTable, CashWaiting, Event


def next_in_lines(event: Event, now: datetime) -> list[CashWaiting]:
    """Return who gets an offer now, at all tables. Nearly always nobody waits: one query.

    Who let an offer pass is asked again by the staff alone. Once the last hands are announced, or
    the end is reached, nobody is asked.
    """
    offered = CashOffer.objects.live().filter(waiting=OuterRef("pk"))
    rows = CashWaiting.objects.live().filter(event=event, registration__voided_by=None)
    if event.is_over or not rows.exclude(Exists(offered)).exists():
        return []
    waiting = {row.pk: row for row in rows.select_related("registration__person", "table")}
    until = _until(waiting)
    wanted = {row.table_id for pk, row in waiting.items() if pk not in until}
    tables = [table for table in open_tables(event) if table.pk in wanted]
    standing, free = stages_of(event, tables, now), seats_unclaimed(tables, now)
    found: list[CashWaiting] = []
    # Who waits for any table of some stakes is offered one seat, and not one at each.
    asked = {waiting[pk].registration_id for pk, at in until.items() if at > now}
    for table in tables:
        if standing[table.pk].stage is Stage.PLAYS:
            own = [row for row in waiting.values() if row.table_id == table.pk
                   and (row.pk in until or not _is_asked(row, asked))]  # fmt: skip
            line = [Waiter(row.pk, row.asked_at, until.get(row.pk)) for row in own]
            found += [waiting[one.key] for one in next_unasked(free[table.pk], line, now)]
            asked |= {row.registration_id for row in found}
    return found


def _is_asked(row: CashWaiting, asked: set[int]) -> bool:
    return row.is_for_stakes and row.registration_id in asked


def offered_elsewhere(table: CashTable, now: datetime) -> list[int]:
    """Return the people to whom a seat at another table is offered."""
    rows = CashOffer.objects.live().filter(waiting__event=table.event_id, waiting__voided_by=None)
    rows = rows.filter(until__gt=now).exclude(waiting__table=table)
    return list(rows.values_list("waiting__registration", flat=True))


def seats_unclaimed(tables: list[CashTable], now: datetime) -> dict[int, int]:
    """Return how many seats are empty, less those that people at feeder tables move to."""
    ids = [table.pk for table in tables]
    rows = CashSeat.objects.live().filter(table__in=ids).values("table")
    taken = dict(rows.annotate(n=Count("pk")).order_by().values_list("table", "n"))
    due = moves_due(tables, now)
    return {
        table.pk: table.seats - taken.get(table.pk, 0) - len(due.get(table.pk, ()))
        for table in tables
    }


def offers_lapsed(event: Event, now: datetime) -> list[CashOffer]:
    """Return the offers whose deadline is over, the first to lapse first."""
    rows = CashOffer.objects.live().filter(waiting__event=event, until__lte=now)
    rows = rows.filter(waiting__voided_by=None, waiting__registration__voided_by=None)
    return list(rows.select_related("waiting__registration__person").order_by("until", "pk"))


def events_with_cash_offers_due(now: datetime) -> list[Event]:
    """Return the events where an offer lapsed, and the next can be asked."""
    lapsed = CashOffer.objects.live().filter(waiting__event=OuterRef("pk"), until__lte=now)
    offered = CashOffer.objects.live().filter(waiting=OuterRef("pk"))
    unasked = CashWaiting.objects.live().filter(event=OuterRef("pk")).exclude(Exists(offered))
    rows = Event.objects.filter(Exists(lapsed), Exists(unasked), ended_by=None, cancelled_by=None)
    return [row for row in rows.select_related("clock", "club") if next_in_lines(row, now)]


def _until(waiting: dict[int, CashWaiting]) -> dict[int, datetime]:
    rows = CashOffer.objects.live().filter(waiting__in=list(waiting))
    return dict(rows.values_list("waiting", "until"))
