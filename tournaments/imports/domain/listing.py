"""Turn a file's rows into people: the columns used, and the reasons to leave a row out.

Whether a person may be registered is decided elsewhere. Rows are read one by one, and only names
are kept, to find repeats.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from tournaments.papers.domain.sheets import Row, SheetError
from tournaments.people.domain.naming import LONGEST_NAME, clean_name, normal_name

# --- The columns of a list of people, recognised by German or English headings


class Kind(StrEnum):
    """The kinds of columns; others are ignored."""

    NAME = "name"
    FIRST = "first"
    LAST = "last"
    EMAIL = "email"
    PHONE = "phone"
    MEMBER = "member"
    REMARK = "remark"


HEADINGS: dict[Kind, frozenset[str]] = {
    Kind.NAME: frozenset(
        {"name", "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "person",
         "player", "player name", "full name", "fullname", "entrant", "vor- und nachname",
         "vor und nachname", "vorname nachname", "nachname vorname", "teilnehmer*in",
         "spieler*in", "vollständiger name", "voller name"}
    ),
    Kind.FIRST: frozenset(
        {"vorname", "vornamen", "rufname", "first name", "firstname", "given name", "forename",
         "first"}
    ),
    Kind.LAST: frozenset(
        {"nachname", "familienname", "zuname", "last name", "lastname", "surname", "family name",
         "last"}
    ),
    Kind.EMAIL: frozenset(
        {"e-mail", "email", "mail", "e-mail-adresse", "emailadresse", "email-adresse",
         "mailadresse", "e-mail adresse", "email adresse", "e-mail address", "email address",
         "e mail"}
    ),
    Kind.PHONE: frozenset(
        {"telefon", "telefonnummer", "tel", "tel.", "handy", "handynummer", "mobil", "mobilnummer",
         "mobiltelefon", "phone", "phone number", "mobile", "mobile number", "cell"}
    ),
    Kind.MEMBER: frozenset(
        {"mitglied", "vereinsmitglied", "ist mitglied", "member", "is member", "club member",
         "mitgliedschaft"}
    ),
    Kind.REMARK: frozenset(
        {"bemerkung", "bemerkungen", "anmerkung", "anmerkungen", "notiz", "notizen", "kommentar",
         "hinweis", "remark", "remarks", "note", "notes", "comment"}
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The positions of columns: the name in one column, or in two to be joined in this order."""

    names: tuple[int, ...]
    email: int | None = None
    phone: int | None = None
    member: int | None = None
    remark: int | None = None

    @property
    def read(self) -> frozenset[int]:
        """Return the used columns."""
        others = (self.email, self.phone, self.member, self.remark)
        return frozenset(self.names) | {index for index in others if index is not None}

    def kind_of(self, index: int) -> Kind | None:
        """Return the kind of a column.

        >>> [Columns(names=(1, 0), email=2).kind_of(index) for index in range(4)]
        [<Kind.LAST: 'last'>, <Kind.FIRST: 'first'>, <Kind.EMAIL: 'email'>, None]
        """
        if index in self.names:
            part = self.names.index(index)
            return Kind.NAME if len(self.names) == 1 else (Kind.FIRST, Kind.LAST)[part]
        others = (Kind.EMAIL, Kind.PHONE, Kind.MEMBER, Kind.REMARK)
        return next((kind for kind in others if getattr(self, kind) == index), None)


def is_heading(cell: str) -> bool:
    """Tell whether a cell is a heading.

    >>> is_heading("Vorname"), is_heading("Eva")
    (True, False)
    """
    return heading_kind(cell) is not None


def heading_kind(heading: str) -> Kind | None:
    """Return the kind of column for a heading, None if unknown.

    >>> heading_kind(" E-Mail: "), heading_kind("Nick")
    (<Kind.EMAIL: 'email'>, None)
    """
    plain = " ".join(heading.casefold().replace("_", " ").strip(" :").split())
    return next((kind for kind, words in HEADINGS.items() if plain in words), None)


def columns_from(kinds: Sequence[Kind | None]) -> Columns | None:
    """Return the columns from their kinds, the first of each kind; None without a name.

    "Name" with a first name but no last name means the last name.

    >>> columns_from([Kind.LAST, Kind.FIRST, None, Kind.MEMBER]).names
    (1, 0)
    >>> columns_from([Kind.EMAIL])
    """
    known: dict[Kind, int] = {}
    for index, kind in enumerate(kinds):
        if kind is not None:
            known.setdefault(kind, index)
    first, last, name = known.get(Kind.FIRST), known.get(Kind.LAST), known.get(Kind.NAME)
    parts: tuple[int | None, ...]
    if first is not None and (last is None) != (name is None):
        parts = (first, name if last is None else last)
    elif name is not None:
        parts = (name,)
    else:
        parts = (first, last)
    names = tuple(part for part in parts if part is not None)
    if not names:
        return None
    return Columns(
        names=names,
        email=known.get(Kind.EMAIL),
        phone=known.get(Kind.PHONE),
        member=known.get(Kind.MEMBER),
        remark=known.get(Kind.REMARK),
    )


def columns_of(cells: Sequence[str]) -> Columns | None:
    """Return the columns of a row of headings, None without a name column.

    >>> columns_of(["Nachname", "Vorname", "Mail"]).names
    (1, 0)
    >>> columns_of(["Name", "Vorname"]).names, columns_of(["Vorname", "Nachname", "Name"]).names
    ((1, 0), (2,))
    >>> columns_of(["Eva Lang", "eva@example.org"])
    """
    return columns_from([heading_kind(cell) for cell in cells])


def columns_guessed(cells: Sequence[str]) -> Columns | None:
    """Return the columns of a list without headings, from its first row; None if unclear.

    Only two forms are recognised: a single name, or one or two cells of name with an address.

    >>> columns_guessed(["Eva", "Lang", "eva@example.org"]).names
    (0, 1)
    >>> columns_guessed(["Eva Lang"]).names
    (0,)
    >>> columns_guessed(["Nick", "Punkte"])
    """
    filled = [index for index, cell in enumerate(cells) if cell]
    emails = [index for index in filled if "@" in cells[index]]
    names = tuple(index for index in filled if index not in emails)
    is_clear = len(names) in (1, 2) if emails else len(names) == 1
    if not is_clear or any(heading_kind(cells[index]) for index in filled):
        return None
    return Columns(names=names, email=emails[0] if emails else None)


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
