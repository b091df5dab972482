"""The club's people: found, corrected, merged and parted again; members from a list."""

import io

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests import factories as f
from tests.pressing import HTMX, shows
from tests.views.importing import CSV, hidden, ticks, upload
from tests.views.pages import assert_refused, assert_shown, text_of
from tournaments.models import Action, Person, PersonMerge

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def peti():
    event = f.make_event(name="Davor")
    return f.register(event, "Peti Probst", email="peti@example.org", is_member=True).person


@pytest.fixture
def kept(petra):
    return petra.person


def test_the_page_finds_people_by_name_and_contact_and_has_a_file_of_all(
    dora, kept, peti, event, django_assert_max_num_queries
):
    for number in range(15):
        f.register(event, f"Spieler {number}")
    with django_assert_max_num_queries(10):
        page = text_of(dora.get(reverse("people")))
    shows(page, "Petra Probst", "peti@example.org")
    assert "Petra Probst" not in text_of(dora.get(reverse("people"), {"q": "peti@"}))
    assert "Niemand gefunden" in text_of(dora.get(reverse("people"), {"q": "Zeno"}))
    assert "Petra Probst" not in text_of(dora.get(reverse("people"), {"mitglieder": "1"}))
    answer = dora.get(reverse("people-csv"))
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith("\ufeffName;E-Mail;Telefon;Mitglied;Abende")
    assert "Peti Probst;peti@example.org;;ja;0" in text
    answer = dora.get(reverse("people-xlsx"))
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(answer.streaming_content))).active
    rows = [";".join(str(cell or "") for cell in row) for row in sheet.values]
    assert "Peti Probst;peti@example.org;;ja;" in rows


def test_a_person_is_corrected(dora, kept):
    url = reverse("person", args=[kept.pk])
    assert "Freitagsturnier" in text_of(dora.get(url))
    told = {"name": "Petra Ärmel", "email": "", "phone": "0660 1", "is_member": "on"}
    assert dora.post(url, told).status_code == 302
    kept.refresh_from_db()
    assert (kept.name, kept.sort_name, kept.email) == ("Petra Ärmel", "petra armel", "")
    assert kept.is_member
    before = Action.objects.count()
    for other, sentence in (
        ({}, "Es hat sich nichts geändert."),
        ({"name": " "}, "Bitte einen Namen angeben."),
        ({"phone": "Vater"}, "Das ist keine Telefonnummer."),
    ):
        assert_refused(dora.post(url, {**told, **other}), sentence)
    assert Action.objects.count() == before


def test_two_are_compared_merged_and_parted(dora, kept, peti):
    url = reverse("person-merge", args=[kept.pk])
    assert "Peti Probst" in text_of(dora.get(url, {"q": "peti"}))
    shows(text_of(dora.get(url, {"mit": peti.pk})), "Das ist dieselbe Person", "Davor")
    answer = dora.post(url, {"gone": peti.pk}, headers=HTMX)
    assert answer["HX-Redirect"] == reverse("person", args=[kept.pk])
    assert "Wieder trennen" in text_of(dora.get(reverse("person", args=[kept.pk])))
    assert dora.get(reverse("person", args=[peti.pk])).status_code == 404
    merge = PersonMerge.objects.get()
    assert dora.post(reverse("person-unmerge", args=[merge.pk])).status_code == 302
    assert dora.get(reverse("person", args=[peti.pk])).status_code == 200
    again = dora.post(reverse("person-unmerge", args=[merge.pk]), headers=HTMX)
    assert_refused(again, "Das ist schon zurückgenommen.")


def test_two_at_one_event_are_refused_beside_the_button(dora, event, kept):
    other = f.register(event, "Petra P.").person
    url = reverse("person-merge", args=[kept.pk])
    assert_refused(dora.post(url, {"gone": other.pk}, headers=HTMX), "sind beide angemeldet")
    shows(text_of(dora.get(url, {"mit": other.pk})), "sind beide angemeldet", "disabled")
    assert dora.post(url, {"gone": "x"}).status_code == 404
    assert_refused(dora.post(url, headers=HTMX), "Zuerst die zweite Person suchen.")


def test_members_are_read_in_from_a_list(dora, kept, peti):
    of_an_event = {"people": hidden(upload(dora, f.make_event(name="Liste"), CSV), "people")}
    assert dora.post(reverse("members-confirm"), of_an_event, headers=HTMX).status_code == 422
    file = SimpleUploadedFile("mitglieder.csv", b"Name;E-Mail\nPetra Probst;\nNeu;\n;x\n")
    preview = dora.post(reverse("members"), {"file": file})
    assert_shown(preview, "schon bekannt", "Das beträfe jetzt 1 Mitglied.")
    assert not Person.objects.filter(name="Neu").exists()
    data = {"people": hidden(preview, "people"), "is_complete": "on", **ticks(preview)}
    answer = dora.post(reverse("members-confirm"), data, headers=HTMX)
    assert answer["HX-Redirect"] == reverse("people")
    members = Person.objects.filter(is_member=True).order_by("name")
    assert [row.name for row in members] == ["Neu", "Petra Probst"]
