"""Lists from files or pasted: the preview, its confirmation, and what happened in between."""

import io
import re
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils.timezone import now
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import factories as f
from tests.domain.files import workbook, zipped
from tests.pressing import HTMX, shows, url_of
from tests.seasons import in_club
from tests.views.desk import Nothing
from tests.views.importing import CSV, asked, confirm, hidden, names, reasons, ticks, upload
from tests.views.pages import assert_refused, page_of, text_of
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_cancel
from tournaments.imports.uploads import uploads_clear
from tournaments.models import Action, Person, Registration, Waiting
from tournaments.papers.domain import sheets
from tournaments.people.services.members import people_merge

pytestmark = pytest.mark.django_db


def test_a_preview_changes_nothing_and_is_then_taken_over_in_one_action(client, desk, event):
    with Nothing(event):
        preview = upload(client, event, CSV)
    assert preview.status_code == 200
    assert len(ticks(preview)) == 2
    assert "liste.csv, 2 Zeilen." in text_of(preview)
    assert reasons(preview) == {}
    before = Action.objects.count()
    answer = confirm(client, event, preview)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == url_of(event, "desk")
    assert names(event) == [("Eva Lang", "eva@example.org"), ("Jörg Strauß", "")]
    assert Action.objects.count() == before + 1
    assert "2 Personen sind angemeldet." in page_of(client, event, "desk")
    # The same file again has nobody left to take over.
    again = upload(client, event, CSV)
    assert reasons(again) == {2: "Ist schon angemeldet.", 3: "Ist schon angemeldet."}
    assert hidden(again, "people") is None
    assert "Es bleibt niemand" in text_of(again)
    f.undo(event)
    assert names(event) == []


def test_a_plain_form_confirms_too_and_names_stay_unlisted_if_wanted(client, desk, event):
    preview = upload(client, event, CSV)
    data = {
        "people": hidden(preview, "people"),
        "idempotency_key": hidden(preview, "idempotency_key"),
        **ticks(preview),
    }
    for _press in range(2):
        answer = client.post(url_of(event, "import-confirm"), data)
        assert answer.status_code == 302
        assert answer["Location"] == url_of(event, "desk")
    assert len(names(event)) == 2
    assert not Registration.objects.filter(is_listed=True).exists()


def test_only_previews_and_files_of_this_event_are_taken_and_not_for_ever(client, desk, event):
    other = f.make_event(name="Anderes")
    f.sign_browser_in(client, Role.DIRECTOR)
    preview, chosen = upload(client, other, CSV), {"first_row": "2", "column-0": "name"}
    with Nothing(event):
        for answer in (confirm(client, event, preview), correct(client, event, preview, **chosen)):
            assert_refused(answer, "Die Vorschau gilt nicht mehr.")
        forged = hidden(preview, "people")[:-1] + "x"
        assert confirm(client, event, preview, people=forged).status_code == 422
        assert client.post(url_of(event, "import-confirm"), headers=HTMX).status_code == 422
    uploads_clear(now() + timedelta(days=2))
    with Nothing(other):
        assert correct(client, other, preview, **chosen).status_code == 422
        assert confirm(client, other, preview).status_code == 422


def test_what_happened_since_the_preview_counts(client, desk, event):
    preview = upload(client, event, CSV)
    f.register(event, "Eva Lang")
    with Nothing(event):
        refused = confirm(client, event, preview)
    assert refused.status_code == 422
    told = "Eva Lang ist schon angemeldet. „So lesen“ zeigt die Vorschau neu."
    assert text_of(refused).startswith('<p class="refusal"')
    assert told in text_of(refused)
    f.drive(event_cancel, event, -60)
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 422


