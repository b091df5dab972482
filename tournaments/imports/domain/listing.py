"""Turn a file's rows into people: the columns used, and the reasons to leave a row out.

Whether a person may be registered is decided elsewhere. Rows are read one by one, and only names
are kept, to find repeats.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from tournaments.imports.domain.headings import Columns, columns_guessed, columns_of
from tournaments.papers.domain.sheets import Row, SheetError
from tournaments.people.domain.naming import LONGEST_NAME, clean_name, normal_name

ROWS_FOR_HEADINGS = 10
YES = frozenset({"ja", "j", "x", "1", "yes", "y", "true", "wahr", "mitglied", "member", "✓"})
NO = frozenset({"nein", "n", "0", "no", "false", "falsch", "-", "–", "gast", "guest"})


class Fault(StrEnum):
    """The reasons to leave a row out, from the file alone."""

    FORMULA = "formula"
    EMPTY = "empty"
    LINE_BREAK = "line_break"
    TOO_LONG = "too_long"
    TWICE = "twice"
    MEMBER = "member"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One person of a file, or the fault of the row; `twin` is the row it repeats.

    `dropped` is an invalid address or number: left out, but the person stays.
    """

    number: int
    name: str
    email: str = ""
    phone: str = ""
    remark: str = ""
    is_member: bool | None = None
    fault: Fault | None = None
    twin: int | None = None
    dropped: tuple[str, ...] = ()


def _anything(_text: str) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """Checks for addresses and phone numbers."""

    is_email: Callable[[str], bool] = _anything
    is_phone: Callable[[str], bool] = _anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How to read a file: its columns, and its first row of a person."""

    columns: Columns
    first_row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A file's content: its beginning, its layout (None: no name column), its people.

    The lines are read lazily, once.
    """

    head: tuple[Row, ...]
    layout: Layout | None
    lines: Iterator[Line]

    @property
    def has_headings(self) -> bool:
        """Tell whether there are rows above the first person."""
        return self.layout is not None and self.layout.first_row > self.head[0].number

    @property
    def width(self) -> int:
        """Return the number of columns at the beginning of the file."""
        return max(len(row.cells) for row in self.head)


def listing_of(
    rows: Iterable[Row],
    layout: Layout | None = None,
    *,
    guesses: bool = True,
    contacts: Contacts | None = None,
) -> Listing:
    """Return a line for every row of people, with its fault if any.

    Without a layout it is guessed, unless `guesses` is off. The headings may follow a title, within
    the first rows.

    >>> listing = listing_of([Row(number=1, cells=("Eva",)), Row(number=2, cells=("eva",))])
    >>> [(line.name, line.fault and line.fault.value, line.twin) for line in listing.lines]
    [('Eva', None, None), ('eva', 'twice', 1)]

    :raises SheetError: "empty", or "only_headings" when nobody stands below them.
    """
    following = iter(rows)
    head = tuple(islice(following, ROWS_FOR_HEADINGS + 1))
    if not head:
        raise SheetError("empty")
    chosen = layout or (layout_guessed(head) if guesses else None)
    if chosen is None:
        return Listing(head=head, layout=None, lines=iter(()))
    if all(row.number < chosen.first_row for row in head) and len(head) <= ROWS_FOR_HEADINGS:
        raise SheetError("only_headings")
    lines = _lines(chain(head, following), chosen, contacts or Contacts())
    return Listing(head=head, layout=chosen, lines=lines)


def layout_guessed(head: Sequence[Row]) -> Layout | None:
    """Guess the layout of a file from its beginning, None if unclear.

    >>> head = [Row(number=1, cells=("Liste",)), Row(number=3, cells=("Name", "Mail"))]
    >>> layout_guessed(head).first_row
    4
    """
    for row in head[:ROWS_FOR_HEADINGS]:
        columns = columns_of(row.cells)
        if columns is not None:
            return Layout(columns=columns, first_row=row.number + 1)
    columns = columns_guessed(head[0].cells)
    return None if columns is None else Layout(columns=columns, first_row=head[0].number)


def member_of(cell: str) -> bool | None:
    """Tell whether a cell means a member; None if empty.

    >>> member_of("Ja"), member_of("nein"), member_of("")
    (True, False, None)

    :raises ValueError: "member" for what is neither.
    """
    plain = cell.casefold()
    if not plain:
        return None
    if plain not in YES | NO:
        raise ValueError(Fault.MEMBER)
    return plain in YES


def is_same_person(one: str, other: str) -> bool:
    """Tell whether two people of the same name are one: unless their addresses differ.

    >>> is_same_person("", "a@x.at"), is_same_person("a@x.at", "b@x.at")
    (True, False)
    """
    return not one or not other or one == other


def _lines(rows: Iterable[Row], layout: Layout, contacts: Contacts) -> Iterator[Line]:
    seen: dict[str, list[tuple[str, int]]] = {}
    for row in rows:
        if row.number >= layout.first_row:
            yield _line(row, layout.columns, contacts, seen)


def _line(
    row: Row, columns: Columns, contacts: Contacts, seen: dict[str, list[tuple[str, int]]]
) -> Line:
    raw = " ".join(_cell(row, index) for index in columns.names).strip()
    email, no_email = _kept(_cell(row, columns.email), contacts.is_email)
    # A spreadsheet may mark a number with a leading plus as text.
    phone, no_phone = _kept(_cell(row, columns.phone).removeprefix("'"), contacts.is_phone)
    try:
        name = _name_of(row, raw, columns)
        is_member = member_of(_cell(row, columns.member))
    except ValueError as problem:
        shown = raw[: LONGEST_NAME + 1]
        return Line(number=row.number, name=shown, email=email, fault=Fault(str(problem)))
    same = seen.setdefault(normal_name(name), [])
    twin = next((number for known, number in same if is_same_person(known, email)), None)
    if twin is not None:
        return Line(number=row.number, name=name, email=email, fault=Fault.TWICE, twin=twin)
    same.append((email, row.number))
    return Line(
        number=row.number,
        name=name,
        email=email,
        phone=phone,
        remark=_cell(row, columns.remark),
        is_member=is_member,
        dropped=(*no_email, *no_phone),
    )


def _kept(text: str, fits: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    return (text, ()) if not text or fits(text) else ("", (text,))


def _name_of(row: Row, raw: str, columns: Columns) -> str:
    """Return the cleaned name. A line break in it means an unclosed quotation mark.

    :raises ValueError: A `Fault` by its value.
    """
    if columns.read & row.formulas:
        raise ValueError(Fault.FORMULA)
    if "\n" in raw or "\r" in raw:
        raise ValueError(Fault.LINE_BREAK)
    return clean_name(raw)


def _cell(row: Row, index: int | None) -> str:
    return row.cells[index] if index is not None and index < len(row.cells) else ""
