"""Lists of people in files: every encoding and format, and what is wrong with a file or a row."""

import contextlib
import io
import zipfile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.files import people, rows_of
from tournaments.imports.domain.listing import Fault
from tournaments.papers import workbooks
from tournaments.papers.domain.sheets import (
    MOST_ROWS,
    SheetError,
    csv_text,
    delimiter_of,
    rows_of_text,
    text_of,
)
from tournaments.papers.workbooks import LARGEST_FILE, LARGEST_UNPACKED


def named(data):
    return [(line.number, line.name, line.email) for line in people(data).lines]


def faults(data):
    lines = people(data).lines
    return {line.number: line.fault for line in lines if line.fault}


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


def test_quoted_cells_may_hold_delimiters_quotes_and_line_breaks():
    text = 'Name;Notiz;E-Mail\r\n"Lang; Eva";"sagt ""ja""\r\nund nein";e@x.at\r\nOtto;;\r\n'
    assert named(text) == [(2, "Lang; Eva", "e@x.at"), (4, "Otto", "")]


def test_lines_are_counted_as_in_the_file_whatever_is_blank():
    assert named("sep=,\nName,E-Mail\n\n , \nEva,e@x.at\n") == [(5, "Eva", "e@x.at")]


def test_the_headings_may_stand_below_a_title():
    assert named("Vereinsliste 2026;;\n;;\nVorname;Nachname\nEva;Lang\n") == [(4, "Eva Lang", "")]


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


def test_a_list_of_names_needs_no_headings_and_names_may_hold_commas_below_a_heading():
    assert named("Eva Lang\nOtto Kurz\n") == [(1, "Eva Lang", ""), (2, "Otto Kurz", "")]
    assert named("eva@x.at;Eva;Lang\n") == [(1, "Eva Lang", "eva@x.at")]
    assert not people("Eva Lang\n").has_headings
    assert people("Name\nLang, Eva\n").has_headings
    assert named("Name\nLang, Eva\n") == [(2, "Lang, Eva", "")]


@pytest.mark.parametrize(
    "text",
    ["Nick;Punkte\nEva;3\n", "E-Mail\ne@x.at\n", "Nick;E-Mail\nEva;e@x.at\n", "a@x.at\n",
     "Lang, Eva\nKurz, Otto\n", "Eva;Lang;Wien;e@x.at\n"],
)  # fmt: skip
def test_without_a_column_of_names_nothing_is_guessed(text):
    with pytest.raises(SheetError) as caught:
        people(text)
    assert caught.value.code == "no_name_column"
    assert caught.value.found == tuple(
        cell.strip() for cell in text.splitlines()[0].replace(",", ";").split(";")
    )


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


def test_the_row_that_is_repeated_is_named():
    lines = people("Name\nEva\nOtto\n  EVA \n").lines
    assert [(line.number, line.twin) for line in lines if line.fault] == [(4, 2)]


def test_a_formula_in_a_column_that_is_not_read_does_not_matter():
    assert faults("Name;Summe\nEva;=1+1\n") == {}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b";;\n;\n", "empty"),
        (b"Name;E-Mail\n", "only_headings"),
        (b"%PDF-1.7", "no_spreadsheet"),
        (b"<html><table>", "no_spreadsheet"),
        (b'[{"name": "Eva"}]', "no_spreadsheet"),
        (b"\xd0\xcf\x11\xe0 xls", "old_excel"),
        (b"N\0a\x01m\0\0\0e", "no_text"),
        (b"Name\n\x81\x8d\x8f", "no_text"),
        (b"\xff\xfe\x00", "no_text"),
        (b'Name\n"' + b"x" * 200_000, "no_text"),
        (b"x" * (LARGEST_FILE + 1), "too_large"),
        (b"PK\x03\x04 cut off", "broken"),
        (zipped({"word/document.xml": "<x/>"}), "no_spreadsheet"),
        (zipped({"xl/workbook.xml": "<x/>"}), "broken"),
        (zipped({f"a{number}": "" for number in range(2001)}), "too_large_unpacked"),
    ],
)
def test_a_file_that_is_no_list_says_what_it_is(data, code):
    with pytest.raises(SheetError) as caught:
        people(data)
    assert caught.value.code == code


def test_a_file_that_unpacks_to_far_more_than_it_weighs_is_not_unpacked():
    bomb = zipped({"xl/workbook.xml": "<x/>", "xl/worksheets/sheet1.xml": b"0" * LARGEST_UNPACKED})
    assert len(bomb) < 100_000
    with pytest.raises(SheetError, match="too_large_unpacked"):
        rows_of(bomb)


def test_too_many_rows_are_refused_and_as_many_as_allowed_are_not():
    people("Name\n" + "\n".join(f"P{number}" for number in range(MOST_ROWS)))
    with pytest.raises(SheetError, match="too_many_rows"):
        people("Name\n" + "\n".join(f"P{number}" for number in range(MOST_ROWS + 1)))


def test_a_workbook_is_read_from_its_first_sheet_with_its_row_numbers():
    data = workbook(["Vorname", "Nachname", "E-Mail"], ["Eva", "Lang", "e@x.at"], [], [7.0, 8.5])
    assert named(data) == [(2, "Eva Lang", "e@x.at"), (4, "7 8.5", "")]


def test_nothing_comes_below_a_thousand_blank_rows_of_a_workbook():
    blank = [[]] * workbooks.MOST_BLANK_ROWS
    rows = rows_of(workbook(["Name"], [], [], ["Eva"], *blank[1:], ["Otto"], *blank, ["Max"]))
    assert [row.cells[0] for row in rows] == ["Name", "Eva", "Otto"]


def test_formulas_of_a_workbook_are_neither_worked_out_nor_believed():
    data = workbook(["Name", "E-Mail"], ["=A1", "e@x.at"], ["Eva", "=A2"], ["Otto", None])
    assert faults(data) == {2: Fault.FORMULA, 3: Fault.FORMULA}
    assert named(data)[0] == (2, "=A1", "e@x.at")


def test_array_formulas_and_dates_are_read_as_text():
    from datetime import date

    from openpyxl.worksheet.formula import ArrayFormula

    def change(book):
        book.active["A2"] = ArrayFormula("A2:A2", "=UPPER(A1)")
        book.active["A3"] = date(2026, 1, 2)

    data = workbook(["Name"], change=change)
    assert faults(data) == {2: Fault.FORMULA}
    assert named(data)[1][1].startswith("2026-01-02")


def test_a_size_that_a_workbook_only_claims_is_not_believed():
    data = workbook(["Name"], ["Eva"], ["Otto"])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert b'ref="A1:A3"' in sheet
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'ref="A1:A3"', b'ref="A1"')
    assert [name for _row, name, _email in named(zipped(parts))] == ["Eva", "Otto"]


@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_or_a_sheet_error(data):
    with contextlib.suppress(SheetError):
        people(data)


@given(st.text(max_size=120))
def test_any_text_keeps_its_lines_in_order(text):
    try:
        numbers = [row.number for row in rows_of_text(text)]
    except SheetError:
        return
    assert numbers == sorted(set(numbers))


def test_what_is_written_can_be_read_again_and_holds_no_formula():
    text = csv_text([["Name", "E-Mail"], ["Lang; Eva", "e@x.at"], ["=1+1", None]])
    assert delimiter_of(text) == ";"
    assert [row.cells for row in rows_of_text(text)][1:] == [("Lang; Eva", "e@x.at"), ("'=1+1", "")]
    assert text_of(text.encode()) == text
