"""Tables as they are written: in parts, and with no formula in them."""

import openpyxl

from tournaments.papers.workbooks import csv_parts, workbook_of


def test_a_workbook_that_is_written_holds_texts_and_no_formula():
    with workbook_of([["Name", "Zahl"], ["=1+1", 7], ["a\x00b", None]]) as file:
        sheet = openpyxl.load_workbook(file).active
        assert [cell.data_type for cell in sheet[2]] == ["s", "n"]
        assert [[cell.value for cell in row] for row in sheet] == [
            ["Name", "Zahl"], ["=1+1", 7], ["ab", None],
        ]  # fmt: skip


def test_a_long_file_is_written_in_parts():
    parts = list(csv_parts([number] for number in range(1_200)))
    assert len(parts) == 4
    assert "".join(parts).removeprefix("\ufeff").split() == [str(n) for n in range(1_200)]
