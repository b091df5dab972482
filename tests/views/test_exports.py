"""Everything of an event as files: complete, in order, and no cell a formula."""

import csv
import io
import json
import re
import zipfile

import openpyxl
import pytest
from django.urls import reverse

from clock.models import ScheduleTemplate
from tests import factories as f
from tests.prepared import prepared
from tests.pressing import url_of
from tests.seasons import evening, make_league
from tests.services.erasing import erase, evening_of_petra
from tests.services.line import say
from tests.views.importing import confirm, names, upload
from tests.views.pages import page_of, text_of
from tournaments.changes.access import Role
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.domain.schedule_files import schedule_read
from tournaments.models import Registration
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.seasons.domain.points import Terms

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
TABLES = ("registrations", "entries", "results", "waiting", "fees", "receipts", "seats")


@pytest.fixture
@prepared
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


def test_the_page_offers_every_file_and_registrations_have_all_there_is_to_them(
    client, desk, event
):
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
    page = page_of(client, event, "export")
    files = ("anmeldungen", "einstiege", "ergebnis", "warteliste", "startgelder", "belege")
    for name in (*files, "sitzplan", "protokoll"):
        for ending in ("csv", "xlsx"):
            assert f"{name}.{ending}" in page
    assert "personen.xlsx" not in page
    f.sign_browser_in(client, Role.DIRECTOR)
    assert "personen.xlsx" in page_of(client, event, "export")


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
    assert {row["Konto"] for row in fees} == {"Kasse", "Preisgeld"}
    assert {row["Zurückgenommen"] for row in fees} == {"ja", "nein"}
    assert [row["Name"] for row in table(client, event, "seats")] == ["Eva Lang"]
    receipts = table(client, event, "receipts")
    assert [row["Nimmt zurück"] for row in receipts] == ["", "", receipts[1]["Beleg"]]


def test_every_file_is_a_workbook_too_without_formulas(client, desk, event):
    for name in TABLES:
        sheet = workbook(client, event, name)
        assert all(cell.data_type != "f" for row in sheet for cell in row), name
        rows = table(client, event, name)
        assert sheet.max_row == len(rows) + 1, name
        assert [cell.value for cell in sheet[1]] == list(rows[0]), name


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
    event = f.make_seated_event(14, fee_cents=1000)
    f.sign_browser_in(client, Role.DESK, event)
    for name in TABLES:
        with django_assert_max_num_queries(12):
            table(client, event, name)


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
    addresses += [reverse("archive")]
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


def test_a_result_for_other_sites_has_their_columns_and_public_names(client):
    settings = {"fee_cents": 1500, "fee_parts": [["house", 300, ""]], "venue": "Gasthof Post"}
    event = evening(("Änne von der Heide", "Bert Buch"), **settings)
    Registration.objects.filter(person__name="Bert Buch").update(is_listed=False)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    first, second = table(client, event, "sites")
    assert first == {
        "Event": "Freitag 1", "Festival": "", "Venue": "Gasthof Post", "City": "", "Country": "",
        "Date": "2026-11-20", "Currency": "EUR", "Buy-in": "12,00", "Fee": "3,00", "Entries": "2",
        "Re-entries": "0", "Unique players": "2", "Prize pool": "0,00",
        "Game": "No Limit Texas Hold’em", "Place": "1", "First name": "Änne",
        "Last name": "von der Heide", "Player country": "", "Prize": "0,00", "Deal": "no",
    }  # fmt: skip
    assert (second["First name"], second["Last name"]) == ("BB", "")
    nameless = f.make_event(is_clock_only=True)
    f.sign_browser_in(client, Role.DIRECTOR, nameless)
    assert client.get(url_of(nameless, "export-sites-csv")).status_code == 404


def test_everything_of_the_club_is_one_archive_that_other_programs_read(dora):
    event = evening()
    league = make_league("Liga", Terms(best=3))
    answer = dora.get(reverse("archive"))
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as book:
        assert book.testzip() is None
        text = {name: book.read(name).decode() for name in book.namelist()}
    folder = f"abende/2026-11-20-{event.slug}"
    assert "Kein Ersatz für die Sicherung" in text["LIESMICH.txt"]
    assert all(name in text["LIESMICH.txt"] for name in ("ergebnisse.csv", "sitzplan.csv"))
    tables = (f"ligen/{league.slug}.csv", f"{folder}/ergebnis.csv")
    for name in ("personen.csv", "ergebnisse.csv", *tables):
        assert text[name].startswith("\ufeff")
        assert "Anna Ast" in text[name] or "Anna;Ast" in text[name], name
    assert json.loads(text[f"ligen/{league.slug}.json"])["terms"]["best"] == 3
    chain = json.loads(text[f"{folder}/protokoll.json"])
    assert [entry["sequence"] for entry in chain["entries"]] == [*range(1, event.log_sequence + 1)]
    plans = [name for name in text if name.startswith("blindplaene/")]
    assert len(plans) == ScheduleTemplate.objects.count()
    assert all(schedule_read(text[name]).levels for name in plans)
