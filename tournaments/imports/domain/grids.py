"""A league's grid: a row for each player, a column for each evening, with places or points."""

import itertools
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum

from tournaments.imports.domain.columns import columns_of
from tournaments.imports.domain.listing import are_turned, turned_name
from tournaments.imports.domain.results import (
    THOUSANDS,
    EarlierEvening,
    Player,
    ResultFault,
    day_of,
    evening_of,
)
from tournaments.papers.domain.sheets import Row
from tournaments.people.domain.naming import clean_name

LEAST_EVENINGS = 2
LEAP_YEAR = 2024
NO_NAMES = frozenset(
    {"", "summe", "gesamt", "total", "spieler", "anzahl", "schnitt", "durchschnitt", "teilnehmer",
     "average"}
)  # fmt: skip
_ABSENT = re.compile(
    r"\W*|x|n\W*a\W*|k\W*a\W*|n\.?d\.?|ab(?:w|wesend)\.?|(?:un)?entsch(?:uldigt)?\.?|fehlt|gefehlt|krank"
    r"|urlaub|nicht (?:da|dabei|gespielt)|dn[ps]|absent|away",
    re.IGNORECASE,
)
_SHORT_DAY = re.compile(r"(\d\d?)\.\s?(\d\d?)\.?(?!\d)")
# With marks of ties and results that do not count: "T3", "=3", "(8)", "8*", "1st".
_VALUE = re.compile(
    r"[=(T]?\s*([-−]?\d{1,7}(?:[.,]\d{1,2})?)\s*(?:st|nd|rd|th)?\.?[)*=]*\s*(?:platz|p|pkt|punkte)?\.?",
    re.ASCII | re.IGNORECASE,
)


class Holds(StrEnum):
    PLACES = "places"
    POINTS = "points"


def days_of(cells: Sequence[str], first: date | None = None) -> dict[int, date | None]:
    """Return the days in headings by their column.

    A day without its year is the next one, from the first evening on; None if that is unknown.

    >>> found = days_of(("Name", "Abend 3.9.", "7.1.", "Summe"), date(2026, 9, 3))
    >>> [(at, str(day)) for at, day in found.items()]
    [(1, '2026-09-03'), (2, '2027-01-07')]
    >>> days_of(("Name", "3.9.", "Summe"))
    {1: None}
    """
    found: dict[int, date | None] = {}
    since = first
    for at, cell in enumerate(cells):
        short = _SHORT_DAY.search(cell)
        try:
            since = found[at] = day_of(cell)
        except ResultFault:
            if short and _next(short, date(LEAP_YEAR, 1, 1)):
                since = found[at] = _next(short, since) if since else None
    return found


def _next(short: re.Match[str], since: date) -> date | None:
    """Return the next such day within four years, as the 29th of February is rare."""
    for year in range(since.year, since.year + 5):
        try:
            found = date(year, int(short[2]), int(short[1]))
        except ValueError:
            continue
        if found >= since:
            return found
    return None


def evenings_of_grid(
    rows: Iterable[Row], first: date | None = None, *, holds: Holds | None = None
) -> list[EarlierEvening]:
    """Return the evenings of a grid, or none if it has no columns with days.

    An empty cell means absence. More points are a better place.

    >>> cells = [("Name", "3.9.2026", "10.9.2026"), ("Eva", "12", ""), ("Max", "8", "5"),
    ...          ("Ina", "8", "9,5")]
    >>> rows = [Row(number=number, cells=row) for number, row in enumerate(cells, 1)]
    >>> grid = evenings_of_grid(rows, holds=Holds.POINTS)
    >>> [[(player.place, player.name) for player in evening.players] for evening in grid]
    [[(1, 'Eva'), (2, 'Max'), (2, 'Ina')], [(1, 'Ina'), (2, 'Max')]]

    :raises ResultFault: With the row; "no_year", or "which" if it is not known what the grid holds.
    """
    waiting = iter(rows)
    for row in waiting:
        columns, told = columns_of(row.cells), days_of(row.cells, first)
        days = [(at, day) for at, day in told.items() if day is not None]
        if columns is not None and len(told) >= LEAST_EVENINGS:
            break
    else:
        return []
    if len(days) < len(told):
        raise ResultFault("no_year")
    if holds is None:
        raise ResultFault("which")
    values: dict[int, list[tuple[str, Decimal]]] = {at: [] for at, _day in days}
    for row in waiting:
        name = _name(row, columns.names)
        for at in values if name else ():
            value = _value(row, at, holds)
            if value is not None:
                values[at].append((name, value))
    if are_turned([name for name, _value in itertools.chain(*values.values())]):
        values = {at: [(turned_name(name), v) for name, v in of] for at, of in values.items()}
    return [evening_of(day, _players(values[at], holds)) for at, day in days if values[at]]


def _name(row: Row, names: Sequence[int]) -> str:
    """Return the cleaned name, or an empty text for a row of sums or without values."""
    typed = " ".join(row.cells[at] for at in names if at < len(row.cells)).strip()
    if typed.casefold().rstrip(":") in NO_NAMES:
        return ""
    try:
        return clean_name(typed)
    except ValueError:
        raise ResultFault("name", row.number) from None


def _value(row: Row, at: int, holds: Holds) -> Decimal | None:
    cell = row.cells[at].strip() if at < len(row.cells) else ""
    if at in row.formulas:
        raise ResultFault("formula", row.number)
    if _ABSENT.fullmatch(cell):
        return None
    found = _VALUE.fullmatch(THOUSANDS.sub("", cell))
    value = Decimal(found[1].replace(",", ".").replace("−", "-")) if found else None
    if value is None or (holds is Holds.PLACES and (value < 1 or value % 1)):
        raise ResultFault("place" if holds is Holds.PLACES else "points", row.number)
    return value


def _players(column: Sequence[tuple[str, Decimal]], holds: Holds) -> list[Player]:
    if holds is Holds.PLACES:
        return [Player(name=name, place=int(value)) for name, value in column]
    values = [value for _name, value in column]
    return [Player(name=name, place=1 + sum(one > value for one in values))
            for name, value in column]  # fmt: skip
