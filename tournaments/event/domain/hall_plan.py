"""The club's hall: its plan as text, the numbers an event takes of it, and areas in its words.

In a plan a line of words begins an area; a line of numbers is a row of tables as it stands there,
"." leaves a gap and "1-6" are six tables side by side. An event types areas of its own one a line,
"1-6: Großer Saal, gleich beim Eingang": stored is a list of `[first, last, words]` by number.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as counting
from itertools import groupby, islice, pairwise
from types import MappingProxyType
from typing import Any

MOST_AREAS = 100
LONGEST_WORDS = 80
MOST_TABLE = 9_999
LONGEST_TYPED = MOST_AREAS * (LONGEST_WORDS + 20)
MOST_TABLES = 1_200
MOST_IN_A_ROW = 60
LONGEST_PLAN = 20_000
LONGEST_NUMBERS = 200
_DASH = re.compile(r"\s*[-‐‑–—]\s*")
_ROW = re.compile(r"[\d.,;\s-]+")
_RUN = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?")
_AREA = re.compile(r"(?P<first>\d{1,9})(?:\s*[-‐‑–—]\s*(?P<last>\d{1,9}))?\s*:\s*(?P<words>.*)")

Area = tuple[int, int, str]


class HallError(ValueError):
    """Typed areas are invalid. `code` is the reason, `line` the line or area."""

    def __init__(self, code: str, line: str = "") -> None:
        super().__init__(code, line)
        self.code = code
        self.line = line


@dataclass(frozen=True, slots=True)
class Spot:
    """A table of the hall: its number, its area, and its place there, from 0."""

    number: int
    area: str
    row: int
    column: int


def plan_typed(text: str) -> tuple[Spot, ...]:
    """Parse a typed plan, in its order. Skip empty lines.

    >>> plan_typed("Saal\\n1 . 2\\n3-4\\n\\nGalerie\\n9")[1:]  # doctest: +NORMALIZE_WHITESPACE
    (Spot(number=2, area='Saal', row=0, column=2), Spot(number=3, area='Saal', row=1, column=0),
     Spot(number=4, area='Saal', row=1, column=1), Spot(number=9, area='Galerie', row=0, column=0))

    :raises HallError: "too_long", "many_tables", "long_words", "area_twice", "twice", "wide", or as
    `_run` says.
    """
    if len(text) > LONGEST_PLAN:
        raise HallError("too_long")
    found: list[Spot] = []
    area, row, areas, numbers = "", 0, {""}, set[int]()
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        if not _ROW.fullmatch(_DASH.sub("-", line)):
            if len(line) > LONGEST_WORDS:
                raise HallError("long_words", line[:LONGEST_WORDS])
            if line in areas:
                raise HallError("area_twice", line)
            area, row = line, 0
            areas.add(area)
            continue
        for column, number in enumerate(_row(line)):
            if number in numbers:
                raise HallError("twice", str(number))
            if number:
                numbers.add(number)
                found.append(Spot(number, area, row, column))
        row += 1
    if len(found) > MOST_TABLES:
        raise HallError("many_tables")
    return tuple(found)


def _row(line: str) -> list[int]:
    """Return the numbers of a row, with 0 for a gap."""
    cells = _DASH.sub("-", line).replace(".", " . ").replace(",", " ").replace(";", " ").split()
    found: list[int] = []
    for cell in cells:
        found += [0] if cell == "." else _run(cell)
        if len(found) > MOST_IN_A_ROW:
            raise HallError("wide", line[:LONGEST_WORDS])
    return found


def _run(cell: str) -> range:
    """Return the numbers of a run such as "3-6".

    :raises HallError: "numbers" or "backwards".
    """
    match = _RUN.fullmatch(cell)
    if match is None:
        raise HallError("numbers", cell[:LONGEST_WORDS])
    first = int(match["first"])
    last = int(match["last"] or first)
    if not 1 <= first <= last <= MOST_TABLE:
        raise HallError("backwards", cell)
    return range(first, last + 1)


def numbers_typed(text: str) -> tuple[int, ...]:
    """Parse the numbers of tables, rising.

    >>> numbers_typed("15, 1 – 3")
    (1, 2, 3, 15)

    :raises HallError: As `_run` says, "twice" or "too_long".
    """
    if len(text) > LONGEST_NUMBERS:
        raise HallError("too_long")
    found: set[int] = set()
    for cell in _DASH.sub("-", text).replace(",", " ").replace(";", " ").split():
        run = _run(cell)
        if not found.isdisjoint(run):
            raise HallError("twice", cell)
        found.update(run)
    return tuple(sorted(found))


def numbers_text(numbers: Iterable[int]) -> str:
    """Return numbers of tables in short.

    >>> numbers_text([3, 1, 2, 15, 7, 8])
    '1–3, 7, 8, 15'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )


