"""The reference of lists and files says what the program reads and writes, column by column."""

import re

from django.utils.translation import override

from krru.data.folder import BASE_DIR
from tests.docs_tables import table_after
from tournaments.files.domain import sheets
from tournaments.files.workbooks import LARGEST_FILE, LARGEST_UNPACKED
from tournaments.lists.domain import listing
from tournaments.lists.domain.headings import HEADINGS, Kind
from tournaments.lists.views import exports, people, previews
from tournaments.log.views import log_files

PAGE = (BASE_DIR / "docs" / "reference" / "lists.md").read_text("utf-8")
KINDS = {
    "Name": Kind.NAME,
    "Vorname": Kind.FIRST,
    "Nachname": Kind.LAST,
    "E-Mail": Kind.EMAIL,
    "Telefon": Kind.PHONE,
    "Mitglied": Kind.MEMBER,
    "Bemerkung": Kind.REMARK,
}


def words(cell):
    """Return what a cell lists, up to a remark after a semicolon."""
    told = cell.partition(";")[0].replace("\\", "")
    return {word.strip().casefold() for word in told.split(",")}


def test_every_heading_that_is_read_is_listed_and_no_other():
    rows = {cells[0]: cells[1] for cells in table_after(PAGE, "### Columns")}
    assert {KINDS[name]: words(cell) for name, cell in rows.items()} == dict(HEADINGS)


def test_the_words_for_members_are_the_programs():
    rows = {cells[0]: cells[2] for cells in table_after(PAGE, "### Columns")}
    yes, no, _nothing = rows["Mitglied"].split("; ")
    assert (words(yes), words(no)) == (listing.YES, listing.NO)


def test_the_bounds_are_the_programs():
    bounds = " ".join(" ".join(cells) for cells in table_after(PAGE, "## A list that is read in"))
    for number in (
        LARGEST_FILE // 1024**2,
        LARGEST_UNPACKED // 1024**2,
        sheets.MOST_COLUMNS,
    ):
        assert re.search(rf"\b{number}\b", bounds)
    for number in (sheets.MOST_ROWS, sheets.LONGEST_CELL):
        assert f"{number:,}" in bounds
    assert "first ten rows" in bounds
    assert listing.ROWS_FOR_HEADINGS == 10


def test_every_sentence_about_a_file_is_the_programs():
    with override("de"):
        told = [str(sentence) for sentence in previews.FILE_FAULTS.values()]
    read_in = PAGE.partition("\n## Files that are sent")[0]
    for _file, sentence in table_after(read_in, "### A file that cannot be read"):
        quoted = re.sub(r" \(.*\)$", "", sentence) if "said before" in sentence else sentence
        if not quoted.startswith(("asks", "Die Datei hat zu viele Zeilen")):
            assert any(line.startswith(quoted) for line in told), quoted


def test_the_columns_of_every_file_are_the_programs(rf):
    found = {
        cells[0].strip("`").removeprefix("…-"): [
            name.strip() for name in cells[1].partition(";")[0].split(",")
        ]
        for cells in table_after(PAGE, "## Files that are sent")
    }
    with override("de"):
        wanted = {
            table.file: [str(exports.HEADINGS[column]) for column in table.columns]
            for table in exports.TABLES.values()
        }
        wanted["personen"] = next(people._everybody())
        wanted["protokoll"] = next(log_files._rows(rf.get("/")))
    assert found == wanted
