"""Lists from files: the preview row by row, the confirmation, and files that are no lists."""

import io
import re
from time import monotonic
from uuid import uuid4

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import factories as f
from tests.views.test_desk import HTMX, Nothing, sign_in, text, url
from tournaments.access import SYSTEM, Role
from tournaments.models import Action, Person, Registration
from tournaments.services.lifecycle import event_cancel
from tournaments.services.undo import action_undo

pytestmark = pytest.mark.django_db
CSV = "Vorname;Nachname;E-Mail\nEva;Lang;eva@example.org\nJörg;Strauß;\n"


@pytest.fixture
def event():
    return f.make_event(capacity=20)


@pytest.fixture
def desk(client, event):
    return sign_in(client, Role.DESK, event)


def upload(client, event, data, name="liste.csv"):
    data = data.encode() if isinstance(data, str) else data
    return client.post(url("import", event), {"file": SimpleUploadedFile(name, data)})


def hidden(answer, field):
    found = re.search(rf'name="{field}" value="([^"]*)"', text(answer))
    return found.group(1) if found else None


def confirm(client, event, preview, headers=HTMX, **more):
    data = {"people": hidden(preview, "people"), "is_listed": "on", **more}
    return client.post(url("import-confirm", event), data, headers=headers)


def names(event):
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("person__name", "person__email"))


def reasons(answer):
    """Return the sentence of each row left out, by its number in the file."""
    rows = re.findall(
        r'<tr class="is-refused"><td class="number">(\d+)</td>.*?import-reason">([^<]*)<',
        text(answer),
        re.DOTALL,
    )
    return {int(number): reason for number, reason in rows}


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_page_says_what_may_be_in_the_file(client, desk, event):
    answer = text(client.get(url("import", event)))
    assert "data-file-drop" in answer
    assert "CSV oder XLSX" in answer
    assert 'accept=".csv,.xlsx,.txt,.tsv"' in answer


def test_a_preview_changes_nothing_and_is_then_taken_over_in_one_action(client, desk, event):
    with Nothing(event):
        preview = upload(client, event, CSV)
    assert preview.status_code == 200
    assert "2 Personen übernehmen" in text(preview)
    assert "liste.csv, 2 Zeilen." in text(preview)
    assert reasons(preview) == {}
    before = Action.objects.count()
    answer = confirm(client, event, preview)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == url("desk", event)
    assert names(event) == [("Eva Lang", "eva@example.org"), ("Jörg Strauß", "")]
    assert Action.objects.count() == before + 1
    assert "2 Personen sind angemeldet." in text(client.get(url("desk", event)))


def test_a_plain_form_confirms_too_and_names_stay_unlisted_if_wanted(client, desk, event):
    preview = upload(client, event, CSV)
    data = {
        "people": hidden(preview, "people"),
        "idempotency_key": hidden(preview, "idempotency_key"),
    }
    for _press in range(2):
        answer = client.post(url("import-confirm", event), data)
        assert answer.status_code == 302
        assert answer["Location"] == url("desk", event)
    assert len(names(event)) == 2
    assert not Registration.objects.filter(is_listed=True).exists()


def test_confirmed_twice_it_has_one_effect(client, desk, event):
    preview = upload(client, event, CSV)
    key = {**HTMX, "X-Idempotency-Key": str(uuid4())}
    assert confirm(client, event, preview, headers=key).status_code == 204
    with Nothing(event):
        assert confirm(client, event, preview, headers=key).status_code == 204
        other = confirm(client, event, preview)
    assert other.status_code == 422
    assert "Eva Lang ist schon angemeldet." in text(other)
    assert text(other).startswith('<p class="refusal"')


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
    assert "8 Zeilen werden ausgelassen" in text(preview)
    assert "<b>" not in text(preview)
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
    sign_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    preview = upload(client, event, "Name\nEins\nZwei\nDrei\n")
    assert reasons(preview) == {4: "Kein Platz mehr frei: Das Turnier nimmt höchstens 3."}
    assert confirm(client, event, preview).status_code == 204
    assert len(names(event)) == 3


def test_when_nobody_is_left_there_is_nothing_to_confirm(client, desk, event):
    preview = upload(client, event, "Name;E-Mail\n;a@example.org\n")
    assert preview.status_code == 200
    assert "Es bleibt niemand" in text(preview)
    assert hidden(preview, "people") is None


def test_a_list_without_headings_says_that_its_first_row_is_a_person(client, desk, event):
    assert "Die erste Zeile gilt als Person." in text(upload(client, event, "Eva\nOtto\n"))
    assert "Die erste Zeile" not in text(upload(client, event, CSV))


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
    assert sentence in text(answer)
    assert 'class="errorlist"' in text(answer)
    assert "data-file-drop" in text(answer)


def test_without_a_file_one_is_asked_for(client, desk, event):
    answer = client.post(url("import", event))
    assert answer.status_code == 422
    assert "Bitte eine Datei wählen." in text(answer)


def test_only_a_preview_of_this_event_can_be_confirmed(client, desk, event):
    other = f.make_event(name="Anderes")
    sign_in(client, Role.DIRECTOR)
    preview = upload(client, other, CSV)
    with Nothing(event):
        answers = [
            confirm(client, event, preview),
            confirm(client, event, preview, people=hidden(preview, "people")[:-1] + "x"),
            client.post(url("import-confirm", event), headers=HTMX),
        ]
    assert [answer.status_code for answer in answers] == [422] * 3
    assert "Die Vorschau gilt nicht mehr." in text(answers[0])


def test_what_happened_since_the_preview_counts(client, desk, event):
    preview = upload(client, event, CSV)
    f.register(event, "Eva Lang")
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 422
    event_cancel(event=event, by=SYSTEM, at=f.ARRIVAL)
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 422


def test_an_import_is_taken_back_whole(client, desk, event):
    confirm(client, event, upload(client, event, CSV))
    action_undo(event=event, by=SYSTEM, at=f.ARRIVAL, action=Action.objects.latest("pk"))
    assert names(event) == []


def test_strangers_and_arbiters_confirm_nothing(client, desk, event):
    preview = upload(client, event, CSV)
    client.cookies.clear()
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 403
    sign_in(client, Role.ARBITER, event)
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 403
        assert upload(client, event, CSV).status_code == 403


def test_ten_thousand_rows_are_shown_and_taken_over_within_seconds(
    client, django_assert_max_num_queries
):
    event = f.make_event(capacity=20_000)
    sign_in(client, Role.DESK, event)
    rows = [f"Spieler {n:05},spieler{n}@example.org" for n in range(10_000)]
    rows[7_000:7_003] = ["", ",x@example.org", "Spieler 00001,"]
    began = monotonic()
    with django_assert_max_num_queries(20):
        preview = upload(client, event, "Name,E-Mail\n" + "\n".join(rows))
    assert reasons(preview) == {7003: "Der Name fehlt.", 7004: "Steht schon in Zeile 3."}
    assert "9.997 Personen übernehmen" in text(preview)
    assert len(preview.content) < 1_000_000
    assert confirm(client, event, preview).status_code == 204
    assert monotonic() - began < 20
    assert Registration.objects.filter(event=event).count() == 9_997


@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
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
        assert confirm(client, event, preview).status_code == 204
    Registration.objects.all().delete()
    Person.objects.all().delete()