def free_numbers(
    count: int, taken: Collection[int], allowed: Sequence[int] | None = None
) -> list[int]:
    """Return the lowest free numbers, at most so many.

    :param taken: The numbers of live tables in the hall.
    :param allowed: The numbers the event may take; None for any.

    >>> free_numbers(3, {1, 3})
    [2, 4, 5]
    >>> free_numbers(3, {1, 3}, (1, 2, 3, 4))
    [2, 4]
    """
    numbers: Iterable[int] = counting(1) if allowed is None else sorted(allowed)
    return list(islice((number for number in numbers if number not in taken), count))


# --- The areas of an event


def areas_typed(text: str) -> list[Area]:
    """Parse typed areas, by number. Skip empty lines.

    >>> areas_typed("7–9: Galerie,  Treppe hinten\\n\\n1 - 6: Großer Saal\\n10: Nebenraum")
    [(1, 6, 'Großer Saal'), (7, 9, 'Galerie, Treppe hinten'), (10, 10, 'Nebenraum')]

    :raises HallError: "unreadable" for a line that is no area, else as `check_areas` says.
    """
    if len(text) > LONGEST_TYPED:
        raise HallError("too_many")
    found = []
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        match = _AREA.fullmatch(line)
        if match is None:
            raise HallError("unreadable", line[:LONGEST_WORDS])
        first = int(match["first"])
        found.append((first, int(match["last"] or first), match["words"]))
    found.sort()
    check_areas(found)
    return found


def areas_text(areas: Sequence[Sequence[Any]]) -> str:
    """Return areas as typed.

    >>> areas_text([[1, 6, "Großer Saal"], [10, 10, "Nebenraum"]])
    '1-6: Großer Saal\\n10: Nebenraum'
    """
    return "\n".join(f"{_numbers(first, last)}: {words}" for first, last, words in areas)


def check_areas(areas: Sequence[Area]) -> None:
    """Refuse invalid areas: they must be sorted, disjoint, each with its words.

    >>> check_areas([(1, 6, "Saal"), (6, 9, "Galerie")])
    Traceback (most recent call last):
    tournaments.event.domain.hall_plan.HallError: ('overlap', '6-9')

    :raises HallError: "too_many", "backwards", "no_words", "long_words" or "overlap".
    """
    if len(areas) > MOST_AREAS:
        raise HallError("too_many")
    for first, last, words in areas:
        if not 1 <= first <= last <= MOST_TABLE:
            raise HallError("backwards", _numbers(first, last))
        if not words.strip():
            raise HallError("no_words", _numbers(first, last))
        if len(words) > LONGEST_WORDS:
            raise HallError("long_words", _numbers(first, last))
    for before, after in pairwise(areas):
        if after[0] <= before[1]:
            raise HallError("overlap", _numbers(*after[:2]))


def way_to(areas: Sequence[Sequence[Any]], table: int) -> str:
    """Return the way to a table in the director's words; "" without one.

    >>> areas = [[1, 6, "Großer Saal"], [10, 10, "Nebenraum"]]
    >>> way_to(areas, 6), way_to(areas, 7), way_to(areas, 10)
    ('Großer Saal', '', 'Nebenraum')
    """
    return next((words for first, last, words in areas if first <= table <= last), "")


def _numbers(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


# --- The plan as drawn


CELL = (48, 40)
TABLE = (40, 30)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table as drawn, by the middle of its oval; `mark` says how it stands out."""

    number: int
    x: int
    y: int
    mark: str = ""

    @property
    def left(self) -> int:
        return self.x - TABLE[0] // 2

    @property
    def top(self) -> int:
        return self.y - TABLE[1] // 2


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """An area as drawn, with its size."""

    name: str
    width: int
    height: int
    tables: tuple[Drawn, ...]


def plan_drawn(
    plan: Iterable[Spot], marks: Mapping[int, str] = MappingProxyType({})
) -> list[DrawnArea]:
    """Return the areas of a plan as drawn, each with its tables.

    >>> plan_drawn(plan_typed("Saal\\n1 . 2"), {2: "own"})[0].tables[1]
    Drawn(number=2, x=120, y=20, mark='own')
    """
    found = []
    for name, spots in groupby(plan, key=lambda spot: spot.area):
        tables = tuple(
            Drawn(
                spot.number,
                spot.column * CELL[0] + CELL[0] // 2,
                spot.row * CELL[1] + CELL[1] // 2,
                marks.get(spot.number, ""),
            )
            for spot in spots
        )
        width = max(table.x for table in tables) + CELL[0] // 2
        height = max(table.y for table in tables) + CELL[1] // 2
        found.append(DrawnArea(name, width, height, tables))
    return found
