"""Tables and seats as they are now, as domain values. Reads only, bounded by what is asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from tournaments.domain.seating import TableCount, TableView
from tournaments.models import DealerDraw, Event, Seating, SeatLock, Table
from tournaments.selectors.button import Known, buttons_known, with_button
from tournaments.selectors.conduct import NO_MARK, Mark, marks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat of a table as pages show it; `entry` is None when the seat is free."""

    seat: int
    entry: int | None = None
    name: str = ""
    is_dealer: bool = False
    is_button: bool = False
    is_small_blind: bool = False
    is_big_blind: bool = False
    is_locked: bool = False
    mark: Mark = NO_MARK


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePicture:
    table: Table
    seats: tuple[SeatView, ...]
    has_dealer: bool
    button: Known

    @property
    def number(self) -> int:
        return self.table.number

    @property
    def lacks_button(self) -> bool:
        """Tell whether a first dealer may still be drawn: none was, and no button is known."""
        return not self.has_dealer and self.button.button is None

    @property
    def players(self) -> int:
        return sum(seat.entry is not None for seat in self.seats)


def tables_live(event: Event) -> list[Table]:
    return list(Table.objects.live().filter(event=event).order_by("number"))


def table_counts(event: Event) -> list[TableCount]:
    """Return every table in play with its players and the seats that may be used.

    Three queries that read indexes alone; a locked seat counts only while somebody sits on it.
    """
    seated = Seating.objects.live().filter(event=event).values("table").order_by()
    players = dict(seated.annotate(players=Count("pk")).values_list("table", "players"))
    shut = Counter(table for table, _seat in locked_and_empty(event))
    tables = Table.objects.live().filter(event=event).order_by("number")
    return [
        TableCount(number, players.get(pk, 0), seats - shut[pk])
        for pk, number, seats in tables.values_list("pk", "number", "seats")
    ]


def locks_of(event: Event, tables: Iterable[int] | None = None) -> dict[int, frozenset[int]]:
    """Return the locked seats by table id, of all tables in play or of some."""
    rows = SeatLock.objects.live().filter(table__event=event, table__voided_by=None)
    if tables is not None:
        rows = rows.filter(table__in=list(tables))
    found: dict[int, set[int]] = defaultdict(set)
    for table, seat in rows.values_list("table_id", "seat"):
        found[table].add(seat)
    return {table: frozenset(seats) for table, seats in found.items()}


def locked_and_empty(event: Event) -> set[tuple[int, int]]:
    """Return the locked seats nobody sits on, as table id and seat."""
    shut = {(table, seat) for table, seats in locks_of(event).items() for seat in seats}
    if not shut:
        return shut
    held = Seating.objects.live().filter(event=event, table__in={table for table, _ in shut})
    return shut.difference(held.values_list("table_id", "seat"))


def table_views(event: Event, numbers: Iterable[int] | None = None) -> dict[int, TableView]:
    """Return tables by number with who sits where and what is known of the button."""
    found = _tables_seated(event, numbers)
    if not event.has_started:
        return {table.number: view for table, view, _since in found}
    known = buttons_known(event, [table for table, _view, _since in found])
    return {
        table.number: with_button(event, view, known[table.pk], since)
        for table, view, since in found
    }


def _tables_seated(
    event: Event, numbers: Iterable[int] | None
) -> list[tuple[Table, TableView, dict[int, datetime]]]:
    """Return tables with who sits where, and since when by seat; nothing of the button."""
    tables = Table.objects.live().filter(event=event)
    if numbers is not None:
        tables = tables.filter(number__in=list(numbers))
    by_pk = {table.pk: table for table in tables}
    players: dict[int, dict[int, int]] = defaultdict(dict)
    since: dict[int, dict[int, datetime]] = defaultdict(dict)
    rows = Seating.objects.live().filter(event=event).order_by("seat")
    if numbers is not None:
        rows = rows.filter(table__in=by_pk)
    for table_id, seat, entry_id, at in rows.values_list(
        "table_id", "seat", "entry_id", "seated_at"
    ):
        players[table_id][seat], since[table_id][seat] = entry_id, at
    locks = locks_of(event, by_pk if numbers is not None else None)
    return [
        (
            table,
            TableView(table.number, table.seats, players[pk], None, locks.get(pk, frozenset())),
            since[pk],
        )
        for pk, table in by_pk.items()
    ]


def free_seats(event: Event, numbers: Iterable[int] | None = None) -> dict[int, list[int]]:
    """Return the free seats of each table in play, locked ones left out."""
    found = _tables_seated(event, numbers)
    return {table.number: list(view.free) for table, view, _since in found}


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
    there = [entry for held in names.values() for entry, _name in held.values()]
    marks = marks_of(event, None if numbers is None else there)
    shown = list(tables)
    known = buttons_known(event, shown)
    locks = locks_of(event, [table.pk for table in shown] if numbers is not None else None)
    return [
        TablePicture(
            table=table,
            seats=tuple(
                _seat_view(
                    seat,
                    names[table.pk].get(seat),
                    dealers.get(table.pk),
                    is_locked=seat in locks.get(table.pk, ()),
                    marks=marks,
                    posts=_posts(event, known[table.pk], dealers.get(table.pk)),
                )
                for seat in range(1, table.seats + 1)
            ),
            has_dealer=table.pk in dealers,
            button=known[table.pk],
        )
        for table in shown
    ]


def _seat_view(
    seat: int,
    held: tuple[int, str] | None,
    dealer: int | None,
    *,
    is_locked: bool,
    marks: Mapping[int, Mark],
    posts: Known,
) -> SeatView:
    entry, name = held or (None, "")
    return SeatView(
        seat=seat,
        entry=entry,
        name=name,
        is_dealer=seat == dealer,
        is_button=seat == posts.button,
        is_small_blind=bool(entry) and seat == posts.small_blind,
        is_big_blind=bool(entry) and seat == posts.big_blind,
        is_locked=is_locked,
        mark=marks.get(entry, NO_MARK) if entry else NO_MARK,
    )


def _posts(event: Event, known: Known, dealer: int | None) -> Known:
    """Return what is on the table to be seen; before the start it is the button of the dealer."""
    if event.has_started or known.button is not None:
        return known
    return Known(button=dealer)


def dealer_seats(event: Event) -> dict[int, int]:
    """Return the seat of the first dealer by table id, where one was drawn."""
    draws = DealerDraw.objects.live().filter(table__event=event, table__voided_by=None)
    return {draw.table_id: draw.cards[0]["seat"] for draw in draws.order_by("pk")}
