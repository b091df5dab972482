"""Tables and seats as they are now, as domain values. Reads only, bounded by what is asked."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, QuerySet

from clock.snapshot import is_snapshot, read_once
from tournaments.event.selectors.event import tables_live_count, without_chips
from tournaments.models import Elimination, Entry, Event, Seating, SeatLock, Table, TableHalt
from tournaments.people.domain.naming import short_names
from tournaments.seating.domain.button import TableView
from tournaments.seating.domain.draws import shares
from tournaments.seating.domain.seating import TableCount, blinds_affected, far_short
from tournaments.seating.selectors.button import Known, aged, buttons_known, with_button

SMALL_HALL = 24
MOST_ASKED_FOR = 50
CHAIRS = F("seats") + F("added")


class Sitting(NamedTuple):
    table: int
    seat: int
    entry: int
    since: datetime
    name: str


def is_read_whole(event: Event) -> bool:
    """Tell whether to read all tables at once, as one page asks for several subsets."""
    return is_snapshot(event) and tables_live_count(event) <= SMALL_HALL


@read_once
def tables_live(event: Event) -> list[Table]:
    return list(Table.objects.live().filter(event=event).order_by("number"))


def tables_of(event: Event, numbers: Iterable[int] | None = None) -> list[Table]:
    """Return the tables in play, or those with these numbers, by number."""
    if numbers is None:
        return tables_live(event)
    wanted = frozenset(numbers)
    if is_read_whole(event):
        return [table for table in tables_live(event) if table.number in wanted]
    return list(Table.objects.live().filter(event=event, number__in=wanted).order_by("number"))


@read_once
def table_counts(event: Event) -> list[TableCount]:
    """Return every table in play with its players and usable seats, locked ones if occupied."""
    if is_read_whole(event):
        players: Mapping[int, int] = Counter(row.table for row in _sittings(event))
        tables = [(table.pk, table.number, table.chairs) for table in tables_live(event)]
    else:
        players = players_by_table(event)
        rows = Table.objects.live().filter(event=event).order_by("number")
        tables = list(rows.values_list("pk", "number", CHAIRS))
    shut = Counter(table for table, _seat in locked_and_empty(event))
    return [
        TableCount(number, players.get(pk, 0), seats - shut[pk]) for pk, number, seats in tables
    ]


@read_once
def tables_with_held(event: Event) -> Counter[int]:
    """Return the number of held seats by table number, of tables with some."""
    held = without_chips(event)
    if not held:
        return Counter()
    rows = Seating.objects.live().filter(entry__in=held)
    return Counter(rows.values_list("table__number", flat=True))


def players_by_table(event: Event) -> dict[int, int]:
    """Return the number of players by table id, without empty tables."""
    seated = Seating.objects.live().filter(event=event).values("table").order_by()
    return dict(seated.annotate(players=Count("pk")).values_list("table", "players"))


def locks_of(event: Event, tables: Collection[int] | None = None) -> dict[int, frozenset[int]]:
    """Return the locked seats by table id, at least for these tables."""
    # A page counts them all, and few are locked.
    is_whole = tables is None or is_snapshot(event)
    return _locks(event, None if is_whole else frozenset(tables or ()))


@read_once
def _locks(event: Event, tables: frozenset[int] | None) -> dict[int, frozenset[int]]:
    rows = SeatLock.objects.live()
    if tables is None:
        rows = rows.filter(table__event=event, table__voided_by=None)
    else:
        rows = rows.filter(table__in=tables)
    found: dict[int, set[int]] = defaultdict(set)
    for table, seat in rows.values_list("table_id", "seat"):
        found[table].add(seat)
    return {table: frozenset(seats) for table, seats in found.items()}


@read_once
def locked_and_empty(event: Event) -> set[tuple[int, int]]:
    """Return the empty locked seats as (table id, seat)."""
    shut = {(table, seat) for table, seats in locks_of(event).items() for seat in seats}
    if not shut:
        return shut
    seatings = Seating.objects.live().filter(event=event, table__in={table for table, _ in shut})
    return shut.difference(seatings.values_list("table_id", "seat"))


@read_once
def _sittings(event: Event) -> list[Sitting]:
    return list(_sittings_from(Seating.objects.live().filter(event=event)))


@read_once
def names_short(event: Event) -> dict[str, str]:
    """Return first name and initial by name; no two people at the tables share one."""
    return short_names([row.name for row in _sittings(event)])


def sittings_at(event: Event, tables: Collection[int]) -> Iterator[Sitting]:
    if is_read_whole(event):
        return (row for row in _sittings(event) if row.table in tables)
    return _sittings_from(Seating.objects.live().filter(table__in=tables))


def _sittings_from(rows: QuerySet[Seating]) -> Iterator[Sitting]:
    values = ("table_id", "seat", "entry_id", "seated_at", "entry__registration__person__name")
    return map(Sitting._make, rows.order_by("seat").values_list(*values))


def buttons_at(event: Event, tables: Collection[Table], now: datetime) -> dict[int, Known]:
    """Return the buttons known at `now`, by table id, at least for these tables."""
    if is_read_whole(event):
        return aged(event, _all_buttons(event), now)
    return aged(event, buttons_known(event, tables), now)


@read_once
def _all_buttons(event: Event) -> dict[int, Known]:
    return buttons_known(event, tables_live(event))


def tables_seated(event: Event, numbers: Iterable[int] | None = None) -> dict[int, TableView]:
    """Return tables with their players by number, without buttons."""
    return {table.number: view for table, view, _since in _tables_seated(event, numbers)}


def table_views(
    event: Event,
    now: datetime,
    numbers: Iterable[int] | None = None,
    *,
    with_locks: bool = True,
) -> dict[int, TableView]:
    """Return tables by number with their players and the buttons known at `now`."""
    found = _tables_seated(event, numbers, with_locks=with_locks)
    if not event.has_started:
        return {table.number: view for table, view, _since in found}
    known = buttons_at(event, [table for table, _view, _since in found], now)
    return {
        table.number: with_button(event, view, known[table.pk], since)
        for table, view, since in found
    }


def _tables_seated(
    event: Event, numbers: Iterable[int] | None, *, with_locks: bool = True
) -> list[tuple[Table, TableView, dict[int, datetime]]]:
    """Return tables with players and time of sitting down by seat, without buttons."""
    by_pk = {table.pk: table for table in tables_of(event, numbers)}
    players: dict[int, dict[int, int]] = defaultdict(dict)
    since: dict[int, dict[int, datetime]] = defaultdict(dict)
    for row in sittings_at(event, by_pk.keys()):
        players[row.table][row.seat], since[row.table][row.seat] = row.entry, row.since
    locks = locks_of(event, by_pk if numbers is not None else None) if with_locks else {}
    held = without_chips(event)
    return [
        (
            table,
            TableView(
                table.number,
                table.chairs,
                players[pk],
                locked=locks.get(pk, frozenset()),
                held=frozenset(seat for seat, entry in players[pk].items() if entry in held),
            ),
            since[pk],
        )
        for pk, table in by_pk.items()
    ]


def free_seats(event: Event, numbers: Iterable[int] | None = None) -> dict[int, list[int]]:
    """Return the free unlocked seats of each table in play."""
    wanted = None if numbers is None else frozenset(numbers)
    rows, seated = Table.objects.live().filter(event=event), Seating.objects.live()
    # Reading the whole hall is cheaper than passing a long list through Django.
    is_short = wanted is not None and len(wanted) <= MOST_ASKED_FOR
    if is_short:
        rows = rows.filter(number__in=wanted or ())
    tables = [
        row
        for row in rows.order_by("number").values_list("pk", "number", CHAIRS)
        if wanted is None or row[1] in wanted
    ]
    ids = [pk for pk, _number, _seats in tables]
    locks = locks_of(event, ids if is_short else None)
    taken: dict[int, set[int]] = {pk: set(locks.get(pk, ())) for pk in ids}
    seated = seated.filter(table__in=ids) if is_short else seated.filter(event=event)
    for table, seat in seated.values_list("table_id", "seat"):
        taken.setdefault(table, set()).add(seat)
    return {number: sorted(set(range(1, seats + 1)) - taken[pk]) for pk, number, seats in tables}


@read_once
def seating_of(entry: Entry) -> Seating | None:
    return Seating.objects.live().select_related("table").filter(entry=entry).first()


# --- Targets of moves: free seats for a player, shares for the tables that take a broken one


MOST_TABLES = 12


def tables_open_to(
    event: Event, seating: Seating, *, number: int | None = None
) -> list[dict[str, Any]]:
    """Return tables with a free seat to choose from, emptiest first, the player's own last.

    In a large hall only the emptiest twelve; `number` selects one table.
    """
    own = seating.table.number
    ranked = sorted(
        table_counts(event), key=lambda count: (count.number == own, count.players, count.number)
    )
    wanted = [count for count in ranked if count.players < count.seats]
    if number is not None:
        wanted = [count for count in wanted if count.number == number]
    shown = wanted[:MOST_TABLES]
    free = free_seats(event, [count.number for count in shown])
    return [
        {
            "number": count.number,
            "players": count.players,
            "seats": count.seats,
            "free": free[count.number],
            "is_own": count.number == own,
        }
        for count in shown
    ]


def break_shares(event: Event, table: Table) -> list[dict[str, int]]:
    """Return how many players each table takes, and has then. Players and seats are drawn later.

    :raises ValueError: If the other tables have not enough free seats.
    """
    counts = table_counts(event)
    here = next(count.players for count in counts if count.number == table.number)
    others = {count.number: count for count in counts if count.number != table.number}
    taken = shares(
        {number: count.players for number, count in others.items()},
        {number: count.seats - count.players for number, count in others.items()},
        here,
    )
    return [
        {"number": number, "takes": takes, "players_after": others[number].players + takes}
        for number, takes in taken.items()
        if takes
    ]


# --- Tables halted because they are far short (TDA 2024 11-D). Derived, never stored


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