@pytest.mark.planned(capacity=20_000)
@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_many_rows_are_shown_and_taken_over_in_few_queries(
    client, desk, event, django_assert_max_num_queries, number
):
    rows = [f"Spieler {n:05},spieler{n}@example.org" for n in range(number)]
    rows[200:203] = ["", ",x@example.org", "Spieler 00001,"]
    with django_assert_max_num_queries(20):
        preview = upload(client, event, "Name,E-Mail\n" + "\n".join(rows))
    assert reasons(preview) == {203: "Der Name fehlt.", 204: "Steht schon in Zeile 3."}
    more = f"Angekreuzte und {number - 203:,} weitere Personen übernehmen"
    assert more.replace(",", ".") in text_of(preview)
    assert len(preview.content) < 200_000
    assert confirm(client, event, preview).status_code == 204
    assert Registration.objects.filter(event=event).count() == number - 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    known=st.lists(
        st.tuples(st.sampled_from(["Eva", "Otto"]), st.sampled_from(["", "a@x.at", "b@x.at"])),
        max_size=3,
    ),
    coming=st.integers(0, 3),
    rows=st.lists(
        st.tuples(
            st.sampled_from(["Eva", "EVA", "Otto", ""]),
            st.sampled_from(["", "a@x.at", "b@x.at", "A@x.at", "nirgends"]),
        ),
        min_size=1,
        max_size=6,
    ),
)
@pytest.mark.usefixtures("desk")
def test_what_the_preview_accepts_the_service_takes(client, event, known, coming, rows):
    """Whoever the club knows, registered here or not, with whatever address."""
    Registration.objects.all().delete()
    other = f.make_event(name="Letztes Mal")
    for number, (name, email) in enumerate(known):
        where = event if number < coming else other
        f.register(where, name, email=email, is_namesake=True)
    data = "Name;E-Mail\n" + "\n".join(f"{name};{email}" for name, email in rows)
    preview = upload(client, event, data)
    if hidden(preview, "people") is not None:
        assert confirm(client, event, preview, **ticks(preview, everybody=True)).status_code == 204
    Registration.objects.all().delete()
    Person.objects.all().delete()


def test_a_list_is_pasted_from_a_chat(client, desk, event):
    text = """[21.11.26, 19:03] Jo: Wer kommt am Donnerstag?
    1. Eva Lang ✅
    2️⃣ Otto Kurz (+1)
    – Zoë Müller 👍🏽 +43 660 1234567
    • *Max Zauner* <max@example.org>, (kommt später)
    - ~Ina Moser~
    7."""
    preview = client.post(url_of(event, "import"), {"text": text})
    assert "Eingefügte Liste, 4 Zeilen. Noch ist nichts gespeichert." in text_of(preview)
    assert ticks(preview) == {f"row-{number}": "take" for number in (1, 2, 3, 4)}
    assert names(event) == []
    assert confirm(client, event, preview).status_code == 204
    rows = Registration.objects.filter(event=event).order_by("pk")
    assert list(rows.values_list("name", "email", "phone", "remark")) == [
        ("Eva Lang", "", "", ""),
        ("Otto Kurz", "", "", "+1"),
        ("Zoë Müller", "", "+43 660 1234567", ""),
        ("Max Zauner", "max@example.org", "", "kommt später"),
    ]


