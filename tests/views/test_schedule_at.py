"""What a past instant showed: at the clock, and at a table."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.calling import call_service
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_pause
from tournaments.play.services.hands import hand_begin

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def url(event, name):
    return reverse(name, args=[event.slug])


def ask(client, event, at, **own):
    local = timezone.localtime(at)
    asked = {"day": f"{local:%Y-%m-%d}", "time": f"{local:%H:%M:%S}"} | own
    return client.get(url(event, "clock-at"), asked)


def test_a_past_instant_is_answered_to_the_second(client):
    event = f.make_running_event(3)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(30)))
    f.sign_browser_in(client, Role.ARBITER, event)
    client.get(url(event, "clock-at"))
    answer = ask_at(client, event, f.after(20))
    assert "Stufe 2: 1 / 2" in answer
    assert "Die Uhr lief." in answer
    assert "Stufe 1: 1 / 1" in ask_at(client, event, f.after(20) - timedelta(seconds=1))
    assert "Die Uhr stand." in ask_at(client, event, f.after(30))
    assert "Noch nicht begonnen" in ask_at(client, event, f.after(-1))


def ask_at(client, event, at):
    return text_of(ask(client, event, at))


def test_a_table_is_asked_what_was_in_force_there(client):
    event = f.make_running_event(3)
    made = {"event": event, "by": SYSTEM, "table": f.table_of(event, 1)}
    call_service(hand_begin, **made, at=f.after(20) - timedelta(seconds=1))
    f.sign_browser_in(client, Role.ARBITER, event)
    here = text_of(client.get(reverse("floor-in-force", args=[event.slug, 1])))
    assert f'href="{url(event, "clock-at")}?table=1"' in here
    assert 'value="1"' in text_of(client.get(url(event, "clock-at"), {"table": "1"}))
    answer = text_of(ask(client, event, f.after(24), table="1"))
    assert "Stufe 2: 1 / 2" in answer
    assert "An Tisch 1 galt Stufe 1: 1 / 1" in " ".join(answer.replace("<strong>", "").split())
    assert "vor Stufe 2; bis zu ihrem Ende gilt Stufe 1" in answer
    assert "An Tisch" not in ask_at(client, event, f.after(24))
    before = text_of(ask(client, event, f.after(-1), table="1"))
    assert "An Tisch" not in before
    assert "Die erste Hand wird mit Stufe 1 gespielt." in before


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("99", "Diesen Tisch gab es zu diesem Zeitpunkt nicht."),
        ("0", "Bitte die Nummer des Tisches angeben."),
        ("x", "Bitte die Nummer des Tisches angeben."),
    ],
)
def test_a_table_that_was_not_there_is_said(dora, table, sentence):
    event = f.make_running_event(3)
    answer = ask(dora, event, f.after(5), table=table)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert "Die Uhr lief." not in text_of(answer)


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({"time": ""}, "Bitte die Uhrzeit angeben."),
        ({"time": "25:99"}, "Bitte eine Uhrzeit wie 21:14:30 angeben."),
        ({"day": "2026-02-31"}, "Bitte einen Tag angeben, den es gibt."),
        ({"day": "2999-01-01"}, "Dieser Zeitpunkt kommt erst noch."),
        ({"day": "2026-03-29", "time": "02:30"}, "nicht eindeutig"),
    ],
)
def test_an_instant_that_cannot_be_is_said(dora, own, sentence):
    event = f.make_running_event(3)
    answer = ask(dora, event, f.after(5), **own)
    assert answer.status_code == 422
    assert sentence in text_of(answer)


def test_the_answer_comes_into_the_schedule_page_alone(dora):
    event = f.make_running_event(3)
    assert 'id="clock-at-answer"' in text_of(dora.get(url(event, "event-schedule")))
    answer = dora.get(url(event, "clock-at"), {"time": "21:00"}, headers=HTMX)
    assert answer.content.decode().lstrip().startswith('<div id="clock-at-answer"')
