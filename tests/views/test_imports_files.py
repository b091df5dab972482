"""What is in the files of lists: the preview row by row, and files that are no lists."""

import io
import re
import zipfile
from datetime import timedelta

import openpyxl
import pytest
from django.utils.timezone import now

from tests import factories as f
from tests.pressing import url_of
from tests.views.desk import Nothing
from tests.views.importing import CSV, confirm, hidden, names, reasons, upload
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.event.services.lifecycle import event_update
from tournaments.imports.uploads import uploads_clear
from tournaments.models import Registration, Waiting
from tournaments.papers.workbooks import LARGEST_UNPACKED
from tournaments.people.services.members import people_merge

pytestmark = pytest.mark.django_db


def zipped(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def laughs():
    """Return a workbook whose first sheet names a name that names names, a billion times."""
    with zipfile.ZipFile(io.BytesIO(workbook(["Name"], ["Eva"]))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = "".join(
        f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' if level else '<!ENTITY a0 "ha">'
        for level in range(10)
    )
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    body = sheet.partition("?>")[2] if sheet.startswith("<?xml") else sheet
    body = body.replace("<v>0</v>", "<v>&a9;</v>").replace("</sheetData>", "&a9;</sheetData>")
    parts["xl/worksheets/sheet1.xml"] = f"<!DOCTYPE worksheet [{names}]>{body}".encode()
    return zipped(parts)


LAUGHS = laughs()


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
        6: "Steht schon in Zeile 2.",
        7: "Ist schon angemeldet.",
        9: "Ist schon angemeldet.",
        10: "In der Zelle steht eine Formel.",
        11: "Im Namen ist ein Zeilenumbruch. Fehlt weiter oben ein Anführungszeichen?",
    }
    assert "7 Zeilen werden ausgelassen" in text_of(preview)
    assert "<b>" not in text_of(preview)
    # What is no address is left out, and the person is not.
    assert "Bei 1 Person ist eine Angabe keine Adresse oder Nummer" in text_of(preview)
    assert "ausgelassen: keine-adresse" in text_of(preview)
    confirm(client, event, preview)
    assert [name for name, _email in names(event)][2:] == [
        "Eva Lang", "Max Zauner", "Petra Probst", "<b>Bold</b>",
    ]  # fmt: skip


def test_a_formula_in_a_workbook_is_neither_worked_out_nor_taken_over(client, desk, event):
    data = workbook(["Name", "E-Mail"], ["=CONCAT(A1,B1)", "e@x.at"], ["Eva", None])
    preview = upload(client, event, data, "liste.xlsx")
    assert reasons(preview) == {2: "In der Zelle steht eine Formel."}
    confirm(client, event, preview)
    assert names(event) == [("Eva", "")]


def test_those_for_whom_no_place_is_left_wait_and_the_preview_says_so(client, desk):
    event = f.make_event(capacity=3)
    f.sign_browser_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    preview = upload(client, event, "Name\nEins\nZwei\nDrei\nVier\n")
    assert reasons(preview) == {}
    assert "2 Personen kommen auf die Warteliste" in text_of(preview)
    assert text_of(preview).count(">Warteliste<") == 2
    assert confirm(client, event, preview).status_code == 204
    assert "4 Personen sind angemeldet, davon auf der Warteliste: 2." in text_of(
        client.get(url_of(event, "desk"))
    )
    waiting = Waiting.objects.live().filter(event=event).order_by("pk")
    assert [row.registration.person.name for row in waiting] == ["Drei", "Vier"]


def test_who_is_known_is_told_from_a_namesake_and_from_who_is_only_alike(client, desk, event):
    before = f.make_event(name="Davor")
    f.register(before, "Eva Lang", email="eva@example.org")
    f.register(before, "Jörg Müller")
    rows = ["eva lang;", "Eva Lang;andere@example.org", "Mueller, Joerg;", "Otto Kurz;"]
    page = text_of(upload(client, event, "Name;E-Mail\n" + "\n".join(rows)))
    assert "1 Person kennt der Verein schon" in page
    assert page.count("schon bekannt") == 1
    assert "ähnlich: Jörg Müller" in page
    assert "1 Name ähnelt einer Person" in page
    known = upload(client, event, "Name;E-Mail\nEva Lang;andere@example.org\n")
    assert "ähnlich: Eva Lang" in text_of(known)


def test_who_was_merged_is_known_by_both_names_and_addresses(client, desk, event):
    before, other = f.make_event(name="Davor"), f.make_event(name="Noch davor")
    kept = f.register(before, "Petra Probst", email="petra@example.org").person
    gone = f.register(other, "Peti Probst", email="peti@example.org").person
    people_merge(ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL), kept=kept, gone=gone)
    for email, is_known in (("", True), ("peti@example.org", True), ("x@example.org", False)):
        page = text_of(upload(client, event, f"Name;E-Mail\nPeti Probst;{email}\n"))
        assert ("schon bekannt" in page) is is_known


