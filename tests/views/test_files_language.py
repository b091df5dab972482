"""Files are written while they are sent: in the language of whoever asked, and in no other's."""

import csv
import io
import json

import openpyxl
import pytest
from django.urls import reverse
from django.utils import translation

from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.access import Role
from tournaments.papers.views.papers import send_parts

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en-GB,en;q=0.9"}
SEATS = {"Table", "Seat", "Name", "Entry"}


@pytest.fixture
def small_hall(client):
    event = f.make_running_event(4)
    f.sign_browser_in(client, Role.DIRECTOR)
    return event


def file_rows(client, url, **headers):
    text = b"".join(client.get(url, headers=headers).streaming_content).decode()
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";"))


def test_tables_people_and_the_log_are_in_the_language_of_the_browser(client, small_hall):
    seats, people, log = (
        url_of(small_hall, "export-seats-csv"), reverse("people-csv"), url_of(small_hall, "log-csv"),
    )  # fmt: skip
    assert set(file_rows(client, seats, **ENGLISH)[0]) == SEATS
    assert set(file_rows(client, seats)[0]) == {"Tisch", "Platz", "Name", "Einstieg"}
    headings, first, *_rest = file_rows(client, people, **ENGLISH)
    assert (headings[3], first[3]) == ("Member", "no")
    english = file_rows(client, log, **ENGLISH)
    assert english[0][:2] == ["Number", "Happened"]
    assert english[-1][3] == "Clock started"
    assert file_rows(client, log)[-1][3] == "Uhr gestartet"


def test_the_log_for_programs_and_the_workbook_are_too(client, small_hall):
    answer = client.get(url_of(small_hall, "log-json"), headers=ENGLISH)
    assert json.loads(b"".join(answer))["entries"][-1]["sentence"] == "Clock started"
    answer = client.get(url_of(small_hall, "export-seats-xlsx"), headers=ENGLISH)
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
