"""Turn a file's rows into people: the columns used, and the reasons to leave a row out."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice

from tournaments.imports.domain.columns import (
    Answer,
    Columns,
    answer_of,
    columns_guessed,
    columns_of,
    is_heading,
)
from tournaments.papers.domain.sheets import Row, SheetError
from tournaments.people.domain.naming import LONGEST_NAME, clean_name, normal_name

ROWS_FOR_HEADINGS = 10
YES = frozenset({"ja", "j", "x", "1", "yes", "y", "true", "wahr", "mitglied", "member", "✓"})
NO = frozenset({"nein", "n", "0", "no", "false", "falsch", "-", "–", "gast", "guest"})


# Lines of a list about it, and first words of its title.
NO_PEOPLE = frozenset(
    {"summe", "gesamt", "gesamtsumme", "insgesamt", "anzahl", "total", "count", "sum", "stand",
     "durchschnitt", "zwischensumme", "ergebnis", "platzhalter", "n.n.", "nn"}
)  # fmt: skip
TITLES = frozenset({"umfrage", "poll", "liste", "teilnehmerliste", "anmeldeliste", "warteliste"})
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?(?:[T ].*)?|\d\d?\.\d\d?\.(?:\d\d){1,2}.*|\d\d?:\d\d.*")
_LAST_FIRST = re.compile(r"([^,]+),\s*([^\W\d_][^,]*)")
# What a chat puts before an answer that is asked about.
_MARKED = re.compile(r"^(?:nein: |\?\s*)")
_SUMS = re.compile(r"[\s=]*[\d.,]*|\s*:.*")
_FOOTER = re.compile(
    r"(?:seite|page|blatt) \d+\b.*|(?:erstellt|exportiert|gedruckt|generated|created|printed) .*",
    re.IGNORECASE,
)
_SALUTATION = re.compile(r"(?:herrn?|frau|fr\.|hr\.|mr\.?|mrs\.?|ms\.?)\s+(?=\S)", re.IGNORECASE)
# Behind a comma these are no first name.
_DEGREE = re.compile(r"(?:b\.?sc|m\.?sc|ba|ma|mba|ph\.?d|jun|sen|jr|sr)\.?", re.IGNORECASE)


class Doubt(StrEnum):
    """The reasons to ask about a row, from the file alone."""

    NO_PERSON = "no_person"
    SAYS = "says"
    """Somebody says no, or perhaps."""
    SILENT = "silent"


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

    With a doubt it is not taken unasked; `answer` is what the person said. `dropped` is an invalid
    address or number: left out, but the person stays.
    """

    number: int
    name: str
    email: str = ""
    phone: str = ""
    remark: str = ""
    is_member: bool | None = None
    fault: Fault | None = None
    doubt: Doubt | None = None
    answer: str = ""
    twin: int | None = None
    dropped: tuple[str, ...] = ()


def _anything(_text: str) -> bool:
    return True