def laughs():
    """Return a workbook whose first sheet names a name that names names, a billion times."""
    with zipfile.ZipFile(io.BytesIO(workbook(["Name"], ["Eva"]))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = "".join(
        f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' if level else '<!ENTITY a0 "ha">'
        for level in range(10)
    )
    body = re.sub(r"^<\?xml.*?\?>", "", parts["xl/worksheets/sheet1.xml"].decode())
    body = body.replace("<v>0</v>", "<v>&a9;</v>").replace("</sheetData>", "&a9;</sheetData>")
    parts["xl/worksheets/sheet1.xml"] = f"<!DOCTYPE worksheet [{names}]>{body}".encode()
    return zipped(parts)


def test_every_row_left_out_is_shown_with_its_number_and_why(client, desk, event):
    f.register(event, "Petra Probst", email="petra@example.org")
    f.register(event, "Otto Kurz")
    rows = [
        "Name;E-Mail",
        "Eva Lang;eva@example.org",
        ";niemand@example.org",
        "Max Zauner;keine-adresse",
        "EVA  LANG;",
        "OTTO KURZ;kurz@example.org",
        "Petra Probst;andere@example.org",
        "petra  probst;petra@example.org",
        '"=HYPERLINK(""http://x"")";',
        "<b>Bold</b>;",
    ]
    preview = upload(client, event, "\n".join(rows))
    assert reasons(preview) == {
        3: "Der Name fehlt.",
        5: "Steht schon in Zeile 2.",
        6: "Ist schon angemeldet.",
        8: "Ist schon angemeldet.",
        9: "In der Zelle steht eine Formel.",
    }
    assert "5 Zeilen werden ausgelassen" in text_of(preview)
    shows(text_of(preview), but=("Die erste Zeile gilt als Person.", "<b>"))
    # What is no address is left out, and the person is not.
    assert "Bei 1 Person ist eine Angabe keine Adresse oder Nummer" in text_of(preview)
    assert "ausgelassen: keine-adresse" in text_of(preview)
    confirm(client, event, preview, **{"row-7": "take"})
    taken = ["Eva Lang", "Max Zauner", "Petra Probst", "<b>Bold</b>"]
    assert [name for name, _email in names(event)][2:] == taken
    assert "Die erste Zeile gilt als Person." in text_of(upload(client, event, "Eva\nOtto\n"))


def test_those_for_whom_no_place_is_left_wait_and_the_preview_says_so(client, desk):
    event = f.make_event(capacity=3)
    f.sign_browser_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    preview = upload(client, event, "Name\nEins\nZwei\nDrei\nVier\n")
    assert reasons(preview) == {}
    assert "2 Personen kommen auf die Warteliste" in text_of(preview)
    assert text_of(preview).count(">Warteliste<") == 2
    assert confirm(client, event, preview).status_code == 204
    assert "4 Personen sind angemeldet, davon auf der Warteliste: 2." in page_of(
        client, event, "desk"
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
    shows(page, "Ähnlich wie Jörg Müller: dieselbe Person?", "1 Zeile ist fraglich")
    preview = upload(client, event, "Name;E-Mail\nEva Lang;andere@example.org\nJoerg Mueller;\n")
    assert asked(preview) == {
        2: "Ähnlich wie Eva Lang: dieselbe Person?",
        3: "Ähnlich wie Jörg Müller: dieselbe Person?",
    }
    assert confirm(client, event, preview).status_code == 422
    people = Person.objects.count()
    confirm(client, event, preview, **{"row-2": "take", "row-3": "known"})
    assert names(event) == [("Eva Lang", "andere@example.org"), ("Jörg Müller", "")]
    assert Person.objects.count() == people + 1


def test_who_was_merged_is_known_by_both_names_and_addresses(client, desk, event):
    before, other = f.make_event(name="Davor"), f.make_event(name="Noch davor")
    kept = f.register(before, "Petra Probst", email="petra@example.org").person
    gone = f.register(other, "Peti Probst", email="peti@example.org").person
    in_club(people_merge, kept=kept, gone=gone)
    for email, is_known in (("", True), ("peti@example.org", True), ("x@example.org", False)):
        page = text_of(upload(client, event, f"Name;E-Mail\nPeti Probst;{email}\n"))
        assert ("schon bekannt" in page) is is_known


def test_members_come_first_in_the_preview_as_in_the_service_and_namesakes_are_none(client):
    before = f.make_event(name="Davor")
    f.register(before, "Eva Lang", email="eva@example.org", is_member=True)
    until = now() + timedelta(days=1)
    event = f.make_event(capacity=3, members_first_until=until)
    f.sign_browser_in(client, Role.DESK)
    text = "Name;E-Mail;Mitglied\nEins;;nein\nZwei;;ja\nEva Lang;andere@example.org;\n"
    preview = upload(client, event, text)
    assert "1 Person kommt auf die Warteliste" in text_of(preview)
    confirm(client, event, preview, **ticks(preview, everybody=True))
    placed = Registration.objects.live().filter(event=event)
    placed = placed.exclude(waitings__voided_by=None, waitings__pk__gt=0)
    assert list(placed.values_list("person__name", flat=True)) == ["Zwei"]


def correct(client, event, preview, **chosen):
    upload_name = re.search(r'name="upload" value="([^"]*)"', text_of(preview)).group(1)
    return client.post(url_of(event, "import"), {"upload": upload_name, **chosen})


def test_what_was_guessed_is_shown_and_can_be_corrected(client, desk, event):
    preview = upload(client, event, "Name;Telefon\nEva Lang;Vater\nOtto;0660 1\n")
    shows(text_of(preview), "ausgelassen: Vater", '<option value="phone" selected>')
    chosen = {"first_row": "2", "column-0": "name", "column-1": "remark"}
    second = correct(client, event, preview, **chosen)
    assert second.status_code == 200
    assert reasons(second) == {}
    assert len(ticks(second)) == 2
    confirm(client, event, second)
    assert [row.remark for row in Registration.objects.order_by("pk")] == ["Vater", "0660 1"]


def test_a_file_of_other_headings_asks_which_column_holds_the_name(client, desk, event):
    with Nothing(event):
        preview = upload(client, event, "Nick;Punkte\nEva;3\n")
        assert_refused(preview, "Gefunden: Nick, Punkte.")
        assert hidden(preview, "people") is None
        nothing = correct(client, event, preview, **{"first_row": "2", "column-1": "email"})
        assert_refused(nothing, "in welcher Spalte der Name steht")
        wrong = correct(client, event, preview, **{"first_row": "0", "column-0": "name"})
        assert wrong.status_code == 422
    chosen = {"first_row": "2", "column-0": "name", "column-1": ""}
    confirm(client, event, correct(client, event, preview, **chosen))
    assert names(event) == [("Eva", "")]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "Bitte eine Datei wählen oder eine Liste einfügen."),
        ("", "Die Datei ist leer."),
        ("Name;E-Mail\n", "nur Überschriften, keine Personen"),
        (b"%PDF-1.7", "Das ist keine Tabelle."),
        (b"\xd0\xcf\x11\xe0", "alten Format (.xls)"),
        (laughs, "beschädigt"),
        (lambda: zipped({f"a{number}": "" for number in range(2001)}), "entpackt zu groß"),
        ("Name\n" + "\n".join(map(str, range(12))), "höchstens 20000"),
        (b"Name;x\nEva\0;y", "nicht lesbar"),
        (b"x" * (10 * 1024 * 1024 + 1), "zu groß"),
    ],
    ids=["none", "empty", "headings", "pdf", "xls", "laughs", "bomb", "many", "zero", "large"],
)
@pytest.mark.usefixtures("desk")
def test_a_file_that_is_no_list_is_refused_in_a_sentence(
    client, event, monkeypatch, data, sentence
):
    monkeypatch.setattr(sheets, "MOST_ROWS", 10)
    with Nothing(event):
        answer = client.post(url_of(event, "import"))
        if data is not None:
            answer = upload(client, event, data() if callable(data) else data)
    assert_refused(answer, sentence, 'class="errorlist"', "data-file-drop")


