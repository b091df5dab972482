"""Tables in files: bytes to rows, and rows to CSV."""

import csv
import io
import quopri
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

MOST_ROWS = 20_000
MOST_COLUMNS = 60
LONGEST_CELL = 2_000
DELIMITERS = (";", "\t", ",", "|")
FORMULA_MARKS = ("=", "#NAME?", "#REF!", "#N/A", "#NV", "#VALUE!", "#WERT!", "#DIV/0!", "#BEZUG!")
MARKUP_STARTS = ("<", "{", "[")
# Some Asian spreadsheets read the fullwidth signs like the others.
FORMULA_STARTS = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")


# Tells whether a cell is a column's heading, given by the reader of the file.
IsHeading = Callable[[str], bool]


def _no_heading(_cell: str) -> bool:
    return False


class SheetError(Exception):
    """The whole file is unusable. `code` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One non-blank row, with its number in the file; `formulas` are the cells with one."""

    number: int
    cells: tuple[str, ...]
    formulas: frozenset[int] = field(default_factory=frozenset)


def text_of(data: bytes) -> str:
    """Decode a file as UTF-8, UTF-16 or else Windows-1252.

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
    # In Windows-1252 letters of Mac Roman are signs, or š between vowels and at a word's end.
    is_of_a_mac = len(_OF_A_MAC.findall(data)) > len(_OF_WINDOWS.findall(data))
    return ("utf-8", "mac-roman" if is_of_a_mac else "cp1252")


# ü Ö Ü Ä ß, é è between letters; ä and ö beside consonants.
_OF_A_MAC = re.compile(
    rb"(?<=[A-Za-z])[\x9f\xa7\x8e\x8f](?![A-Z])|(?<=[\n;,\t\" ])[\x80\x85\x86](?=[b-df-hj-np-tv-z])"
    rb"|(?<=[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z])[\x8a\x9a](?=[b-df-hj-np-tv-z])"
)
_OF_WINDOWS = re.compile(rb"[\xc4\xd6\xdc\xdf\xe0-\xef\xf1-\xf6\xf8-\xfd]")


def rows_of_text(text: str, is_heading: IsHeading = _no_heading) -> Iterator[Row]:
    """Yield the non-blank rows of a CSV text, numbered by their first line.

    >>> [(row.number, row.cells) for row in rows_of_text('Name;Mail\\n\\n"Lang, Eva";e@x.at\\n')]
    [(1, ('Name', 'Mail')), (3, ('Lang, Eva', 'e@x.at'))]

    :raises SheetError: "no_spreadsheet", "too_many_rows", or "no_text" if a cell is endless.
    """
    if text.lstrip().startswith(MARKUP_STARTS):
        raise SheetError("no_spreadsheet")
    delimiter = delimiter_of(text, is_heading)
    skipped = 1 if text[:4].lower() == "sep=" else 0
    if skipped:
        text = text.partition("\n")[2]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    count = before = 0
    try:
        for cells in reader:
            number, before = before + 1 + skipped, reader.line_num
            row = row_of(number, cells[:MOST_COLUMNS])
            if row is None:
                continue
            count += 1
            if count > MOST_ROWS + 1:
                raise SheetError("too_many_rows")
            yield row
    except csv.Error:
        raise SheetError("no_text")


def row_of(number: int, cells: Iterable[str], formulas: Iterable[int] = ()) -> Row | None:
    """Return a row, None for a blank one.

    A cell with a leading "=" is a formula in every spreadsheet, so it counts as one. The error of a
    failed formula is no name either.

    >>> row_of(2, ["=A1", " Eva ", "#NAME?"])
    Row(number=2, cells=('=A1', 'Eva', '#NAME?'), formulas=frozenset({0, 2}))
    >>> row_of(3, [" ", ""])
    """
    trimmed = tuple(cell.strip()[:LONGEST_CELL] for cell in cells)
    if not any(trimmed):
        return None
    found = {i for i, cell in enumerate(trimmed) if cell.startswith(FORMULA_MARKS)}
    return Row(number=number, cells=trimmed, formulas=frozenset({*formulas, *found}))


def delimiter_of(text: str, is_heading: IsHeading = _no_heading) -> str:
    """Return the most frequent delimiter of the first line with any.

    A first line with only a heading has no delimiter, so that names below may contain commas. If
    unclear, a semicolon.

    >>> delimiter_of("a,b\\nc,d"), delimiter_of("a\\tb"), delimiter_of("a;b,c;d")
    (',', '\\t', ';')
    >>> delimiter_of("Eva"), delimiter_of("Name\\nLang, Eva", lambda cell: cell == "Name")
    (';', ';')
    """
    if text[:4].lower() == "sep=" and text[4:5] in DELIMITERS:
        return text[4]
    lines = [line for line in text[:4000].splitlines() if line.strip()]
    bare_lines = [re.sub(r'"[^"]*"', "", line) for line in lines]
    split = [not set(DELIMITERS).isdisjoint(bare) for bare in bare_lines]
    if lines and is_heading(lines[0].strip('"')) and not (split[0] and any(split[1:])):
        return DELIMITERS[0]
    for bare in bare_lines:
        if any(delimiter in bare for delimiter in DELIMITERS):
            return max(DELIMITERS, key=bare.count)
    return DELIMITERS[0]


def in_units(hundredths: int) -> Decimal:
    """Return cents or hundredths of a point as an exact number of a file.

    >>> in_units(-1250)
    Decimal('-12.50')
    """
    return Decimal(hundredths).scaleb(-2)


def safe_cell(value: object) -> str:
    """Return a cell as text that no spreadsheet takes for a formula; a decimal with a comma.

    >>> safe_cell("=1+1"), safe_cell("-5 Petra"), safe_cell(-7), safe_cell(None)
    ("'=1+1", "'-5 Petra", '-7', '')
    >>> safe_cell(Decimal("-12.50"))
    '-12,50'
    >>> [safe_cell(sign)[0] for sign in ("\uff1d1", "\uff0b1", "\uff0d1", "\uff20A1")]
    ["'", "'", "'", "'"]
    """
    if value is None:
        return ""
    if isinstance(value, (int, Decimal)):
        return str(value).replace(".", ",")
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV with semicolons, as in German spreadsheets; cells made safe.

    >>> csv_text([["Platz", "Name"], [1, "=Eva"]])
    "Platz;Name\\r\\n1;'=Eva\\r\\n"
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return out.getvalue()


# --- Address books as vCards (versions 2.1 to 4), as rows of a table


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
