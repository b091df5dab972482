"""Tables and seats as they are now, as domain values. Reads only, bounded by what is asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from tournaments.domain.seating import TableCount, TableView
from tournaments.models import DealerDraw, Event, Seating, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat of a table as pages show it; `entry` is None when the seat is free."""

    seat: int
    entry: int | None = None
    name: str = ""
    is_dealer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePicture:
    table: Table
    seats: tuple[SeatView, ...]
    has_dealer: bool

    @property
    def number(self) -> int:
        return self.table.number

    @property
    def players(self) -> int:
        return sum(seat.entry is not None for seat in self.seats)


def tables_live(event: Event) -> list[Table]:
    return list(Table.objects.live().filter(event=event).order_by("number"))


def table_counts(event: Event) -> list[TableCount]:
    """Return every table in play with its players, in two queries that read indexes alone."""
    seated = Seating.objects.live().filter(event=event).values("table").order_by()
    players = dict(seated.annotate(players=Count("pk")).values_list("table", "players"))
    tables = Table.objects.live().filter(event=event).order_by("number")
    return [
        TableCount(number, players.get(pk, 0), seats)
        for pk, number, seats in tables.values_list("pk", "number", "seats")
    ]


def table_views(event: Event, numbers: Iterable[int] | None = None) -> dict[int, TableView]:
    """Return tables by number with who sits where; the button is not known yet."""
    tables = Table.objects.live().filter(event=event)
    if numbers is not None:
        tables = tables.filter(number__in=list(numbers))
    by_pk = {table.pk: table for table in tables}
    seats: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Seating.objects.live().filter(event=event)
    if numbers is not None:
        rows = rows.filter(table__in=by_pk)
    for table_id, seat, entry_id in rows.values_list("table_id", "seat", "entry_id"):
        seats[table_id][seat] = entry_id
    return {
        table.number: TableView(table.number, table.seats, dict(sorted(seats[pk].items())), None)
        for pk, table in by_pk.items()
    }


def free_seats(event: Event, numbers: Iterable[int] | None = None) -> dict[int, list[int]]:
    """Return the free seats of each table in play."""
    return {
        number: [seat for seat in range(1, view.seats + 1) if seat not in view.players]
        for number, view in table_views(event, numbers).items()
    }


def seating_of(entry_id: int) -> Seating | None:
    return Seating.objects.live().select_related("table").filter(entry_id=entry_id).first()


def table_pictures(event: Event, numbers: Iterable[int] | None = None) -> list[TablePicture]:
    """Return tables with names and first dealers, in a fixed number of queries."""
    tables = Table.objects.live().filter(event=event).order_by("number")
    seatings = Seating.objects.live().filter(event=event)
    if numbers is not None:
        wanted = list(numbers)
        tables = tables.filter(number__in=wanted)
        seatings = seatings.filter(table__number__in=wanted)
    names: dict[int, dict[int, tuple[int, str]]] = defaultdict(dict)
    for table_id, seat, entry_id, name in seatings.values_list(
        "table_id", "seat", "entry_id", "entry__registration__person__name"
    ):
        names[table_id][seat] = (entry_id, name)
    dealers = dealer_seats(event)
    return [
        TablePicture(
            table=table,
            seats=tuple(
                _seat_view(seat, names[table.pk].get(seat), dealers.get(table.pk))
                for seat in range(1, table.seats + 1)
            ),
            has_dealer=table.pk in dealers,
        )
        for table in tables
    ]


def _seat_view(seat: int, held: tuple[int, str] | None, dealer: int | None) -> SeatView:
    entry, name = held or (None, "")
    return SeatView(seat=seat, entry=entry, name=name, is_dealer=seat == dealer)


def dealer_seats(event: Event) -> dict[int, int]:
    """Return the seat of the first dealer by table id, where one was drawn."""
    draws = DealerDraw.objects.live().filter(table__event=event, table__voided_by=None)
    return {draw.table_id: draw.cards[0]["seat"] for draw in draws.order_by("pk")}