def test_the_membership_of_a_namesake_gives_no_place(client):
    """The preview and the service agree on who has a place while only members have one."""
    event = f.make_event(capacity=5)
    event_update(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL),
        settings={"members_first_until": now() + timedelta(hours=1)},
    )
    before = f.make_event(name="Davor")
    f.register(before, "Eva Lang", email="eva@example.org", is_member=True)
    f.sign_browser_in(client, Role.DESK)
    preview = upload(client, event, "Name;E-Mail\nEva Lang;andere@example.org\n")
    assert "1 Person kommt auf die Warteliste" in text_of(preview)
    confirm(client, event, preview)
    assert Waiting.objects.live().filter(event=event).count() == 1


def test_the_same_file_again_has_nobody_left_to_take_over(client, desk, event):
    confirm(client, event, upload(client, event, CSV))
    again = upload(client, event, CSV)
    assert reasons(again) == {2: "Ist schon angemeldet.", 3: "Ist schon angemeldet."}
    assert hidden(again, "people") is None
    assert "Es bleibt niemand" in text_of(again)


def test_members_come_first_in_the_preview_as_in_the_service(client, desk):
    event = f.make_event(capacity=3)
    until = {"members_first_until": now() + timedelta(days=1)}
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings=until)
    f.sign_browser_in(client, Role.DESK, event)
    preview = upload(client, event, "Name;Mitglied\nEins;nein\nZwei;ja\nDrei;\n")
    assert "2 Personen kommen auf die Warteliste" in text_of(preview)
    confirm(client, event, preview)
    placed = Registration.objects.live().exclude(waitings__voided_by=None, waitings__pk__gt=0)
    assert list(placed.values_list("person__name", flat=True)) == ["Zwei"]


def test_everything_a_file_tells_is_taken_over(client, desk, event):
    text = "Name;E-Mail;Handy;Mitglied;Bemerkung\nEva;e@x.at;+43 660 123;ja;kommt mit Rad\n"
    confirm(client, event, upload(client, event, text))
    row = Registration.objects.get(event=event)
    person = row.person
    assert (person.email, person.phone, person.is_member) == ("e@x.at", "+43 660 123", True)
    assert row.remark == "kommt mit Rad"


def correct(client, event, preview, **chosen):
    upload_name = re.search(r'name="upload" value="([^"]*)"', text_of(preview)).group(1)
    return client.post(url_of(event, "import"), {"upload": upload_name, **chosen})


def test_what_was_guessed_is_shown_and_can_be_corrected(client, desk, event):
    preview = upload(client, event, "Name;Telefon\nEva Lang;Vater\nOtto;0660 1\n")
    assert "ausgelassen: Vater" in text_of(preview)
    assert '<option value="phone" selected>' in text_of(preview)
    chosen = {"first_row": "2", "column-0": "name", "column-1": "remark"}
    second = correct(client, event, preview, **chosen)
    assert second.status_code == 200
    assert reasons(second) == {}
    assert "2 Personen übernehmen" in text_of(second)
    confirm(client, event, second)
    rows = Registration.objects.order_by("pk")
    assert [row.remark for row in rows] == ["Vater", "0660 1"]


def test_a_file_of_other_headings_asks_which_column_holds_the_name(client, desk, event):
    with Nothing(event):
        preview = upload(client, event, "Nick;Punkte\nEva;3\n")
        assert preview.status_code == 422
        assert "Gefunden: Nick, Punkte." in text_of(preview)
        assert hidden(preview, "people") is None
        nothing = correct(client, event, preview, **{"first_row": "2", "column-1": "email"})
        assert nothing.status_code == 422
        assert "in welcher Spalte der Name steht" in text_of(nothing)
        wrong = correct(client, event, preview, **{"first_row": "0", "column-0": "name"})
        assert wrong.status_code == 422
    chosen = {"first_row": "2", "column-0": "name", "column-1": ""}
    confirm(client, event, correct(client, event, preview, **chosen))
    assert names(event) == [("Eva", "")]


def test_only_a_file_of_this_event_is_read_otherwise_and_not_for_ever(client, desk, event):
    preview = upload(client, event, CSV)
    other = f.make_event(name="Anderes")
    f.sign_browser_in(client, Role.DIRECTOR)
    answer = correct(client, other, preview, **{"first_row": "2", "column-0": "name"})
    assert answer.status_code == 422
    assert "Die Vorschau gilt nicht mehr." in text_of(answer)
    uploads_clear(now() + timedelta(days=2))
    answer = correct(client, event, preview, **{"first_row": "2", "column-0": "name"})
    assert answer.status_code == 422
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 422


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
        ("<html></html>", "Das ist keine Tabelle."),
        (b"%PDF-1.7", "Das ist keine Tabelle."),
        (b"\x89PNG\r\n", "Das ist keine Tabelle."),
        (b"\xd0\xcf\x11\xe0", "alten Format (.xls)"),
        (b"PK\x03\x04broken", "beschädigt"),
        (zipped({"xl/workbook.xml": b"0" * (LARGEST_UNPACKED + 1)}), "entpackt zu groß"),
        (LAUGHS, "beschädigt"),
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
    assert "Bitte eine Datei wählen oder eine Liste einfügen." in text_of(answer)
