"""Places, no-shows, late entry and the fee: on the form of a new tournament and in the settings."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from clock.models import Level
from tests import factories as f
from tests.views.pages import text_of
from tests.views.test_events import FILLED
from tests.views.test_events_settings import settings_of
from tournaments.event.views.events import suggested
from tournaments.models import Event

pytestmark = pytest.mark.django_db
PLACES = {
    "fee_cents": "12,50",
    "reserved_places": "4",
    "offer_minutes": "90",
    "members_first_until": "2026-11-01T20:00",
    "no_show_minutes": "30",
    "no_show": "blinded",
}


@pytest.fixture
def dora(client):
    f.sign_browser_in(client, f.Role.DIRECTOR)
    return client


def make(dora, **own):
    assert dora.post(reverse("new-event"), FILLED | own).status_code == 302
    return Event.objects.latest("pk")


def test_a_new_tournament_knows_its_places_and_its_fee(dora):
    event = make(dora, **PLACES)
    assert (event.fee_cents, event.reserved_places, event.offer_minutes) == (1250, 4, 90)
    assert (event.no_show_minutes, event.rules["no_show"]) == (30, "blinded")
    assert event.members_first_until.isoformat() == "2026-11-01T19:00:00+00:00"
    assert event.rules["key"] == "krru-3"


def test_what_is_left_empty_is_as_usual(dora):
    event = make(dora)
    assert (event.fee_cents, event.reserved_places, event.offer_minutes) == (0, 0, 720)
    assert (event.no_show_minutes, event.rules["no_show"]) == (0, "no_seat")
    assert event.members_first_until is None
    assert make(dora, offer_minutes="0").offer_minutes == 0


def test_the_next_tournament_begins_with_these_places(dora):
    event = make(dora, **PLACES, late_registration_level="3")
    values = suggested(datetime.now(f.START.tzinfo) + timedelta(days=1))
    assert {name: values[name] for name in ("fee_cents", "reserved_places", "offer_minutes")} == {
        "fee_cents": 1250, "reserved_places": 4, "offer_minutes": 90,
    }  # fmt: skip
    assert values["no_show_minutes"] == 30
    assert values["late_registration_level"] == "3"
    # Until a break of that evening's schedule: a new one may have none.
    Event.objects.filter(pk=event.pk).update(late_registration_break=1)
    assert suggested(datetime.now(f.START.tzinfo))["late_registration_level"] == "3"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("fee_cents", "viel", "Betrag wie 12,50"),
        ("reserved_places", "99", "höchstens so viele Plätze"),
        ("offer_minutes", "-1", "Mindestens 0"),
        ("members_first_until", "bald", "Tag und Uhrzeit"),
        ("no_show_minutes", "1441", "Höchstens 1440"),
        ("no_show", "shot", ""),
        ("late_registration_level", "p4", "Blindplan hat"),
        ("late_registration_level", "p9", ""),
    ],
)
def test_a_wrong_one_says_so_beside_itself_and_opens_the_part_it_is_in(dora, field, value, words):
    answer = dora.post(reverse("new-event"), FILLED | {field: value})
    assert answer.status_code == 422
    assert words in str(answer.context["form"].errors[field])
    assert answer.context["is_more_open"]
    assert not Event.objects.exists()


def test_late_entry_until_a_break_is_set_shown_and_set_back(dora):
    event = make(dora, late_registration_level="2")
    url = reverse("event-settings", args=[event.slug])
    sent = settings_of(event) | {"late_registration_level": "p1"}
    answer = dora.post(url, sent)
    assert answer.status_code == 422
    assert "Pausen hat der Blindplan nicht" in str(
        answer.context["form"].errors["late_registration_level"]
    )
    Level.objects.filter(clock=event.clock, position=2).update(kind="break", small_blind=0)
    assert dora.post(url, sent).status_code == 302
    event = f.fresh(event)
    assert (event.late_registration_level, event.late_registration_break) == (0, 1)
    assert 'value="p1" selected' in dora.get(url).content.decode()
    sent = settings_of(event) | {"initial-late_registration_level": "p1"}
    assert dora.post(url, sent | {"late_registration_level": "3"}).status_code == 302
    event = f.fresh(event)
    assert (event.late_registration_level, event.late_registration_break) == (3, 0)


@pytest.mark.parametrize("level", [3, 17])
def test_until_when_one_may_enter_is_said_in_the_language_of_the_browser(dora, level):
    event = make(dora)
    Event.objects.filter(pk=event.pk).update(late_registration_level=level)
    for url in (reverse("new-event"), reverse("event-settings", args=[event.slug])):
        english = text_of(dora.get(url, headers={"Accept-Language": "en"}))
        assert f"until the end of level {level}<" in english, url
        assert "bis zum Ende" not in english, url
        assert f"bis zum Ende von Stufe {level}<" in text_of(dora.get(url)), url
