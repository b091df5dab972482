"""The form for announcements: on the laptop and on an arbiter's phone."""

import re

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import press, refused
from tournaments.changes.access import Role
from tournaments.models import Action

pytestmark = pytest.mark.django_db
KIND = "announcement.made"


@pytest.fixture
def spoken(monkeypatch):
    texts = []
    monkeypatch.setattr("clock.tasks.speak", lambda text, language: texts.append((text, language)))
    return texts


@pytest.fixture
def event():
    return f.make_running_event(4)


def test_the_sheet_asks_for_a_text(dora, event):
    page = dora.get(reverse("announce", args=[event.slug])).content.decode()
    assert 'maxlength="200"' in page
    assert "auch vorlesen" in page


def test_an_announcement_is_made_spoken_and_can_be_taken_back(dora, event, spoken):
    answer = press(dora, event, "announce", text=" Essen\r\nist fertig ", voice="on")
    action = Action.objects.get(kind=KIND)
    assert "Durchsage: Essen ist fertig" in answer.content.decode()
    assert reverse("action-undo", args=[event.slug, action.pk]) in answer.content.decode()
    assert spoken == [("Essen ist fertig", "de")]
    state = dora.get(reverse("screen-state", args=[event.slug])).json()
    assert state["announcement"]["text"] == "Essen ist fertig"
    press(dora, event, "action-undo", action.pk)
    state = dora.get(reverse("screen-state", args=[event.slug])).json()
    assert state["announcement"] is None


def test_without_voice_nobody_speaks(dora, event, spoken):
    press(dora, event, "announce", text="Essen ist fertig")
    assert spoken == []
    assert Action.objects.get(kind=KIND).payload["has_voice"] is False


def test_refusals_stand_beside_the_form(dora, event):
    refused(dora, event, "announce", sentence="Die Durchsage ist leer.", text=" ")
    long = "Eine Durchsage hat höchstens 200 Zeichen."
    refused(dora, event, "announce", sentence=long, text="a" * 201)
    assert not Action.objects.filter(kind=KIND).exists()


def test_arbiters_have_the_button_and_the_desk_does_not(client, event):
    url = reverse("announce", args=[event.slug])
    f.sign_browser_in(client, Role.ARBITER, event)
    assert url in client.get(reverse("floor", args=[event.slug])).content.decode()
    assert press(client, event, "announce", text="Neue Karten an Tisch 3").status_code == 200
    f.sign_browser_in(client, Role.DESK, event)
    assert url not in client.get(reverse("floor", args=[event.slug])).content.decode()
    answer = press(client, event, "announce", text="Hallo")
    assert answer.status_code == 403
    assert "Durchsagen machen nur Turnierleitung und Schiedsrichter." in answer.content.decode()


def test_the_director_has_the_button(dora, event):
    page = dora.get(reverse("director", args=[event.slug])).content.decode()
    assert reverse("announce", args=[event.slug]) in page


def test_a_text_of_the_stock_is_announced_at_one_press_and_one_that_stays_is_taken_away(
    dora, event
):
    page = dora.get(reverse("announce", args=[event.slug])).text
    assert 'name="stock" value="Das Essen ist fertig."' in page
    assert "announce-take-away" not in page
    press(dora, event, "announce", text="", stock="Das Essen ist fertig.", stays="on")
    page = dora.get(reverse("announce", args=[event.slug])).text
    take_away = re.search(r'hx-post="([^"]+ruecknahme[^"]*)"', page)[1]
    state = reverse("screen-state", args=[event.slug])
    assert dora.get(state).json()["standing"] == "Das Essen ist fertig."
    dora.post(take_away)
    assert dora.get(state).json()["standing"] == ""
