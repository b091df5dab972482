"""A spreadsheet that stopped the evening: read apart, in bounds, and never in the writer's turn."""

import io
import sys
import threading
import zipfile

import openpyxl
import pytest

from krru.web.pages import MULTIPART
from tests.domain.files import rows_of
from tests.infra.test_pages import ask
from tournaments.papers import reading
from tournaments.papers.domain.sheets import LONGEST_CELL, SheetError

SHEET = "xl/worksheets/sheet1.xml"


def workbook_with(sheet):
    """Return a workbook with this XML as its sheet, as Excel writes one."""
    out = io.BytesIO()
    openpyxl.Workbook().save(out)
    with zipfile.ZipFile(out) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[SHEET] = sheet
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return made.getvalue()


def sheet_of(rows):
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'


NAMED = '<row r="1"><c r="A1" t="inlineStr"><is><t>Eva</t></is></c></row>'


def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(reading, "SECONDS", 0.01)
    with pytest.raises(SheetError, match="too_slow"):
        rows_of(workbook_with(sheet_of(NAMED)))


@pytest.mark.skipif(sys.platform == "win32", reason="knows no such bound")
def test_what_takes_too_much_memory_is_ended(monkeypatch):
    """A single cell of 40 MB unpacks from 40 KB."""
    cell = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{"x" * 40_000_000}</t></is></c></row>'
    data = workbook_with(sheet_of(cell))
    assert len(data) < 100_000
    assert len(rows_of(data)[0].cells[0]) == LONGEST_CELL
    monkeypatch.setattr(reading, "MEMORY_BYTES", 80 * 1024 * 1024)
    with pytest.raises(SheetError, match=r"too_slow|broken"):
        rows_of(data)


def test_a_form_with_a_file_takes_nobodys_turn_to_write():
    def app(environ, start_response):
        start_response("200 OK", [])
        return [threading.current_thread().name.encode()]

    form = ((b"content-type", MULTIPART + b"; boundary=x"),)
    assert ask(app, method="POST", headers=form)[2].startswith(b"read")
    assert ask(app, method="POST")[2].startswith(b"write")
