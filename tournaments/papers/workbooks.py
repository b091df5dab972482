"""Files with tables, CSV or XLSX: read as rows, written row by row.

A file comes from outside: any error becomes a `SheetError`, and neither its unpacked size nor its
number of rows can do harm. Formulas are never computed, and their stored results are not trusted.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse

from tournaments.papers.domain.sheets import (
    BEGINS,
    MOST_COLUMNS,
    MOST_ROWS,
    IsHeading,
    Row,
    SheetError,
    csv_text,
    row_of,
    rows_of_text,
    rows_of_vcards,
    text_of,
)
from tournaments.papers.reading import rows_read_apart

# Imported where a workbook is read or written: few processes do.
if TYPE_CHECKING:
    from openpyxl import Workbook

LARGEST_FILE = 10 * 1024 * 1024
LARGEST_UNPACKED = 48 * 1024 * 1024
MOST_PARTS = 2_000
XLSX, ODS = "xl/workbook.xml", "content.xml"
ODS_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
# A formatted whole column is a million blank rows: nothing follows them.
MOST_BLANK_ROWS = 1_000
AT_ONCE = 500
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
OTHER_FILES = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a file: its rows, and the names of all sheets of a workbook."""

    rows: Iterator[Row]
    names: tuple[str, ...] = ()


def sheet_of_file(path: Path, is_heading: IsHeading, sheet: int = 0) -> Sheet:
    """Return a CSV or vCard file, or a sheet of a workbook, told apart by the first bytes.

    :raises SheetError: "empty", "too_large", "too_many_rows", "old_excel", "no_text", "broken",
        "too_large_unpacked", "no_spreadsheet", "too_slow"; some only while the rows are read.
    """
    size = path.stat().st_size
    if not size:
        raise SheetError("empty")
    if size > LARGEST_FILE:
        raise SheetError("too_large")
    with path.open("rb") as file:
        beginning = file.read(8)
    if beginning.startswith(OLD_EXCEL):
        raise SheetError("old_excel")
    if beginning.startswith(OTHER_FILES):
        raise SheetError("no_spreadsheet")
    if beginning.startswith(b"PK"):
        _refuse_unless_workbook(path)
        names, rows = rows_read_apart(path, sheet)
        return Sheet(rows, names)
    text = text_of(path.read_bytes())
    if text.lstrip()[: len(BEGINS)].upper() == BEGINS:
        return Sheet(rows_of_vcards(text))
    return Sheet(rows_of_text(text, is_heading))


def rows_of_workbook(path: Path, at: int = 0) -> Iterator[Row | str]:
    """Yield the rows of a workbook's sheet, and each name of a sheet, read in this process.

    :raises SheetError: "broken" or "too_many_rows".
    """
    try:
        yield from _rows_of_ods(path, at) if _is_ods(path) else _rows(path, at)
    except SheetError:
        raise
    except Exception:
        # The reader has about twenty kinds of exceptions for this.
        raise SheetError("broken")


def _refuse_unless_workbook(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise SheetError("broken")
    # The reader of the archive unpacks no more than the declared size.
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise SheetError("too_large_unpacked")
    names = {part.filename for part in parts}
    if XLSX not in names and not (ODS in names and _is_ods(path)):
        raise SheetError("no_spreadsheet")


def _is_ods(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        return "mimetype" in names and archive.read("mimetype").startswith(ODS_KIND)


def _rows_of_ods(path: Path, wanted: int) -> Iterator[Row | str]:
    """Yield the names of an OpenDocument table's sheets, and the non-blank rows of one."""
    count = number = last = 0
    at = -1
    with zipfile.ZipFile(path) as archive, archive.open(ODS) as part:
        for event, element in iterparse(part, events=("start", "end")):
            kind = element.tag.rpartition("}")[2]
            if kind == "table" and event == "start":
                at += 1
                yield next((v for k, v in element.attrib.items() if k.endswith("}name")), "")
            if kind != "table-row" or event == "start":
                continue
            if at == wanted and number - last <= MOST_BLANK_ROWS:
                row = row_of(number + 1, *_cells_of_ods(element))
                number += _repeated(element, "rows")
                if row is not None:
                    count, last = count + 1, number
                    if count > MOST_ROWS + 1:
                        raise SheetError("too_many_rows")
                    yield row
            element.clear()


def _cells_of_ods(row: Element) -> tuple[list[str], list[int]]:
    cells: list[str] = []
    formulas: list[int] = []
    for cell in row:
        text = "\n".join("".join(part.itertext()) for part in cell if part.tag.endswith("}p"))
        if any(name.endswith("}formula") for name in cell.attrib):
            formulas.append(len(cells))
        cells += [text] * min(_repeated(cell, "columns"), MOST_COLUMNS - len(cells))
    return cells, formulas


def _repeated(element: Element, what: str) -> int:
    found = (v for k, v in element.attrib.items() if k.endswith(f"number-{what}-repeated"))
    return int(next(found, "1"))


def _rows(path: Path, wanted: int) -> Iterator[Row | str]:
    count = last = 0
    # Pass the open file: with a path the reader would trust its suffix.
    with path.open("rb") as file, closing(_book(file)) as book:
        yield from (sheet.title for sheet in book.worksheets)
        sheet = book.worksheets[wanted]
        # A file's own dimensions are often wrong, and rows would be missing.
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS), start=1):
            if number - last > MOST_BLANK_ROWS:
                return
            if count > MOST_ROWS:
                raise SheetError("too_many_rows")
            formulas = [i for i, cell in enumerate(cells) if cell.data_type == "f"]
            row = row_of(number, [_text(cell.value) for cell in cells], formulas)
            if row is not None:
                count, last = count + 1, number
                yield row


def _book(file: IO[bytes]) -> Workbook:
    from openpyxl import load_workbook

    return load_workbook(file, read_only=True, data_only=False)


def _text(value: object) -> str:
    """Return a cell's value as typed: 7.0 is "7"."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return getattr(value, "text", None) or str(value)


def csv_parts(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a CSV file in parts; the byte order mark tells spreadsheets that it is UTF-8."""
    yield "\ufeff"
    following = iter(rows)
    while some := list(islice(following, AT_ONCE)):
        yield csv_text(some)


def workbook_of(rows: Iterable[Sequence[object]]) -> IO[bytes]:
    """Return a workbook of one sheet, no text of it a formula, as a file deleted on close."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook(write_only=True)
    sheet = book.create_sheet()

    def cell(value: object) -> object:
        if value is None or isinstance(value, (int, float, Decimal)):
            return value
        made = WriteOnlyCell(sheet, value=ILLEGAL_CHARACTERS_RE.sub("", str(value)))
        made.data_type = "s"
        return made

    for row in rows:
        sheet.append([cell(value) for value in row])
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the view that sends it closes it
    book.save(file)
    file.seek(0)
    return file
