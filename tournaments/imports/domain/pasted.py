"""A list of people from a chat, as rows with the names extracted.

Other parts of a line are kept: address, number, and a remark in brackets, such as "(+1)".
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from tournaments.imports.domain.chats import LONGEST, Said, is_chat, lines_of_chat
from tournaments.papers.domain.sheets import MOST_ROWS, Row

HEADINGS = ("Name", "E-Mail", "Telefon", "Bemerkung", "Kommt")
PASTED = "Eingefügt"
YES = "ja"
MOST_OF_ONE_LINE = 2  # commas that make a single line a list
_SIGNS = frozenset({"So", "Sk", "Cf", "Co", "Cn"})  # emoji, check marks, and their joiners
_JOINS = frozenset({"\ufe0f", "\u20e3"})
_LEAD = re.compile(r"^(?:\d{1,3}\s*[.):]\s*|\d{1,3}\s+|[-–—*•·▪‣◦>]+\s*|\[[ xX]?\]\s*)+")
_STRUCK = re.compile(r"^~.+~$")
_EMAIL = re.compile(r"<?([^\s<>,;()]+@[^\s<>,;()]+)>?")
_PHONE = re.compile(r"(?<!\w)(?:\+|0)\d[\d /().-]{4,}\d")
_BRACKETS = re.compile(r"[(\[]([^)\]]*)[)\]]")
_GUESTS = re.compile(r"(?<!\w)\+\s*\d\b")
_EDGES = " \t,;:.*_~-–—/|"


def people_pasted(text: str) -> list[tuple[str, str, str, str, str]]:
    """Return name, address, number, remark and answer of each line with a name.

    Questions, announcements and struck-through lines are left out. Of a chat the senders count by
    what they wrote.

    >>> [person[:4] for person in people_pasted("Wer kommt?\\n1. Eva ✅\\n2) Max (+1) 0660 123456")]
    [('Eva', '', '', ''), ('Max', '', '0660 123456', '+1')]
    >>> people_pasted("[21.11.26, 19:03] Jo: • Eva, kommt später <e@x.at>")
    [('Eva, kommt später', 'e@x.at', '', '', 'ja')]
    >>> [name for name, *_more in people_pasted("Eva, Max, Ina")]
    ['Eva', 'Max', 'Ina']
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if is_chat(lines):
        said = lines_of_chat(lines)
    else:
        if len(lines) == 1 and lines[0].count(",") >= MOST_OF_ONE_LINE:
            lines = lines[0].split(",")
        said = (Said(line[:LONGEST]) for line in lines)
    found = (
        (one.text, "", "", one.remark, one.answer) if one.is_sender else _person(one.text)
        for one in said
    )
    # One more than a list may have: who reads it says so.
    return list(islice((person for person in found if person is not None), MOST_ROWS + 1))


def pasted_csv(text: str) -> str:
    """Return such a list as CSV; with headings only if it has no people.

    >>> pasted_csv("1. Eva (+1)").splitlines()
    ['Name;E-Mail;Telefon;Bemerkung;Kommt;Eingefügt', 'Eva;;;+1;ja']
    """
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows([(*HEADINGS, PASTED), *people_pasted(text)])
    return out.getvalue()


def rows_numbered(rows: Iterable[Row]) -> Iterator[Row]:
    """Return rows as they are; those of a pasted list counted from its first person.

    >>> pasted = [(*HEADINGS, PASTED), ("Eva", "", "", "", "ja")]
    >>> rows = [Row(number=number, cells=cells) for number, cells in enumerate(pasted, 1)]
    >>> [(row.number, row.cells[0]) for row in rows_numbered(rows)]
    [(0, 'Name'), (1, 'Eva')]
    """
    above = 0
    for at, row in enumerate(rows):
        above = above or int(at == 0 and row.cells[-1] == PASTED)
        yield (
            replace(row, number=row.number - above, cells=row.cells[: len(HEADINGS)])
            if above
            else row
        )


def _person(line: str) -> tuple[str, str, str, str, str] | None:
    seen = "".join(
        char for char in line if unicodedata.category(char) not in _SIGNS and char not in _JOINS
    )
    rest = _LEAD.sub("", seen.strip()).strip()
    if _STRUCK.match(rest) or rest.endswith((":", "?")):
        return None
    rest, email = _taken(_EMAIL, rest)
    rest, remark = _taken(_BRACKETS, rest)
    rest, phone = _taken(_PHONE, rest)
    rest, guests = _taken(_GUESTS, rest)
    name = " ".join(rest.split()).strip(_EDGES)
    if not any(char.isalpha() for char in name):
        return None
    return name, email, phone, ", ".join(part for part in (remark, guests) if part), YES


def _taken(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return a text without the match, and the match."""
    found = pattern.search(text)
    if found is None:
        return text, ""
    typed = found[found.lastindex or 0].strip()
    return f"{text[: found.start()]} {text[found.end() :]}", typed