# Checks for addresses and for phone numbers.
Contacts = tuple[Callable[[str], bool], Callable[[str], bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How to read a file: its columns, its first row of a person.

    `is_turned` puts "Lang, Eva" in order.
    """

    columns: Columns
    first_row: int
    is_turned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A file's content: its beginning, its layout (None: no name column), its people.

    `sheet` is that of a workbook, counted from 0. The lines are read lazily, once.
    """

    head: tuple[Row, ...]
    layout: Layout | None
    lines: Iterator[Line]
    sheet: int = 0

    @property
    def has_headings(self) -> bool:
        return self.layout is not None and self.layout.first_row > self.head[0].number

    @property
    def width(self) -> int:
        return max(len(row.cells) for row in self.head)


def listing_of(
    rows: Iterable[Row],
    layout: Layout | None = None,
    *,
    guesses: bool = True,
    contacts: Contacts = (_anything, _anything),
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
    lines = _lines(chain(head, following), chosen, contacts)
    return Listing(head=head, layout=chosen, lines=lines)


def layout_guessed(head: Sequence[Row]) -> Layout | None:
    """Guess the layout of a file from its beginning, None if unclear.

    The headings are the row with the most known ones; names are turned if most have a comma.

    >>> head = [Row(number=1, cells=("Spieler", "")), Row(number=3, cells=("Name", "Mail"))]
    >>> layout_guessed(head).first_row
    4
    >>> layout_guessed([Row(number=1, cells=("Lang, Eva",))]).is_turned
    True
    """
    found = [(row, columns_of(row.cells)) for row in head[:ROWS_FOR_HEADINGS]]
    named = [(row, columns) for row, columns in found if columns is not None]
    if named:
        row, columns = max(named, key=lambda pair: sum(map(is_heading, pair[0].cells)))
        return _turned_if_so(head, Layout(columns=columns, first_row=row.number + 1))
    days = _days_above(head)
    first = days or head[0]
    guessed = columns_guessed(first.cells)
    if guessed is None:
        return None
    first_row = first.number + (days is not None)
    return _turned_if_so(head, Layout(columns=guessed, first_row=first_row))


def _days_above(head: Sequence[Row]) -> Row | None:
    """Return the last row of days above a poll: its first cell is empty, as of no person."""
    found = None
    for row in head:
        if not row.cells[0]:
            found = row
        elif not is_no_person(row.cells[0]):
            break
    return found


def _turned_if_so(head: Sequence[Row], layout: Layout) -> Layout:
    if len(layout.columns.names) > 1:
        return layout
    (index,) = layout.columns.names
    names = [_cell(row, index) for row in head if row.number >= layout.first_row]
    names = [name for name in names if name and not is_no_person(name)]
    return replace(layout, is_turned=are_turned(names))


def turned_name(name: str) -> str:
    """Return a name with the first name first.

    >>> turned_name("von der Heide, Änne"), turned_name("Eva, kommt später")
    ('Änne von der Heide', 'Eva, kommt später')
    >>> turned_name("Ina Moser, MSc")
    'Ina Moser, MSc'
    """
    found = _LAST_FIRST.fullmatch(name)
    if found is None or not found[2][0].isupper() or _DEGREE.fullmatch(found[2]):
        return name
    return f"{found[2].strip()} {found[1].strip()}"


def are_turned(names: Sequence[str]) -> bool:
    """Tell whether most of these names have the last name first, before a comma."""
    return sum(turned_name(name) != name for name in names) * 2 > len(names)


def is_no_person(name: str) -> bool:
    """Tell whether a cell of names is a sum, a date, an address of the web, or a heading.

    >>> [is_no_person(text) for text in ("Summe", "Anzahl: 12", "26.11.2026", "Nachname")]
    [True, True, True, True]
    >>> [is_no_person(text) for text in ("Otto Summer", "Stand-Up Sepp", "7 8.5")]
    [False, False, False]
    """
    word, *_rest = [*name.casefold().split(), ""]
    return (
        _is_sum(name)
        or _FOOTER.fullmatch(name) is not None
        or word.strip(":") in TITLES
        or "://" in name
        or word.startswith("www.")
        or name.endswith(("?", ":"))
        or _DATE.fullmatch(name) is not None
        or is_heading(name)
    )


def _is_sum(cell: str) -> bool:
    word = re.match(r"[^\s:=]*", cell.casefold())
    assert word is not None
    return word[0] in NO_PEOPLE and _SUMS.fullmatch(cell[word.end() :]) is not None


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
    of_people = (row for row in rows if row.number >= layout.first_row)
    if layout.columns.answer is None:
        for row in of_people:
            yield _line(row, layout, contacts, seen)
        return
    # The latest answer of each counts: so the file is read from its end.
    yield from reversed([_line(row, layout, contacts, seen) for row in reversed(list(of_people))])


def _line(
    row: Row, layout: Layout, contacts: Contacts, seen: dict[str, list[tuple[str, int]]]
) -> Line:
    columns = layout.columns
    raw = " ".join(_cell(row, index) for index in columns.names).strip()
    raw = _SALUTATION.sub("", turned_name(raw) if layout.is_turned else raw, count=1)
    is_email, is_phone = contacts
    email, no_email = _kept(_cell(row, columns.email), is_email)
    # A spreadsheet may mark a number with a leading plus as text.
    phone, no_phone = _kept(_cell(row, columns.phone).removeprefix("'"), is_phone)
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
    doubt, answer = _doubt_of(row, raw, columns)
    return Line(
        number=row.number,
        name=name,
        email=email,
        phone=phone,
        remark=_cell(row, columns.remark),
        is_member=is_member,
        doubt=doubt,
        answer=answer,
        dropped=() if doubt is Doubt.NO_PERSON else (*no_email, *no_phone),
    )


def _doubt_of(row: Row, name: str, columns: Columns) -> tuple[Doubt | None, str]:
    if is_no_person(name) or any(_is_sum(_cell(row, index)) for index in columns.names):
        return Doubt.NO_PERSON, ""
    answer, cancelled = _cell(row, columns.answer), _cell(row, columns.cancelled)
    if cancelled and cancelled.casefold() not in NO:
        return Doubt.SAYS, cancelled
    if columns.days:
        # The first day with a yes, or else the first that says a word.
        answers = [_cell(row, index) for index in columns.days]
        coming = (said for said in answers if answer_of(said) is Answer.YES)
        answer = next(coming, next(filter(None, answers), ""))
    asked = columns.days or columns.answer is not None
    said = answer_of(answer) if asked else Answer.YES
    if said is Answer.YES:
        return None, ""
    return (Doubt.SILENT, "") if said is Answer.NONE else (Doubt.SAYS, _MARKED.sub("", answer))


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
