"""What tests of lists in files need: data as a file, read."""

import io
import tempfile
import zipfile
from pathlib import Path

import openpyxl

from tournaments.imports.domain.columns import is_heading
from tournaments.imports.domain.listing import Listing, listing_of
from tournaments.papers.domain.sheets import SheetError
from tournaments.papers.workbooks import sheet_of_file


def sheet_of(data, at=0):
    data = data.encode() if isinstance(data, str) else data
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return sheet_of_file(Path(file.name), is_heading, at)


def rows_of(data):
    return list(sheet_of(data).rows)


def people(data, layout=None):
    listing = listing_of(iter(rows_of(data)), layout)
    if listing.layout is None:
        raise SheetError("no_name_column")
    return Listing(head=listing.head, layout=listing.layout, lines=tuple(listing.lines))


def workbook(*rows, change=lambda book: None):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def zipped(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()
