"""The waiting lists of cash tables, and the seats kept for players. Reads only."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q

from tournaments.cashgame.domain.ledger import Sitter, Stage, next_to_move
from tournaments.cashgame.domain.waiting import Waiter, next_to_ask, waiting_order
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
    :param sits: The player's present seat, if changing tables.
    :param expected_at: When a seat is expected, if anything says so.
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


def seats_kept(table: CashTable, now: datetime, besides: Registration) -> int:
    """Return the seats of a table kept for waiting players, except `besides`."""
    rows = CashOffer.objects.live().filter(waiting__table=table, waiting__voided_by=None)
    rows = rows.filter(waiting__registration__voided_by=None)
    return rows.filter(until__gt=now).exclude(waiting__registration=besides).count()


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


def seats_given_up(tables: Iterable[int]) -> dict[int, int]:
    """Return how many players have left each of these tables. One query."""
    left = CashSeat.objects.filter(table__in=list(tables), voided_by__kind="cash_seat.left")
    return dict(left.values("table").annotate(n=Count("pk")).order_by().values_list("table", "n"))


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
    """Return the seats of these registrations in the tournament, while it is played.

    :param guests: Registrations of the event.
    """
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
    rows = CashOffer.objects.live().filter(waiting__event=event, waiting__voided_by=None)
    rows = rows.filter(until__gt=now)
    rows = rows if besides is None else rows.exclude(waiting__table=besides)
    return list(rows.values_list("waiting__registration", flat=True))


def seats_unclaimed(tables: list[CashTable], now: datetime) -> dict[int, int]:
    """Return the empty seats by table, less those due to players at feeder tables."""
    ids = [table.pk for table in tables]
    rows = CashSeat.objects.live().filter(table__in=ids).values("table")
    taken = dict(rows.annotate(n=Count("pk")).order_by().values_list("table", "n"))
    due = moves_due(tables, now)
    return {
        table.pk: table.seats - taken.get(table.pk, 0) - len(due.get(table.pk, ()))
        for table in tables
    }


def offers_lapsed(event: Event, now: datetime) -> list[CashOffer]:
    """Return the expired offers, earliest first."""
    rows = CashOffer.objects.live().filter(waiting__event=event, until__lte=now)
    rows = rows.filter(waiting__voided_by=None, waiting__registration__voided_by=None)
    return list(rows.select_related("waiting__registration__person").order_by("until", "pk"))


def events_with_cash_offers_due(now: datetime) -> list[Event]:
    """Return the events with an expired offer and a next player to ask."""
    lapsed = CashOffer.objects.live().filter(waiting__event=OuterRef("pk"), until__lte=now)
    offered = CashOffer.objects.live().filter(waiting=OuterRef("pk"))
    unasked = CashWaiting.objects.live().filter(event=OuterRef("pk")).exclude(Exists(offered))
    rows = Event.objects.open().filter(Exists(lapsed), Exists(unasked))
    return [row for row in rows.select_related("clock", "club") if next_in_lines(row, now)]


# --- Must-move: seats of main tables due to players at feeder tables. Reads only


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
