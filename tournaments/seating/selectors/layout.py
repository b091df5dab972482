"""Tables for the pages: each seat with its name and buttons. Reads only."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import DealerDraw, Event, Table
from tournaments.seating.selectors.button import NOTHING, Known
from tournaments.seating.selectors.conduct import NO_MARK, Mark, marks_of
from tournaments.seating.selectors.tables import buttons_at, locks_of, sittings_at, tables_of


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
        """Tell whether a first dealer can still be drawn: none drawn and no button known."""
        return not self.has_dealer and self.button.button is None

    @property
    def players(self) -> int:
        return sum(seat.entry is not None for seat in self.seats)


def table_pictures(
    event: Event, now: datetime, numbers: Iterable[int] | None = None
) -> list[TablePicture]:
    """Return tables with names, first dealers, and the buttons that are not too old."""
    shown = tables_of(event, numbers)
    ids = [table.pk for table in shown]
    names: dict[int, dict[int, tuple[int, str]]] = defaultdict(dict)
    for row in sittings_at(event, ids):
        names[row.table][row.seat] = (row.entry, row.name)
    dealers = dealer_seats(ids)
    there = [entry for held in names.values() for entry, _name in held.values()]
    marks = marks_of(event, None if numbers is None else there)
    known, locks = buttons_at(event, shown, now), locks_of(event, ids)
    pictures = []
    for table in shown:
        dealer, posts = dealers.get(table.pk), known[table.pk]
        if posts.is_old:
            posts = NOTHING
        elif not event.has_started and posts.button is None:
            posts = Known(button=dealer)
        shut, seats = locks.get(table.pk, ()), []
        for seat in range(1, table.chairs + 1):
            entry, name = names[table.pk].get(seat, (None, ""))
            view = SeatView(
                seat=seat,
                entry=entry,
                name=name,
                is_dealer=seat == dealer,
                is_button=seat == posts.button,
                is_small_blind=bool(entry) and seat == posts.small_blind,
                is_big_blind=bool(entry) and seat == posts.big_blind,
                is_locked=seat in shut,
                mark=marks.get(entry, NO_MARK) if entry else NO_MARK,
            )
            seats.append(view)
        button, has_dealer = known[table.pk], dealer is not None
        pictures.append(
            TablePicture(table=table, seats=tuple(seats), has_dealer=has_dealer, button=button)
        )
    return pictures


def counts_told(event: Event, picture: TablePicture, leaving: int = 0) -> list[str]:
    """Return the players of a table in words, counted apart by what they do."""
    if not event.has_started:
        numbers = {"players": picture.players, "seats": picture.table.chairs}
        return [_("%(players)s von %(seats)s besetzt") % numbers]
    marks = [seat.mark for seat in picture.seats if seat.entry]
    held = sum(mark.held_until is not None for mark in marks)
    walking = sum(mark.walking_since is not None for mark in marks)
    plays = len(marks) - held - walking
    lines = (
        (plays, ngettext("%(n)s spielt", "%(n)s spielen", plays)),
        (held, _("%(n)s ohne Chips")),
        (walking, ngettext("%(n)s kommt", "%(n)s kommen", walking)),
        (leaving, ngettext("%(n)s zieht um", "%(n)s ziehen um", leaving)),
    )
    return [words % {"n": number} for number, words in lines if number or words == lines[0][1]]


def seats_named(event: Event, numbers: Iterable[int] | None = None) -> dict[int, list[str]]:
    """Return the names by table, from seat 1 on; "" for a free seat."""
    tables = tables_of(event, numbers)
    names = {
        (row.table, row.seat): row.name
        for row in sittings_at(event, [table.pk for table in tables])
    }
    return {
        table.number: [names.get((table.pk, seat), "") for seat in range(1, table.chairs + 1)]
        for table in tables
    }


def dealer_seats(tables: Collection[int]) -> dict[int, int]:
    """Return the first dealer's seat by table id, where one was drawn."""
    rows = DealerDraw.objects.live().filter(table__in=tables).order_by("pk")
    return {table: cards[0]["seat"] for table, cards in rows.values_list("table_id", "cards")}
