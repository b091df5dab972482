"""Lists of people as files hold them: bytes to rows, rows to people, and rows back to CSV.

Nothing here opens a file or knows spreadsheet formats other than CSV, and whether somebody may be
registered is decided elsewhere.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tournaments.domain.naming import LONGEST_NAME, clean_name, normal_name

MOST_ROWS = 20_000
MOST_COLUMNS = 60
LONGEST_CELL = 2_000
DELIMITERS = (";", "\t", ",")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

HEADINGS: dict[str, frozenset[str]] = {
    "name": frozenset(
        {"name", "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "person",
         "player", "player name", "full name", "fullname", "entrant", "vor- und nachname",
         "vor und nachname", "vorname nachname", "nachname vorname", "teilnehmer*in",
         "spieler*in", "vollständiger name", "voller name"}
    ),
    "first": frozenset(
        {"vorname", "vornamen", "rufname", "first name", "firstname", "given name", "forename",
         "first"}
    ),
    "last": frozenset(
        {"nachname", "familienname", "zuname", "last name", "lastname", "surname", "family name",
         "last"}
    ),
    "email": frozenset(
        {"e-mail", "email", "mail", "e-mail-adresse", "emailadresse", "email-adresse",
         "mailadresse", "e-mail adresse", "email adresse", "e-mail address", "email address",
         "e mail"}
    ),
}  # fmt: skip


class SheetError(Exception):
    """The file as a whole cannot be used. `code` says why; `found` lists the headings read."""

    def __init__(self, code: str, found: Sequence[str] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.found = tuple(found)


class Fault(StrEnum):
    """Why a row is left out, as far as the file itself can tell."""

    FORMULA = "formula"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    TWICE = "twice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row that is not blank, by its number in the file; `formulas` are cells not worked out."""

    number: int
    cells: tuple[str, ...]
    formulas: frozenset[int] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Where things stand: one column with the whole name, or one each for first and last name."""

    name: int | None = None
    first: int | None = None
    last: int | None = None
    email: int | None = None

    @property
    def name_columns(self) -> tuple[int, ...]:
        wanted = (self.name,) if self.name is not None else (self.first, self.last)
        return tuple(index for index in wanted if index is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One person of a file, or the fault that keeps the row out; `twin` is the row it repeats."""

    number: int
    name: str
    email: str = ""
    fault: Fault | None = None
    twin: int | None = None


