"""The waiting lists of cash tables, and the seats kept for players. Reads only."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.cashgame.domain.ledger import Stage
from tournaments.cashgame.domain.stakes import Waiter, next_to_ask, waiting_order
from tournaments.cashgame.selectors.books import open_tables, stages_of
from tournaments.event.selectors.event import players_left
from tournaments.models import (
    CashAway,
    CashClosing,
    CashOffer,
    CashSeat,
    CashTable,
    CashWaiting,
    Event,
    Registration,
    Seating,
)


@dataclass(frozen=True, slots=True)
class InLine:
    """A player on a table's waiting list.

    :param until: The deadline of the offered seat; None without an offer.
    """

    place: int
    row: CashWaiting
    until: datetime | None
    waiter: Waiter
    sits: CashSeat | None = None
    expected_at: datetime | None = None

    @property
    def name(self) -> str:
        name: str = self.row.registration.person.name
        return name


def tables_alike(table: CashTable) -> list[CashTable]:
    """Return the open tables with the same game and stakes, including this one."""
    rows = open_tables(table.event)
    return [row for row in rows if row.kind_of_game == table.kind_of_game]


def offers_live(**where: Any) -> QuerySet[CashOffer]:
    """Return the offers of seats to players still in line."""
    still: dict[str, Any] = {"waiting__voided_by": None, "waiting__registration__voided_by": None}
    return CashOffer.objects.live().filter(**still, **where)


def seats_kept(table: CashTable, now: datetime, besides: Registration) -> int:
    """Return the seats of a table kept for waiting players, except `besides`."""
    rows = offers_live(waiting__table=table, until__gt=now)
    return rows.exclude(waiting__registration=besides).count()


def lines_of(tables: Iterable[int], now: datetime) -> dict[int, list[InLine]]:
    """Return the waiting lists of these tables, in the order of giving. Three queries."""
    rows = CashWaiting.objects.live().filter(table__in=list(tables))
    rows = rows.filter(registration__voided_by=None)
    rows = rows.select_related("registration__person", "table")
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


def seats_given_up(tables: Iterable[int]) -> Counter[int]:
    """Return how many players have left each of these tables. One query."""
    left = CashSeat.objects.filter(table__in=list(tables), voided_by__kind="cash_seat.left")
    return Counter(left.values_list("table", flat=True))


def guests_named(event: Event, *, even_seated: bool = False) -> dict[str, int]:
    """Return the registrations of an evening by name, in order; namesakes are numbered."""
    rows = Registration.objects.live().filter(event=event).order_by("person__sort_name", "pk")
    sitting = CashSeat.objects.live().filter(event=event).values_list("registration", flat=True)
    gone = set() if even_seated else set(sitting)
    found: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for pk, name in rows.values_list("pk", "person__name"):
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name} ({seen[name]})"] = pk
    return {name: pk for name, pk in found.items() if pk not in gone}


def seats_in_tournament(event: Event, guests: Iterable[int]) -> dict[int, Seating]:
    """Return the seats of these registrations in the tournament, while it is played."""
    is_played = event.has_both and event.has_started and not event.is_over
    if not is_played or players_left(event) < 2:
        return {}
    rows = Seating.objects.live().filter(entry__registration__in=list(guests))
    return {row.entry.registration_id: row for row in rows.select_related("table", "entry")}


# --- Automatic offers of free seats, and expired offers


def next_in_lines(event: Event, now: datetime) -> list[CashWaiting]:
    """Return the players to get an offer now, at all tables. Usually one query.

    After an expired offer only staff asks that player again. There are no offers after the end or
    after the announcement of last hands, and none to players in the tournament. A player who waits
    for any table of some stakes gets one offer. Lists are read only where a seat is free.
    """
    tables = _tables_with_seats(event, now)
    if not tables:
        return []
    lines, asked = lines_of(tables, now), set(with_an_offer(event, now))
    waiting = {one.row.pk: one.row for line in lines.values() for one in line}
    playing = seats_in_tournament(event, {row.registration_id for row in waiting.values()})
    chosen: list[CashWaiting] = []
    for pk, free in tables.items():
        line = []
        for one in lines.get(pk, ()):
            guest = one.row.registration_id
            is_passed = guest in playing or (one.row.is_for_stakes and guest in asked)
            if one.waiter.until or not is_passed:
                line.append(one.waiter)
        found = [waiting[each.key] for each in next_to_ask(free, line, now) if each.until is None]
        asked |= {row.registration_id for row in found}
        chosen += found
    return chosen


def _tables_with_seats(event: Event, now: datetime) -> dict[int, int]:
    """Return unclaimed seats by table, where a waiting player was not asked yet."""
    if event.is_over:
        return {}
    offered = CashOffer.objects.live().filter(waiting=OuterRef("pk"))
    rows = CashWaiting.objects.live().filter(event=event, registration__voided_by=None)
    unasked = rows.exclude(Exists(offered)).values_list("table", flat=True)
    wanted = set(unasked.order_by().distinct())
    if not wanted:
        return {}
    tables = [table for table in open_tables(event) if table.pk in wanted]
    free = seats_unclaimed(tables, now)
    tables = [table for table in tables if free[table.pk] > 0]
    if not tables:
        return {}
    standing = stages_of(event, tables, now)
    return {row.pk: free[row.pk] for row in tables if standing[row.pk].stage is Stage.PLAYS}


def with_an_offer(event: Event, now: datetime, besides: CashTable | None = None) -> list[int]:
    """Return the registrations with an offered seat, except at one table."""
    rows = offers_live(waiting__event=event, until__gt=now)
    rows = rows if besides is None else rows.exclude(waiting__table=besides)
    return list(rows.values_list("waiting__registration", flat=True))


def seats_unclaimed(tables: list[CashTable], now: datetime) -> dict[int, int]:
    """Return the empty seats by table, less those due to players at feeder tables."""
    taken, due = _seats_taken(tables), moves_due(tables, now)
    return {
        table.pk: table.seats - taken[table.pk] - len(due.get(table.pk, ())) for table in tables
    }


def _seats_taken(tables: Iterable[CashTable]) -> Counter[int]:
    rows = CashSeat.objects.live().filter(table__in=[table.pk for table in tables])
    return Counter(rows.values_list("table", flat=True))


def offers_lapsed(event: Event, now: datetime) -> list[CashOffer]:
    """Return the expired offers, earliest first."""
    rows = offers_live(waiting__event=event, until__lte=now)
    return list(rows.select_related("waiting__registration__person").order_by("until", "pk"))


def events_with_cash_offers_due(now: datetime) -> list[Event]:
    """Return the events with an expired offer and a next player to ask."""
    lapsed = CashOffer.objects.live().filter(waiting__event=OuterRef("pk"), until__lte=now)
    offered = CashOffer.objects.live().filter(waiting=OuterRef("pk"))
    unasked = CashWaiting.objects.live().filter(event=OuterRef("pk")).exclude(Exists(offered))
    rows = Event.objects.open().filter(Exists(lapsed), Exists(unasked))
    return [row for row in rows.select_related("clock", "club") if next_in_lines(row, now)]


# --- Must-move: a feeder table fills the free seats of its main table, longest seated first


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


def moves_due(tables: Iterable[CashTable], now: datetime) -> dict[int, list[CashSeat]]:
    """Return the players due at the free seats of these tables, by table, longest seated first.

    An absent player is skipped, and stays first for the next seat. Seats offered to waiting players
    are not free. Usually one query.
    """
    mains = {table.pk: table for table in tables}
    closed = CashClosing.objects.live().values("table")
    feeding = CashTable.objects.live().filter(feeds__in=list(mains)).exclude(pk__in=closed)
    feeders = {pk: main for pk, main in feeding.values_list("pk", "feeds") if main}
    if not feeders:
        return {}
    kept = offers_live(waiting__table__in=list(mains), until__gt=now)
    gone = _seats_taken(mains.values()) + Counter(kept.values_list("waiting__table", flat=True))
    away = CashAway.objects.live().filter(seat=OuterRef("pk"))
    sitting = CashSeat.objects.live().filter(~Exists(away), table__in=list(feeders))
    found: dict[int, list[CashSeat]] = {}
    for row in sitting.select_related("registration__person", "table").order_by("since", "pk"):
        main = feeders[row.table_id]
        if len(found.get(main, ())) < mains[main].seats - gone[main]:
            found.setdefault(main, []).append(row)
    return found
