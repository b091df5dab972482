"""Files with lists of people, CSV or XLSX, as rows; and the answers that carry such files.

What the rows mean is said by `domain.sheets`. A file comes from outside: whatever is wrong with it
ends in a `SheetError`, and neither its size unpacked nor its number of rows can hurt.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime

import openpyxl

from tournaments.domain.sheets import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    Row,
    SheetError,
    rows_of_text,
    text_of,
)

LARGEST_FILE = 10 * 1024 * 1024
LARGEST_UNPACKED = 64 * 1024 * 1024
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
        rows, formulas = _read(data, with_results=False)
        if not formulas:
            return rows
        return _with_results(rows, formulas, data)
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
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise SheetError("too_large_unpacked")
    if "xl/workbook.xml" not in {part.filename for part in parts}:
        raise SheetError("no_spreadsheet")


def _read(data: bytes, *, with_results: bool) -> tuple[list[Row], dict[int, frozenset[int]]]:
    """Return the rows of the first sheet, and the cells of each that hold formulas."""
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=with_results)
    try:
        rows, formulas = [], {}
        for number, cells, found in _cells(book):
            rows.append(Row(number=number, cells=cells))
            if found:
                formulas[number] = found
            if len(rows) > MOST_ROWS + 1:
                raise SheetError("too_many_rows")
    finally:
        book.close()
    return rows, formulas


def _cells(book: openpyxl.Workbook) -> Iterator[tuple[int, tuple[str, ...], frozenset[int]]]:
    sheet = book.worksheets[0]
    # What a file says of its own size is often wrong, and then rows would be missing.
    sheet.reset_dimensions()  # type: ignore[union-attr]
    for number, row in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS), start=1):
        if number > MOST_BLANK_ROWS:
            raise SheetError("too_many_rows")
        found = frozenset(i for i, cell in enumerate(row) if cell.data_type == "f")
        texts = tuple(_text(cell.value) for cell in row)
        if any(texts):
            yield number, texts, found


def _with_results(
    rows: list[Row], formulas: dict[int, frozenset[int]], data: bytes
) -> list[Row]:
    """Put in what the spreadsheet last worked out; a formula without a result stays one."""
    worked_out = {row.number: row.cells for row in _read(data, with_results=True)[0]}
    result = []
    for row in rows:
        found = formulas.get(row.number)
        if not found:
            result.append(row)
            continue
        known = worked_out.get(row.number, ())
        cells = list(row.cells)
        open_ones = set()
        for index in found:
            value = known[index] if index < len(known) else ""
            if value and not value.startswith("#"):
                cells[index] = value
            else:
                open_ones.add(index)
        result.append(Row(number=row.number, cells=tuple(cells), formulas=frozenset(open_ones)))
    return result


def _text(value: object) -> str:
    """Return a cell's value as it would be typed: 7.0 is "7"."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value).strip()[:LONGEST_CELL]