def text_of(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 or, failing these, Windows-1252.

    >>> text_of("Ärztl".encode("cp1252")), text_of("\\ufeffÄrztl".encode())
    ('Ärztl', 'Ärztl')
    >>> text_of("Ärztl;a".encode("utf-16"))
    'Ärztl;a'

    :raises SheetError: "empty", or "no_text" for what is no text in any of them.
    """
    if not data.strip():
        raise SheetError("empty")
    for encoding in _encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        return text.removeprefix("\ufeff")
    raise SheetError("no_text")


def _encodings(data: bytes) -> tuple[str, ...]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    # Without a mark: in UTF-16 every other byte of Latin letters is zero.
    odd, even = data[1:2000:2], data[0:2000:2]
    if len(odd) > 1 and odd.count(0) > len(odd) // 2:
        return ("utf-16-le",)
    if len(even) > 1 and even.count(0) > len(even) // 2:
        return ("utf-16-be",)
    return ("utf-8", "cp1252")


def rows_of_text(text: str) -> Iterator[Row]:
    """Return the rows of a CSV text that are not blank; the delimiter is told by the first ones.

    A cell that begins with "=" is a formula to every spreadsheet, so it counts as one here.

    >>> [row.cells for row in rows_of_text('Name;Mail\\n"Lang, Eva";e@x.at\\n\\n')]
    [('Name', 'Mail'), ('Lang, Eva', 'e@x.at')]

    :raises SheetError: "too_many_rows", or "no_text" if a cell is endless.
    """
    delimiter = delimiter_of(text)
    if text[:4].lower() == "sep=":
        text = text.partition("\n")[2]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    count = 0
    try:
        for cells in reader:
            trimmed = tuple(cell.strip()[:LONGEST_CELL] for cell in cells[:MOST_COLUMNS])
            if not any(trimmed):
                continue
            count += 1
            if count > MOST_ROWS + 1:
                raise SheetError("too_many_rows")
            formulas = frozenset(i for i, cell in enumerate(trimmed) if cell.startswith("="))
            yield Row(number=reader.line_num, cells=trimmed, formulas=formulas)
    except csv.Error:
        raise SheetError("no_text")


def delimiter_of(text: str) -> str:
    """Return the delimiter that the first lines hold most often, a semicolon when in doubt.

    >>> delimiter_of("a,b\\nc,d"), delimiter_of("a\\tb"), delimiter_of("Eva"), delimiter_of("a;b,c;d")
    (',', '\\t', ';', ';')
    """
    head = text[:4000]
    if head[:4].lower() == "sep=" and head[4:5] in DELIMITERS:
        return head[4]
    return max(DELIMITERS, key=head.count)


def columns_of(first: Row, second: Row | None = None) -> tuple[Columns, bool]:
    """Return the columns by the headings of the first row, and whether it is a row of headings.

    Without any known heading the first column is the name, and the one with an "@" the address. But
    headings that name an address and no person are an error, not a person called "E-Mail".

    >>> columns_of(Row(number=1, cells=("Nachname", "Vorname", "Mail")))[0].name_columns
    (1, 0)
    >>> columns_of(Row(number=1, cells=("Eva Lang", "eva@example.org")))
    (Columns(name=0, first=None, last=None, email=1), False)

    :raises SheetError: "no_name_column", with the headings found.
    """
    headings = [" ".join(cell.casefold().replace("_", " ").split()) for cell in first.cells]
    known = {
        kind: next((i for i, heading in enumerate(headings) if heading in words), None)
        for kind, words in HEADINGS.items()
    }
    if all(index is None for index in known.values()):
        if _looks_like_headings(first, second):
            raise SheetError("no_name_column", [cell for cell in first.cells if cell])
        email = next((i for i, cell in enumerate(first.cells) if "@" in cell), None)
        return Columns(name=1 if email == 0 else 0, email=email), False
    columns = Columns(**known)
    if not columns.name_columns:
        raise SheetError("no_name_column", [cell for cell in first.cells if cell])
    return columns, True


def _looks_like_headings(first: Row, second: Row | None) -> bool:
    """Tell headings we do not know from a person: an address follows where none stands above."""
    if second is None or any("@" in cell for cell in first.cells):
        return False
    return any("@" in cell for cell in second.cells)


def people_in(rows: Iterable[Row]) -> list[Line]:
    """Return a line for every row of people, with its fault where it has one.

    >>> lines = people_in([Row(number=1, cells=("Eva",)), Row(number=2, cells=("eva",))])
    >>> [(line.name, line.fault and line.fault.value, line.twin) for line in lines]
    [('Eva', None, None), ('eva', 'twice', 1)]

    :raises SheetError: "empty", "no_name_column".
    """
    listed = list(rows)
    if not listed:
        raise SheetError("empty")
    columns, has_headings = columns_of(listed[0], listed[1] if len(listed) > 1 else None)
    people = listed[1:] if has_headings else listed
    if not people:
        raise SheetError("only_headings")
    seen: dict[str, list[Line]] = {}
    return [_line(row, columns, seen) for row in people]


def _line(row: Row, columns: Columns, seen: dict[str, list[Line]]) -> Line:
    read = {*columns.name_columns, *(() if columns.email is None else (columns.email,))}
    raw = " ".join(_cell(row, index) for index in columns.name_columns).strip()
    email = "" if columns.email is None else _cell(row, columns.email)
    shown = raw[: LONGEST_NAME + 1]
    if read & row.formulas:
        return Line(number=row.number, name=shown, email=email, fault=Fault.FORMULA)
    try:
        name = clean_name(raw)
    except ValueError as problem:
        fault = Fault(str(problem))
        return Line(number=row.number, name=shown, email=email, fault=fault)
    same = seen.setdefault(normal_name(name), [])
    twin = next((line for line in same if is_same_person(line.email, email)), None)
    if twin is not None:
        return Line(
            number=row.number, name=name, email=email, fault=Fault.TWICE, twin=twin.number
        )
    line = Line(number=row.number, name=name, email=email)
    same.append(line)
    return line


def is_same_person(one: str, other: str) -> bool:
    """Tell whether two of the same name are one: unless both have an address, and not the same.

    >>> is_same_person("", "a@x.at"), is_same_person("a@x.at", "b@x.at")
    (True, False)
    """
    return not one or not other or one == other


def _cell(row: Row, index: int) -> str:
    return row.cells[index] if index < len(row.cells) else ""


def safe_cell(value: object) -> str:
    """Return a cell as text that no spreadsheet takes for a formula.

    >>> safe_cell("=1+1"), safe_cell("-5 Petra"), safe_cell(7), safe_cell(None)
    ("'=1+1", "'-5 Petra", '7', '')
    """
    if value is None:
        return ""
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV with semicolons, as spreadsheets in German expect; cells made safe.

    >>> csv_text([["Platz", "Name"], [1, "=Eva"]])
    "Platz;Name\\r\\n1;'=Eva\\r\\n"
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return out.getvalue()