CASES = Path(__file__).parents[1] / "cases" / "people"


def test_each_row_has_a_tick_and_who_said_no_has_none(client, desk, event):
    preview = upload(client, event, (CASES / "05-formular-antworten.csv").read_bytes())
    assert asked(preview) == {3: "Sagt: „Nein“.", 4: "Sagt: „Nein“."}
    assert reasons(preview) == {2: "Zeile 4 gilt: dort steht die spätere Antwort."}
    with Nothing(event):
        refused = confirm(client, event, preview)
    assert_refused(refused, "Niemand ist angekreuzt.")
    confirm(client, event, preview, **{"row-3": "take"})
    assert names(event) == [("Peter Sommer", "peter@example.org")]
    # Who was accepted can be left out.
    more = upload(client, event, CSV)
    assert ticks(more) == {"row-2": "take", "row-3": "take"}
    confirm(client, event, more, **{"row-3": ""})
    assert [name for name, _email in names(event)] == ["Peter Sommer", "Eva Lang"]


@pytest.mark.parametrize("is_file", [False, True])
def test_a_chat_is_pasted_as_it_is_or_dropped_as_its_export(client, desk, event, is_file):
    text = (CASES / "06-chat.txt").read_text("utf-8")
    if is_file:
        preview = upload(client, event, text, "06-chat.txt")
    else:
        preview = client.post(url_of(event, "import"), {"text": text})
    ina = "Sagt: „Max und ich kommen“."
    assert asked(preview) == {3: ina, 4: "Sagt: „Ina: Max und ich kommen“."}
    confirm(client, event, preview, **{"row-4": "take"})
    assert [name for name, _email in names(event)] == ["Karla Grünwald", "Anna Lang", "Max"]


def test_turned_names_are_said_and_known_people_are_recognised(client, desk, event):
    f.register(f.make_event(name="Davor"), "Karla Grünwald")
    preview = upload(client, event, (CASES / "04-nachname-komma.csv").read_bytes())
    assert "In der Datei steht der Nachname zuerst" in text_of(preview)
    assert text_of(preview).count("schon bekannt") == 1
    chosen = {"first_row": "2", "column-2": "name", "column-3": ""}
    kept = correct(client, event, preview, **chosen, **{"column-0": "", "column-1": ""})
    assert "Sommer, Peter" in text_of(kept)
    confirm(client, event, preview)
    assert [name for name, _email in names(event)] == ["Karla Grünwald", "Peter Sommer"]
    assert Person.objects.count() == 2


def test_the_sheet_with_headings_is_read_and_the_others_are_named(client, desk, event):
    def with_lists(book):
        for title, name in (("Liste", "Eva Lang"), ("Alt", "Otto Kurz")):
            sheet = book.create_sheet(title)
            sheet.append(["Name"])
            sheet.append([name])

    data = workbook(["Bitte die Liste ausfüllen"], change=with_lists)
    preview = upload(client, event, data, "liste.xlsx")
    shows(text_of(preview), "Gelesen ist das Blatt „Liste“", "Nicht gelesen: Sheet, Alt.")
    other = correct(client, event, preview, **{"first_row": "2", "column-0": "name", "sheet": "2"})
    assert "Gelesen ist das Blatt „Alt“" in text_of(other)
    confirm(client, event, other)
    assert names(event) == [("Otto Kurz", "")]
