"""Tables halted because they are far short (TDA 2024 11-D). Derived, never stored."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from clock.snapshot import is_snapshot, read_once
from tournaments.models import Elimination, Event, Seating, Table, TableHalt
from tournaments.seating.domain.seating import blinds_affected, far_short
from tournaments.seating.selectors.tables import table_counts, table_views, tables_of

MOST_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class FarShort:
    """A table that is far short. `is_waived` is None until the director decides.

    `blinds_affected` is None while the button is unknown; with `asks`, staff has to tell it.
    """

    table: Table
    short_by: int
    is_waived: bool | None
    blinds_affected: bool | None
    asks: bool = False

    @property
    def number(self) -> int:
        return self.table.number

    @property
    def is_halted(self) -> bool:
        return self.is_waived is False


@read_once
def tables_far_short(event: Event, now: datetime, *, number: int | None = None) -> list[FarShort]:
    """Return the tables that are far short at `now`, the shortest first, at most a few.

    A decision holds until a player joins or leaves this table; then it has to be made again. It
    also ends once the table is no longer far short.
    """
    found = _short_by(event)
    if number is not None:
        found = {number: found[number]} if number in found else {}
    shown = sorted(found, key=lambda one: (-found[one], one))[:MOST_SHOWN]
    if not shown:
        return []
    rows = {table.number: table for table in tables_of(event, shown)}
    views, decided = table_views(event, now, rows), _decided(rows)
    emptied: dict[int, set[int]] = defaultdict(set)  # seats by table
    outs = Elimination.objects.live().filter(table__in=[row.pk for row in rows.values()])
    for table, seat in outs.values_list("table_id", "seat"):
        if table is not None and seat is not None:
            emptied[table].add(seat)
    return [
        FarShort(
            table=rows[one],
            short_by=found[one],
            is_waived=decided.get(rows[one].pk),
            blinds_affected=blinds_affected(views[one], emptied.get(rows[one].pk, ())),
            asks=views[one].is_asked_for,
        )
        for one in shown
    ]


def table_far_short(event: Event, number: int, now: datetime) -> FarShort | None:
    return next(iter(tables_far_short(event, now, number=number)), None)


@read_once
def tables_halted(event: Event) -> tuple[Table, ...]:
    """Return the tables halted now, usually none."""
    # On a page, the tables are already counted.
    halts = TableHalt.objects.live().filter(table__event=event, is_waived=False)
    if not is_snapshot(event) and not halts.exists():
        return ()
    short = _short_by(event)
    rows = {table.number: table for table in tables_of(event, short)} if short else {}
    decided = _decided(rows) if rows else {}
    return tuple(row for row in rows.values() if decided.get(row.pk) is False)


def _short_by(event: Event) -> dict[int, int]:
    if not event.has_started or event.is_over:
        return {}
    return far_short(table_counts(event), event.rule_set.halt_when_short_by)


def _decided(rows: dict[int, Table]) -> dict[int, bool]:
    """Return by table id whether the halt was waived, for decisions still in force."""
    keys = [row.pk for row in rows.values()]
    halts = list(TableHalt.objects.live().filter(table__in=keys))
    if not halts:
        return {}
    latest = {
        row["table"]: max(row["came"] or 0, row["went"] or 0)
        for row in Seating.objects.filter(table__in=[halt.table_id for halt in halts])
        .values("table")
        .annotate(came=Max("made_by_id"), went=Max("voided_by_id"))
    }
    return {
        halt.table_id: halt.is_waived
        for halt in halts
        if latest.get(halt.table_id, 0) < halt.made_by_id
    }
