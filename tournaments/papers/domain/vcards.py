"""Address books as vCards (versions 2.1 to 4), as rows of a table."""

import quopri
import re
from collections.abc import Iterator

from tournaments.papers.domain.sheets import MOST_ROWS, Row, SheetError, row_of

BEGINS = "BEGIN:VCARD"
HEADINGS = ("Name", "E-Mail", "Telefon", "Bemerkung")
_PLACES = {"FN": 0, "EMAIL": 1, "TEL": 2, "NOTE": 3}
_QUOTED = "QUOTED-PRINTABLE"
_FOLDED = re.compile(r"\r?\n[ \t]")
_ESCAPED = re.compile(r"\\([,;:\\nN])")


def rows_of_vcards(text: str) -> Iterator[Row]:
    """Yield a row of headings, then one for each card, numbered in turn.

    >>> cards = "BEGIN:VCARD\\nN:Lang;Eva;;;\\nitem1.EMAIL;TYPE=home:e@x.at\\nEND:VCARD\\n"
    >>> [row.cells for row in rows_of_vcards(cards)][1]
    ('Eva Lang', 'e@x.at', '', '')

    :raises SheetError: "too_many_rows".
    """
    yield Row(number=1, cells=HEADINGS)
    cells, parts, count = [""] * 4, [""], 0
    for name, value in map(_property, _lines(text)):
        if name == "BEGIN":
            cells, parts = [""] * 4, [""]
        elif name in _PLACES:
            cells[_PLACES[name]] = cells[_PLACES[name]] or value
        elif name == "N":
            parts = value.split(";")
        elif name == "END":
            cells[0] = cells[0] or " ".join(part.strip() for part in [*parts[1:2], parts[0]])
            count += 1
            if count > MOST_ROWS:
                raise SheetError("too_many_rows")
            row = row_of(count + 1, cells)
            if row is not None:
                yield row


def _lines(text: str) -> list[str]:
    """Return the lines of cards, with folded ones joined; the old way ends them with "="."""
    found: list[str] = []
    for line in _FOLDED.sub("", text).splitlines():
        before = found[-1] if found else ""
        if before.endswith("=") and _QUOTED in before.partition(":")[0].upper():
            found[-1] = before[:-1] + line
        else:
            found.append(line)
    return found


def _property(line: str) -> tuple[str, str]:
    """Return the name of a property without its group, and its value in plain text."""
    named, _colon, value = line.partition(":")
    name, *about = named.upper().split(";")
    if any(_QUOTED in one for one in about):
        value = quopri.decodestring(value.encode()).decode("utf-8", "replace")
    plain = _ESCAPED.sub(lambda one: " " if one[1] in "nN" else one[1], value)
    return name.rpartition(".")[2].strip(), plain.strip()
