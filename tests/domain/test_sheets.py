"""Lists of people in files: every encoding and format, columns, and what is wrong with them."""

import contextlib
import io
import zipfile
from datetime import date

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.worksheet.formula import ArrayFormula

from tests.domain.files import people, rows_of, workbook, zipped
from tournaments.imports.domain.columns import Columns
from tournaments.imports.domain.listing import Fault, Layout, listing_of
from tournaments.papers import workbooks
from tournaments.papers.domain import sheets
from tournaments.papers.domain.sheets import (
    SheetError,
    csv_text,
    delimiter_of,
    rows_of_text,
    text_of,
)
from tournaments.papers.workbooks import LARGEST_FILE, LARGEST_UNPACKED, csv_parts, workbook_of


def named(data):
    return [(line.number, line.name, line.email) for line in people(data).lines]


def faults(data):
    lines = people(data).lines
    return {line.number: line.fault for line in lines if line.fault}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_list_is_read_in_every_encoding_with_every_delimiter(encoding, delimiter):
    rows = [["Name", "E-Mail"], ["Jörg Strauß", "j@example.org"], ["Zoë Ärztl", ""]]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    assert named(text.encode(encoding)) == [
        (2, "Jörg Strauß", "j@example.org"),
        (3, "Zoë Ärztl", ""),
    ]


QUOTED = 'Name;Notiz;E-Mail\r\n"Lang; Eva";"sagt ""ja""\r\nund nein";e@x.at\r\nOtto;;\r\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (QUOTED, [(2, "Lang; Eva", "e@x.at"), (4, "Otto", "")]),
        # Lines are counted as in the file whatever is blank.
        ("sep=,\nName,E-Mail\n\n , \nEva,e@x.at\n", [(5, "Eva", "e@x.at")]),
        # The headings may stand below a title, and a list of names needs none.
        ("Vereinsliste 2026;;\n;;\nVorname;Nachname\nEva;Lang\n", [(4, "Eva Lang", "")]),
        ("Eva Lang\nOtto Kurz\n", [(1, "Eva Lang", ""), (2, "Otto Kurz", "")]),
        ("eva@x.at;Eva;Lang\n", [(1, "Eva Lang", "eva@x.at")]),
        ("Name\nLang, Eva\n", [(2, "Eva Lang", "")]),
    ],
)
def test_a_list_is_read_with_the_numbers_of_its_lines(text, told):
    assert named(text) == told
    assert people(text).has_headings == (told[0][0] > 1)


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("Vorname;Nachname", "Eva;Lang"),
        ("Nachname;Vorname", "Lang;Eva"),
        ("Name;Vorname", "Lang;Eva"),
        ("First Name;Last Name", "Eva;Lang"),
        ("NAME:;Ort", "Eva Lang;Wien"),
        ("Full_Name;Vorname;Nachname", "Eva Lang;E;L"),
        ("Ort;Spieler*in", "Wien;Eva Lang"),
        ("Vorname", "Eva Lang"),
    ],
)
def test_headings_in_german_and_english_tell_the_columns(headings, cells):
    assert named(f"{headings}\n{cells}\n") == [(2, "Eva Lang", "")]


@pytest.mark.parametrize(
    "text",
    [
        *("Nick;Punkte\nEva;3\n", "E-Mail\ne@x.at\n", "Nick;E-Mail\nEva;e@x.at\n", "a@x.at\n"),
        *("Lang, Eva\nKurz, Otto\n", "Eva;Lang;Wien;e@x.at\n"),
    ],
)
def test_without_a_column_of_names_nothing_is_guessed(text):
    with pytest.raises(SheetError, match="no_name_column"):
        people(text)


def test_each_row_that_is_left_out_says_why():
    rows = [
        "Vorname;Nachname;E-Mail",
        "Eva;Lang;e@x.at",
        ";;leer@x.at",
        "=CONCAT(A1;B1);Kurz;",
        "eva;LANG;",
        f"{'x' * 201};;",
        '"Otto\nMax";Kurz;',
        "#NAME?;;",
        "Eva;Lang;andere@x.at",
    ]
    assert faults("\n".join(rows)) == {
        3: Fault.EMPTY,
        4: Fault.FORMULA,
        5: Fault.TWICE,
        6: Fault.TOO_LONG,
        7: Fault.LINE_BREAK,
        9: Fault.FORMULA,
    }


def test_the_row_that_is_repeated_is_named_and_a_formula_that_is_not_read_is_no_fault():
    lines = people("Name\nEva\nOtto\n  EVA \n").lines
    assert [(line.number, line.twin) for line in lines if line.fault] == [(4, 2)]
    assert faults("Name;Summe\nEva;=1+1\n") == {}


NO_LIST = {
    "empty": [b"", b" \r\n\t", b";;\n;\n"],
    "only_headings": [b"Name;E-Mail\n"],
    "no_spreadsheet": [
        *(b"%PDF-1.7", b"<html><table>", b'[{"name": "Eva"}]'),
        zipped({"word/document.xml": "<x/>"}),
    ],
    "old_excel": [b"\xd0\xcf\x11\xe0 xls"],
    "no_text": [
        *(b"N\0a\x01m\0\0\0e", b"Name\n\x81\x8d\x8f", b"\xff\xfe\x00"),
        b'Name\n"' + b"x" * 200_000,
    ],
    "too_large": [b"x" * (LARGEST_FILE + 1)],
    "broken": [b"PK\x03\x04 cut off", zipped({"xl/workbook.xml": "<x/>"})],
    "too_large_unpacked": [zipped({f"a{number}": "" for number in range(2001)})],
}


@pytest.mark.parametrize(
    ("code", "data"), [(code, data) for code, files in NO_LIST.items() for data in files]
)
def test_a_file_that_is_no_list_says_what_it_is(code, data):
    with pytest.raises(SheetError, match=f"^{code}$"):
        people(data)


