"""What tests of lists in files need: data as a file, read."""

import tempfile
from pathlib import Path

from tournaments.imports.domain.listing import Listing, is_heading, listing_of
from tournaments.papers.domain.sheets import SheetError
from tournaments.papers.workbooks import rows_of_file


def rows_of(data):
    data = data.encode() if isinstance(data, str) else data
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return list(rows_of_file(Path(file.name), is_heading))


def people(data, layout=None):
    listing = listing_of(iter(rows_of(data)), layout)
    if listing.layout is None:
        raise SheetError("no_name_column", [cell for cell in listing.head[0].cells if cell])
    return Listing(head=listing.head, layout=listing.layout, lines=tuple(listing.lines))
