"""The clock's controls: each does one thing, is refused beside its button, is the director's."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.selectors import clock_state
from clock.servertime import server_time
from tests import factories as f
from tests.pressing import HTMX, done, press, refused
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_pause
from tournaments.models import Action

pytestmark = pytest.mark.django_db
NAMES = ["clock-start", "clock-pause", "clock-next", "clock-previous", "clock-adjust"]


def state(event):
    event = f.fresh(event)
    return clock_state(event.clock, max(timezone.now(), event.log_recorded_at))


@pytest.mark.parametrize("name", NAMES)
def test_the_clock_is_the_directors_alone(client, name):
    event = f.make_running_event(4)
    version = event.version
    assert press(client, event, name, seconds=60).status_code == 403
    f.sign_browser_in(client, Role.ARBITER, event)
    answer = press(client, event, name, seconds=60)
    assert answer.status_code == 403
    assert "Die Uhr bedient nur die Turnierleitung." in answer.content.decode()
    f.sign_browser_in(client, Role.DIRECTOR)
    assert client.get(reverse(name, args=[event.slug])).status_code == 405
    assert f.fresh(event).version == version


def test_the_first_start_begins_the_tournament_and_offers_an_undo(dora):
    event = f.make_seated_event(4)
    answer = press(dora, event, "clock-start")
    assert answer.status_code == 200
    assert "Uhr gestartet" in answer.content.decode()
    undo = reverse("action-undo", args=[event.slug, f.last_action(event).pk])
    assert undo in answer.content.decode()
    told = json.loads(answer.headers["HX-Trigger"])
    assert told["krru:acted"]["version"] == f.fresh(event).version
    assert f.fresh(event).has_started
    refused(dora, event, "clock-start", sentence="Die Uhr läuft schon.")


def test_s5_before_it_was_called_the_start_asks_first(dora, monkeypatch):
    event = f.make_seated_event(4)
    monkeypatch.setattr(server_time, "now", lambda: f.after(-20))
    asked = press(dora, event, "clock-start").content.decode()
    assert "Beginn in fünf Minuten ausrufen" in asked
    assert not f.fresh(event).has_started
    done(dora, event, "clock-call-start")
    assert f.fresh(event).starts_at == f.after(-15) + timedelta(seconds=5)
    assert "Sofort starten" in asked
    done(dora, event, "clock-start", at_once="1")
    assert f.fresh(event).has_started


@pytest.mark.parametrize(("players", "sentence"), [(0, "Es sitzt noch niemand."), (1, "zu zweit")])
def test_too_few_seated_no_start_and_no_question_before(dora, monkeypatch, players, sentence):
    monkeypatch.setattr(server_time, "now", lambda: f.after(-20))
    event = f.make_event()
    for number in range(players):
        f.check_in(event, f.register(event, f"Gast {number}"))
    refused(dora, event, "clock-start", sentence=sentence)


def test_pause_and_resume(dora):
    event = f.make_running_event(4)
    assert press(dora, event, "clock-pause").status_code == 200
    assert not state(event).is_running
    refused(dora, event, "clock-pause", sentence="Die Uhr steht schon.")
    assert press(dora, event, "clock-start").status_code == 200
    assert state(event).is_running


def test_levels_forward_and_back(dora):
    event = f.make_running_event(4)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(1)))
    refused(dora, event, "clock-previous", sentence="Das ist die erste Stufe.")
    assert press(dora, event, "clock-next").status_code == 200
    assert state(event).level.number == 2
    assert press(dora, event, "clock-previous").status_code == 200
    assert state(event).level.number == 1
    for _level in range(14):
        press(dora, event, "clock-next")
    refused(dora, event, "clock-next", sentence="Das ist die letzte Stufe.")


def test_minutes_more_and_less(dora):
    event = f.make_running_event(4)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(5)))
    before = state(event).remaining
    assert "Eine Minute mehr" in press(dora, event, "clock-adjust", seconds=60).content.decode()
    assert (state(event).remaining - before).total_seconds() == 60
    assert "2 Minuten weniger" in press(dora, event, "clock-adjust", seconds=-120).content.decode()
    assert "90 Sekunden" in press(dora, event, "clock-adjust", seconds=90).content.decode()


@pytest.mark.parametrize("seconds", ["", "0", "abc", "1.5", "99999", "²", "1e3"])
def test_what_is_no_time_is_refused(dora, seconds):
    refused(dora, f.make_running_event(4), "clock-adjust", sentence="", seconds=seconds)


def test_the_same_press_sent_twice_counts_once(dora):
    event = f.make_running_event(4)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(1)))
    headers = {**HTMX, "X-Idempotency-Key": "0b0e8a52-7cb1-4a3f-9d6e-0f5d2a6c7e01"}
    url = reverse("clock-next", args=[event.slug])
    assert dora.post(url, headers=headers).status_code == 200
    count = Action.objects.filter(event=event).count()
    assert dora.post(url, headers=headers).status_code == 200
    assert Action.objects.filter(event=event).count() == count
