"""What is in the files of lists: the preview row by row, and files that are no lists."""

import io

import openpyxl
import pytest

from tests import factories as f
from tests.pressing import url_of
from tests.views.desk import Nothing
from tests.views.importing import CSV, confirm, hidden, names, reasons, upload
from tests.views.pages import text_of
from tournaments.access import Role

pytestmark = pytest.mark.django_db


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_page_says_what_may_be_in_the_file(client, desk, event):
    answer = text_of(client.get(url_of(event, "import")))
    assert "data-file-drop" in answer
    assert "CSV oder XLSX" in answer
    assert 'accept=".csv,.xlsx,.txt,.tsv"' in answer


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_every_encoding_arrives_whole(client, desk, event, encoding):
    confirm(client, event, upload(client, event, CSV.encode(encoding)))
    assert names(event)[1] == ("Jörg Strauß", "")


def test_every_row_left_out_is_shown_with_its_number_and_why(client, desk, event):
    f.register(event, "Petra Probst", email="petra@example.org")
    f.register(event, "Otto Kurz")
    rows = [
        "Name;E-Mail",
        "Eva Lang;eva@example.org",
        ";niemand@example.org",
        f"{'x' * 201};",
        "Max Zauner;keine-adresse",
        "EVA  LANG;",
        "OTTO KURZ;kurz@example.org",
        "Petra Probst;andere@example.org",
        "petra  probst;petra@example.org",
        '"=HYPERLINK(""http://x"")";',
        '"Ina\nMoser";',
        "<b>Bold</b>;",
    ]
    preview = upload(client, event, "\n".join(rows))
    assert reasons(preview) == {
        3: "Der Name fehlt.",
        4: "Der Name ist zu lang: höchstens 200 Zeichen.",
        5: "Das ist keine E-Mail-Adresse.",
        6: "Steht schon in Zeile 2.",
        7: "Ist schon angemeldet.",
        9: "Ist schon angemeldet.",
        10: "In der Zelle steht eine Formel.",
        11: "Im Namen ist ein Zeilenumbruch. Fehlt weiter oben ein Anführungszeichen?",
    }
    assert "8 Zeilen werden ausgelassen" in text_of(preview)
    assert "<b>" not in text_of(preview)
    confirm(client, event, preview)
    assert [name for name, _email in names(event)][2:] == [
        "Eva Lang", "Petra Probst", "<b>Bold</b>",
    ]  # fmt: skip


def test_a_formula_in_a_workbook_is_neither_worked_out_nor_taken_over(client, desk, event):
    data = workbook(["Name", "E-Mail"], ["=CONCAT(A1,B1)", "e@x.at"], ["Eva", None])
    preview = upload(client, event, data, "liste.xlsx")
    assert reasons(preview) == {2: "In der Zelle steht eine Formel."}
    confirm(client, event, preview)
    assert names(event) == [("Eva", "")]


def test_rows_beyond_the_capacity_are_left_out(client, desk):
    event = f.make_event(capacity=3)
    f.sign_browser_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    preview = upload(client, event, "Name\nEins\nZwei\nDrei\n")
    assert reasons(preview) == {4: "Kein Platz mehr frei: Das Turnier nimmt höchstens 3."}
    assert confirm(client, event, preview).status_code == 204
    assert len(names(event)) == 3


def test_when_nobody_is_left_there_is_nothing_to_confirm(client, desk, event):
    preview = upload(client, event, "Name;E-Mail\n;a@example.org\n")
    assert preview.status_code == 200
    assert "Es bleibt niemand" in text_of(preview)
    assert hidden(preview, "people") is None


def test_a_list_without_headings_says_that_its_first_row_is_a_person(client, desk, event):
    assert "Die erste Zeile gilt als Person." in text_of(upload(client, event, "Eva\nOtto\n"))
    assert "Die erste Zeile" not in text_of(upload(client, event, CSV))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "Die Datei ist leer."),
        ("\n \n", "Die Datei ist leer."),
        ("Name;E-Mail\n", "nur Überschriften"),
        ("Nick;Punkte\nEva;3\n", "Gefunden: Nick, Punkte."),
        ("<html></html>", "Das ist keine Tabelle."),
        (b"%PDF-1.7", "Das ist keine Tabelle."),
        (b"\x89PNG\r\n", "Das ist keine Tabelle."),
        (b"\xd0\xcf\x11\xe0", "alten Format (.xls)"),
        (b"PK\x03\x04broken", "beschädigt"),
        (b"Name;x\nEva\0;y", "nicht lesbar"),
        ("Name\n" + "\n".join(map(str, range(20_002))), "höchstens 20000"),
        (b"x" * (10 * 1024 * 1024 + 1), "zu groß"),
    ],
)
def test_a_file_that_is_no_list_is_refused_in_a_sentence(client, desk, event, data, sentence):
    with Nothing(event):
        answer = upload(client, event, data)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert 'class="errorlist"' in text_of(answer)
    assert "data-file-drop" in text_of(answer)


def test_without_a_file_one_is_asked_for(client, desk, event):
    answer = client.post(url_of(event, "import"))
    assert answer.status_code == 422
    assert "Bitte eine Datei wählen." in text_of(answer)
