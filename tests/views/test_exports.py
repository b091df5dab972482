"""Everything of an event as files: complete, in order, and no cell a formula."""

import csv
import io
import re
import zipfile

import openpyxl
import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import url_of
from tests.services.erasing import erase, evening_of_petra
from tests.services.line import say
from tests.views.importing import confirm, names, upload
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.door.services.registration import registration_withdraw
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
TABLES = ("registrations", "entries", "results", "waiting", "fees", "receipts", "seats")


@pytest.fixture
def event():
    event = f.make_event(capacity=3, fee_cents=1500)
    f.register(event, "=1+1", email="formel@example.org", phone="+43 660 123", remark="@SUM(A1)")
    eva = f.register(event, "Eva Lang", is_member=True, is_listed=False)
    f.check_in(event, eva)
    say(fee_pay, event, 0, registration=eva)
    gone = f.register(event, "Otto Kurz")
    f.register(event, "Ina Wartet")
    say(registration_withdraw, event, 0, registration=gone)
    f.register(event, "Zoe Wartet")
    f.register(event, "Zora Wartet")
    return event


def table(client, event, name):
    answer = client.get(url_of(event, f"export-{name}-csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))


def workbook(client, event, name):
    answer = client.get(url_of(event, f"export-{name}-xlsx"))
    assert answer.status_code == 200
    return openpyxl.load_workbook(io.BytesIO(b"".join(answer.streaming_content))).active


def test_registrations_with_all_there_is_to_them(client, desk, event):
    rows = {row["Name"]: row for row in table(client, event, "registrations")}
    assert next(iter(rows)) == "'=1+1"
    assert rows["'=1+1"]["Bemerkung"] == "'@SUM(A1)"
    assert rows["'=1+1"]["Telefon"] == "'+43 660 123"
    eva = rows["Eva Lang"]
    assert (eva["Stand"], eva["Mitglied"], eva["Name öffentlich"]) == ("eingecheckt", "ja", "nein")
    assert (eva["Startgeld bezahlt"], eva["Einstieg"], eva["Tisch"]) == ("15,00", "1", "1")
    assert rows["Otto Kurz"]["Stand"] == "abgemeldet"
    assert rows["Zora Wartet"]["Stand"] == "Warteliste"
    assert rows["'=1+1"]["Stand"] == "angemeldet"


def test_the_line_the_till_and_the_seats(client, desk, event):
    line = table(client, event, "waiting")
    assert [row["Nummer"] for row in line] == [str(n) for n in range(1, len(line) + 1)]
    assert "Zora Wartet" in [row["Name"] for row in line]
    eva = f.entries_of(event)[0].registration
    say(fee_refund, event, 0, registration=eva, after_the_draw=True)
    f.undo(event)
    fees = table(client, event, "fees")
    live = [row for row in fees if row["Zurückgenommen"] == "nein"]
    assert sorted(row["Betrag"] for row in live) == ["-15,00", "15,00"]
    assert {row["Konto"] for row in fees} == {"Kassa", "Preisgeld"}
    assert {row["Zurückgenommen"] for row in fees} == {"ja", "nein"}
    assert [row["Name"] for row in table(client, event, "seats")] == ["Eva Lang"]
    receipts = table(client, event, "receipts")
    assert [row["Nimmt zurück"] for row in receipts] == ["", "", receipts[1]["Beleg"]]


@pytest.mark.parametrize("name", TABLES)
def test_every_file_is_a_workbook_too_without_formulas(client, desk, event, name):
    sheet = workbook(client, event, name)
    assert all(cell.data_type != "f" for row in sheet for cell in row)
    rows = table(client, event, name)
    assert sheet.max_row == len(rows) + 1
    assert [cell.value for cell in sheet[1]] == list(rows[0])


def test_what_was_written_can_be_read_in_again(client, desk, event):
    f.sign_browser_in(client, Role.DIRECTOR)
    answer = client.get(url_of(event, "export-registrations-xlsx"))
    data = b"".join(answer.streaming_content)
    other = f.make_event(name="Nächste Woche", capacity=20)
    preview = upload(client, other, data, "anmeldungen.xlsx")
    assert "schon bekannt" in text_of(preview)
    confirm(client, other, preview)
    assert "Eva Lang" in [name for name, _email in names(other)]
    assert f.Registration.objects.get(event=other, person__name="Eva Lang").person.is_member


def test_the_cost_in_questions_does_not_grow(client, django_assert_max_num_queries):
    event = f.make_seated_event(40, fee_cents=1000)
    f.sign_browser_in(client, Role.DESK, event)
    for name in TABLES:
        with django_assert_max_num_queries(12):
            table(client, event, name)


def test_the_page_offers_every_file(client, desk, event):
    page = text_of(client.get(url_of(event, "export")))
    files = ("anmeldungen", "einstiege", "ergebnis", "warteliste", "startgelder", "belege")
    for name in (*files, "sitzplan", "protokoll"):
        for ending in ("csv", "xlsx"):
            assert f"{name}.{ending}" in page
    assert "personen.xlsx" not in page
    f.sign_browser_in(client, Role.DIRECTOR)
    assert "personen.xlsx" in text_of(client.get(url_of(event, "export")))


def test_every_stack_and_every_place(client):
    event = f.make_running_event(4)
    entries = f.entries_of(event)
    f.out(event, entries[0], at=f.after(1))
    f.drive(entry_disqualify, event, 2, entry=entries[1], reason="Grund", stack=100)
    f.sign_browser_in(client, Role.DESK, event)
    stacks = table(client, event, "entries")
    assert [row["Einstieg"] for row in stacks] == ["1", "2", "3", "4"]
    assert [row["Wie"] for row in stacks] == ["keine Chips mehr", "disqualifiziert", "", ""]
    # Who is out stands where he last sat.
    assert all(row["Tisch"] and row["Platz"] for row in stacks)
    assert stacks[0]["Ausgeschieden"] > stacks[2]["Ausgeschieden"] == ""
    places = {row["Einstieg"]: row["Rang"] for row in table(client, event, "results")}
    assert places == {"1": "4", "2": "3", "3": "", "4": ""}


def test_who_was_erased_is_in_no_file(client):
    event = evening_of_petra()
    erase(event)
    f.sign_browser_in(client, Role.DIRECTOR)
    names = [f"export-{name}-{ending}" for name in TABLES for ending in ("csv", "xlsx")]
    addresses = [url_of(event, name) for name in (*names, "log-csv", "log-xlsx", "log-json")]
    addresses += [reverse("people-csv"), reverse("people-xlsx"), url_of(event, "results-csv")]
    for address in addresses:
        answer = client.get(address)
        data = b"".join(answer) if answer.streaming else answer.content
        # Her places and her stack are in them all the same: just nothing that tells of her.
        assert not traces(data), address
    assert "Anna Ast" in repr(table(client, event, "registrations"))


def traces(data):
    """Return what a file, unpacked where it is a workbook, holds of Petra."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = b"".join(archive.read(name) for name in archive.namelist())
    return re.findall(r"petra|gans|660.?1234567|gern am rand", data.decode().casefold())