def test_a_file_that_unpacks_to_far_more_than_it_weighs_is_not_unpacked():
    bomb = zipped({"xl/workbook.xml": "<x/>", "xl/worksheets/sheet1.xml": b"0" * LARGEST_UNPACKED})
    assert len(bomb) < 100_000
    with pytest.raises(SheetError, match="too_large_unpacked"):
        rows_of(bomb)


def test_too_many_rows_are_refused_and_as_many_as_allowed_are_not(monkeypatch):
    monkeypatch.setattr(sheets, "MOST_ROWS", 50)
    people("Name\n" + "\n".join(f"P{number}" for number in range(50)))
    with pytest.raises(SheetError, match="too_many_rows"):
        people("Name\n" + "\n".join(f"P{number}" for number in range(51)))


def test_a_workbook_is_read_from_its_first_sheet_with_its_row_numbers():
    data = workbook(["Vorname", "Nachname", "E-Mail"], ["Eva", "Lang", "e@x.at"], [], [7.0, 8.5])
    assert named(data) == [(2, "Eva Lang", "e@x.at"), (4, "7 8.5", "")]


def test_nothing_comes_below_a_thousand_blank_rows_of_a_workbook():
    blank = [[]] * workbooks.MOST_BLANK_ROWS
    rows = rows_of(workbook(["Name"], [], [], ["Eva"], *blank[1:], ["Otto"], *blank, ["Max"]))
    assert [row.cells[0] for row in rows] == ["Name", "Eva", "Otto"]


def test_formulas_of_a_workbook_are_neither_worked_out_nor_believed_and_dates_are_text():
    def change(book):
        book.active["A5"] = ArrayFormula("A5:A5", "=UPPER(A1)")
        book.active["A6"] = date(2026, 1, 2)

    rows = [["Name", "E-Mail"], ["=A1", "e@x.at"], ["Eva", "=A2"], ["Otto", None]]
    data = workbook(*rows, change=change)
    assert faults(data) == dict.fromkeys((2, 3, 5), Fault.FORMULA)
    assert named(data)[0] == (2, "=A1", "e@x.at")
    assert named(data)[-1][1].startswith("2026-01-02")


def test_a_size_that_a_workbook_only_claims_is_not_believed():
    data = workbook(["Name"], ["Eva"], ["Otto"])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert b'ref="A1:A3"' in sheet
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'ref="A1:A3"', b'ref="A1"')
    assert [name for _row, name, _email in named(zipped(parts))] == ["Eva", "Otto"]


@given(st.binary(max_size=200), st.text(max_size=120))
def test_any_bytes_are_a_list_or_a_sheet_error_and_any_text_keeps_its_lines_in_order(data, text):
    with contextlib.suppress(SheetError):
        people(data)
    with contextlib.suppress(SheetError):
        numbers = [row.number for row in rows_of_text(text)]
        assert numbers == sorted(set(numbers))


def test_what_is_written_can_be_read_again_and_holds_no_formula():
    text = csv_text([["Name", "E-Mail"], ["Lang; Eva", "e@x.at"], ["=1+1", None]])
    assert delimiter_of(text) == ";"
    assert [row.cells for row in rows_of_text(text)][1:] == [("Lang; Eva", "e@x.at"), ("'=1+1", "")]
    assert text_of(text.encode()) == text


def test_a_workbook_that_is_written_holds_texts_and_no_formula():
    with workbook_of([["Name", "Zahl"], ["=1+1", 7], ["a\x00b", None]]) as file:
        sheet = openpyxl.load_workbook(file).active
        assert [cell.data_type for cell in sheet[2]] == ["s", "n"]
        values = [[cell.value for cell in row] for row in sheet]
        assert values == [["Name", "Zahl"], ["=1+1", 7], ["ab", None]]


def test_a_long_file_is_written_in_parts():
    parts = list(csv_parts([number] for number in range(1_200)))
    assert len(parts) == 4
    assert "".join(parts).removeprefix("\ufeff").split() == [str(n) for n in range(1_200)]


# --- Which columns are read, as guessed or as said, and what they tell


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("Eva;'+43 660 1;ja;kommt später", ("+43 660 1", True, "kommt später", None)),
        ("Otto;;nein;", ("", False, "", None)),
        ("Ina;;;", ("", None, "", None)),
        ("Max;;vielleicht;", ("", None, "", Fault.MEMBER)),
        ("Mia;;X;", ("", True, "", None)),
        ("Leo;;0;", ("", False, "", None)),
        ("Gast;;Gast;", ("", False, "", None)),
    ],
)
def test_contact_member_and_remark_are_read_and_what_is_neither_yes_nor_no_is_said(row, told):
    [line] = people(f"Name;Handy;Mitglied;Bemerkung\n{row}\n").lines
    assert (line.phone, line.is_member, line.remark, line.fault) == told


def test_the_columns_may_be_said_and_the_row_of_the_first_person():
    layout = Layout(columns=Columns(names=(0,), email=2), first_row=3)
    text = "Nick;Punkte;Post\nalt;1;\nEva;2;e@x.at\n"
    listing = people(text, layout)
    [line] = listing.lines
    assert (line.number, line.name, line.email) == (3, "Eva", "e@x.at")
    assert (listing.has_headings, listing.width) == (True, 3)
    below = Layout(columns=layout.columns, first_row=9)
    with pytest.raises(SheetError, match="only_headings"):
        people(text, below)


def test_nothing_is_guessed_when_only_the_beginning_is_asked_for():
    listing = listing_of(iter(rows_of("Name\nEva\n")), guesses=False)
    assert (listing.layout, list(listing.lines), listing.has_headings) == (None, [], False)
