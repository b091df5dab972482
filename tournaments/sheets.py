"""Files with lists of people, CSV or XLSX, as rows.

What the rows mean is said by `domain.sheets`. A file comes from outside: whatever is wrong with it
ends in a `SheetError`, and neither its size unpacked nor its number of rows can hurt. Formulas are
never worked out, nor is what a spreadsheet once worked out for them taken for true.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime

import openpyxl

from tournaments.domain.sheets import (
    MOST_COLUMNS,
    MOST_ROWS,
    Row,
    SheetError,
    row_of,
    rows_of_text,
    text_of,
)

LARGEST_FILE = 10 * 1024 * 1024
LARGEST_UNPACKED = 48 * 1024 * 1024
MOST_PARTS = 2_000
MOST_BLANK_ROWS = 1_100_000  # a sheet has 1,048,576 rows
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
OTHER_FILES = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf")


def rows_of_file(data: bytes) -> list[Row]:
    """Return the rows of a CSV or XLSX file; which of them it is, its first bytes tell.

    :raises SheetError: "empty", "too_large", "too_many_rows", "old_excel", "no_text", "broken",
        "too_large_unpacked", "no_spreadsheet".
    """
    if not data:
        raise SheetError("empty")
    if len(data) > LARGEST_FILE:
        raise SheetError("too_large")
    if data.startswith(OLD_EXCEL):
        raise SheetError("old_excel")
    if data.startswith(OTHER_FILES):
        raise SheetError("no_spreadsheet")
    if data.startswith(b"PK"):
        return _rows_of_workbook(data)
    return list(rows_of_text(text_of(data)))


def _rows_of_workbook(data: bytes) -> list[Row]:
    _refuse_unless_workbook(data)
    try:
        return list(_rows(data))
    except SheetError:
        raise
    except Exception:
        # The reader says what is wrong in some twenty kinds of exceptions, and all mean this.
        raise SheetError("broken")


def _refuse_unless_workbook(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise SheetError("broken")
    # No more than the declared size is ever unpacked: the reader of the archive holds it to that.
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise SheetError("too_large_unpacked")
    if "xl/workbook.xml" not in {part.filename for part in parts}:
        raise SheetError("no_spreadsheet")


def _rows(data: bytes) -> Iterator[Row]:
    """Return the rows of the first sheet that are not blank."""
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False)
    count = 0
    try:
        sheet = book.worksheets[0]
        # What a file says of its own size is often wrong, and then rows would be missing.
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS), start=1):
            if number > MOST_BLANK_ROWS or count > MOST_ROWS:
                raise SheetError("too_many_rows")
            formulas = [i for i, cell in enumerate(cells) if cell.data_type == "f"]
            row = row_of(number, [_text(cell.value) for cell in cells], formulas)
            if row is not None:
                count += 1
                yield row
    finally:
        book.close()


def _text(value: object) -> str:
    """Return a cell's value as it would be typed: 7.0 is "7"."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return getattr(value, "text", None) or str(value)
