"""Blind schedules as files: saved from one club, read in another."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clock.models import ScheduleTemplate
from clock.selectors import template_levels
from tests import factories as f
from tests.views.pages import text_of
from tournaments.models import Action

pytestmark = pytest.mark.django_db


def file_of(client, name="T100"):
    row = ScheduleTemplate.objects.get(name=name)
    answer = client.get(reverse("schedule-file", args=[row.pk]))
    assert answer["Content-Type"] == "application/json"
    assert "attachment" in answer["Content-Disposition"]
    return answer.content


def send(client, data):
    sent = SimpleUploadedFile("plan.json", data, "application/json")
    return client.post(reverse("schedule-import"), {"schedule": sent})


def renamed(data, **own):
    return json.dumps(json.loads(data) | own).encode()


def test_a_schedule_goes_from_one_club_to_another(dora):
    f.house()
    answer = send(dora, renamed(file_of(dora), name="Vom Nachbarn"))
    assert answer.status_code == 302
    old, new = (ScheduleTemplate.objects.get(name=name) for name in ("T100", "Vom Nachbarn"))
    assert template_levels(new) == template_levels(old)
    assert (new.starting_stack, new.level_minutes, new.revision) == (100, 20, None)
    assert Action.objects.filter(kind="club.schedule_imported").exists()
    page = text_of(dora.get(reverse("club-settings")))
    assert "Vom Nachbarn" in page
    assert reverse("schedule-file", args=[new.pk]) in page


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({}, "Eine Vorlage mit diesem Namen gibt es schon: T100."),
        ({"format": "anders"}, "Das ist keine Datei eines Blindplans."),
        ({"version": 9}, "Diese Datei kommt von einer anderen Fassung"),
        ({"starting_stack": -1}, "stimmt der Name, der Startstapel oder die Stufenlänge nicht"),
        ({"levels": []}, "Ein Blindplan braucht mindestens eine Stufe."),
        ({"levels": [{}] * 101}, "Ein Blindplan hat höchstens 100 Zeilen."),
        ({"levels": [{"minutes": "x"}]}, "In der Datei stimmt Zeile 1 nicht."),
        ({"levels": [{"small_blind": 4, "big_blind": 2}], "name": "Neu"}, "größer als der Big"),
    ],
)
def test_a_file_that_is_no_schedule_says_why(dora, own, sentence):
    f.house()
    before = ScheduleTemplate.objects.count()
    answer = send(dora, renamed(file_of(dora), **own))
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert ScheduleTemplate.objects.count() == before


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"{", b"x" * 200_001])
def test_what_is_no_text_is_no_schedule(dora, data):
    f.house()
    assert send(dora, data).status_code == 422
    assert dora.post(reverse("schedule-import")).status_code == 422
