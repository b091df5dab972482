"""Areas of the hall: ranges of table numbers, each with the way there in words.

A director types one area a line, "1-6: Großer Saal, gleich beim Eingang". Stored is a list of
`[first, last, words]` by number; a table belongs to one area or to none.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

MOST_AREAS = 100
LONGEST_WORDS = 80
MOST_TABLE = 9_999
LONGEST_TYPED = MOST_AREAS * (LONGEST_WORDS + 20)
_LINE = re.compile(r"(?P<first>\d{1,9})(?:\s*[-‐‑–—]\s*(?P<last>\d{1,9}))?\s*:\s*(?P<words>.*)")

Area = tuple[int, int, str]


class HallError(ValueError):
    """Typed areas are invalid. `code` is the reason, `line` the line or area."""

    def __init__(self, code: str, line: str = "") -> None:
        super().__init__(code, line)
        self.code = code
        self.line = line


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
        match = _LINE.fullmatch(line)
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
    tournaments.event.domain.hall.HallError: ('overlap', '6-9')

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
