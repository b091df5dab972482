"""Seats for printing: by name, and by table. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from tournaments.models import Event, Seating
from tournaments.seating.selectors.tables import tables_live

# The rows that surely fit in two columns of an A4 sheet.
NAMES_ON_A_SHEET = 56


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A seat on paper; `name` is empty for a free one."""

    name: str
    table: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOnPaper:
    number: int
    seats: tuple[Seat, ...]

    @property
    def players(self) -> int:
        return sum(bool(seat.name) for seat in self.seats)


def seats_by_name(event: Event) -> list[list[tuple[str, list[Seat]]]]:
    """Return all seated players, sheet by sheet, by the first letter of the sort key.

    The sheets are filled evenly, without a nearly empty last one.
    """
    rows = sorted(entries_seated(event), key=_sorted_by)
    sheets = max(1, ceil(len(rows) / NAMES_ON_A_SHEET))
    most = max(1, ceil(len(rows) / sheets))
    return [_by_letter(rows[first : first + most]) for first in range(0, len(rows), most)]


def _by_letter(rows: list[Seating]) -> list[tuple[str, list[Seat]]]:
    return [
        (letter, [_seat(row) for row in those])
        for letter, those in groupby(rows, key=lambda row: _sorted_by(row)[:1].upper())
    ]


def plan_of_tables(event: Event) -> list[TableOnPaper]:
    """Return every table in play with all its seats (two queries)."""
    taken = {(row.table.number, row.seat): _seat(row) for row in entries_seated(event)}
    return [
        TableOnPaper(
            number=table.number,
            seats=tuple(
                taken.get((table.number, seat), Seat(name="", table=table.number, seat=seat))
                for seat in range(1, table.chairs + 1)
            ),
        )
        for table in tables_live(event)
    ]


def _sorted_by(row: Seating) -> str:
    return row.entry.registration.person.sort_name


def _seat(row: Seating) -> Seat:
    name = row.entry.registration.person.name
    return Seat(name=name, table=row.table.number, seat=row.seat)


def entries_seated(event: Event, tables: Iterable[int] | None = None) -> list[Seating]:
    """Return the seated players by table and seat, for slips; of some tables, or all."""
    rows = Seating.objects.live().filter(event=event)
    if tables is not None:
        rows = rows.filter(table__number__in=tables)
    return list(
        rows.select_related("table", "entry__registration__person").order_by(
            "table__number", "seat"
        )
    )
