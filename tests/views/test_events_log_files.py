"""The log as a file: complete, streamed, safe in a spreadsheet, and its chain checked elsewhere."""

import csv
import io
import json

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import translation

from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.access import Role
from tournaments.models import Action, ActionText, Club, EventHead
from tournaments.papers.views.papers import send_parts
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db


def file_of(client, event, ending, **asked):
    answer = client.get(reverse(f"log-{ending}", args=[event.slug]), asked)
    assert answer.status_code == 200
    assert answer.streaming
    assert f'protokoll.{ending}"' in answer.headers["Content-Disposition"]
    return b"".join(answer.streaming_content).decode()


def rows_of(client, event, **asked):
    text = file_of(client, event, "csv", **asked).removeprefix("\ufeff")
    return list(csv.reader(io.StringIO(text), delimiter=";"))


@pytest.fixture
def hall():
    event = f.make_running_event(5)
    entry = f.entries_of(event)[0]
    f.drive(entry_disqualify, event, 3, entry=entry, reason="=HYPERLINK(1)")
    return event


def verify(path):
    out = io.StringIO()
    call_command("verifylog", str(path), stdout=out, stderr=out)
    return out.getvalue()


def test_the_table_and_the_workbook_hold_every_entry_or_only_what_was_searched_for(dora, hall):
    headings, *rows = rows_of(dora, hall)
    assert headings[:4] == ["Nummer", "Geschehen", "Eingetragen", "Was"]
    assert [int(row[0]) for row in rows] == list(range(1, f.fresh(hall).log_sequence + 1))
    assert rows[-1][8] == f.fresh(hall).log_hash
    assert rows[-1][4] == "'=HYPERLINK(1)"  # nothing in it acts as a formula
    answer = dora.get(reverse("log-xlsx", args=[hall.slug]))
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(answer.streaming_content))).active
    assert [cell.value for cell in sheet[1]] == headings
    assert [cell.value for cell in sheet["I"]] == [row[8] for row in (headings, *rows)]
    text = sheet.cell(len(rows) + 1, 5)
    assert (text.value, text.data_type) == ("=HYPERLINK(1)", "s")
    f.undo(hall)
    assert [row[6] for row in rows_of(dora, hall)[-2:]] == ["×", ""]
    assert [row[7] for row in rows_of(dora, hall, art="clock")[1:]] == ["clock.started"]


def test_the_other_form_holds_all_that_the_chain_rests_on_and_nothing_erased(dora, hall, tmp_path):
    path = tmp_path / "protokoll.json"
    for is_erased in (False, True):
        if is_erased:
            ActionText.objects.filter(action__event=hall).delete()
        text = file_of(dora, hall, "json")
        assert ("HYPERLINK" not in text + file_of(dora, hall, "csv")) is is_erased
        told = json.loads(text)
        assert told["hash"] == told["entries"][-1]["hash"] == f.fresh(hall).log_hash
        path.write_text(text, encoding="utf-8")
        assert "stimmt" in verify(path)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda told: told["entries"][2]["payload"].update(entry=99), 3),
        (lambda told: told["entries"].pop(1), 2),
        (lambda told: told["entries"].pop(), 8),
    ],
)
def test_a_file_that_was_changed_is_found_out(dora, hall, tmp_path, change, fault):
    told = json.loads(file_of(dora, hall, "json"))
    change(told)
    path = tmp_path / "protokoll.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(CommandError, match=f"Eintrag {fault} "):
        verify(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"entries": [{}], "hash": "", "sequence": 1}'])
def test_what_is_no_log_is_refused_in_a_sentence(tmp_path, text):
    path = tmp_path / "protokoll.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match="kein Protokoll"):
        verify(path)
    with pytest.raises(CommandError, match="nicht lesen"):
        verify(tmp_path / "gibt es nicht.json")


def test_all_logs_are_checked_and_every_fault_is_told_with_its_entry(hall):
    out = io.StringIO()
    call_command("verifylog", stdout=out)
    assert "Alle Protokolle stimmen" in out.getvalue()
    Action.objects.filter(event=hall, sequence=4).update(role="director")
    EventHead.objects.filter(pk=f.make_running_event(2).pk).update(log_sequence=99)
    club = Club.objects.get()
    Action.objects.filter(club=club, event=None, sequence=1).update(hash="00")
    faults = io.StringIO()
    with pytest.raises(CommandError, match="3 "):
        call_command("verifylog", stdout=out, stderr=faults)
    assert "Eintrag 4 " in faults.getvalue()
    assert "Eintrag 99 " in faults.getvalue()
    assert "Eintrag 1 " in faults.getvalue()


def test_the_number_of_queries_does_not_grow(dora, django_assert_max_num_queries):
    event = f.make_seated_event(30)
    with django_assert_max_num_queries(20):
        file_of(dora, event, "json")


# --- Files are written while they are sent: in the language of whoever asked, and in no other's


ENGLISH = {"Accept-Language": "en-GB,en;q=0.9"}
SEATS = {"Table", "Seat", "Name", "Entry"}


@pytest.fixture
def four(client):
    event = f.make_running_event(4)
    f.sign_browser_in(client, Role.DIRECTOR)
    return event


def file_rows(client, url, **headers):
    text = b"".join(client.get(url, headers=headers).streaming_content).decode()
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";"))


def test_tables_people_and_the_log_are_in_the_language_of_the_browser(client, four):
    seats, people, log = (
        url_of(four, "export-seats-csv"), reverse("people-csv"), url_of(four, "log-csv"),
    )  # fmt: skip
    assert set(file_rows(client, seats, **ENGLISH)[0]) == SEATS
    assert set(file_rows(client, seats)[0]) == {"Tisch", "Platz", "Name", "Einstieg"}
    headings, first, *_rest = file_rows(client, people, **ENGLISH)
    assert (headings[3], first[3]) == ("Member", "no")
    english = file_rows(client, log, **ENGLISH)
    assert english[0][:2] == ["Number", "Happened"]
    assert english[-1][3] == "Clock started"
    assert file_rows(client, log)[-1][3] == "Uhr gestartet"
    answer = client.get(url_of(four, "log-json"), headers=ENGLISH)
    assert json.loads(b"".join(answer))["entries"][-1]["sentence"] == "Clock started"
    answer = client.get(url_of(four, "export-seats-xlsx"), headers=ENGLISH)
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(answer))).active
    assert {cell.value for cell in sheet[1]} == SEATS


def test_who_is_served_between_two_parts_keeps_his_own_language():
    def parts():
        while True:
            yield str(translation.get_language())

    with translation.override("en"):
        sent = iter(send_parts(parts(), "x.txt", "text/plain"))
    with translation.override("de"):
        assert next(sent) == b"en"
        assert translation.get_language() == "de"
        assert next(sent) == b"en"
        assert translation.get_language() == "de"
