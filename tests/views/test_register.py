"""Registering on the tournament page, under every name that people have; what is refused."""

import json
import re
from html import escape

import pytest
from django.test import Client
from django.utils import timezone

from clock.servertime import server_time
from tests import factories as f
from tests.bubble import count_heads, in_the_money, make_event
from tests.views.pages import bare, soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end, event_update
from tournaments.models import Action, Person, Registration
from tournaments.play.services.bubble import money_reach

pytestmark = pytest.mark.django_db


def page_of(client, event):
    return client.get(f"/t/{event.slug}/")


def send(client, event, **typed):
    filled_in = {"is_listed": "on", "agrees_to_rules": "on", **typed}
    return client.post(f"/t/{event.slug}/anmelden/", filled_in)


def expect_nothing_done(response, sentence):
    assert response.status_code == 422
    assert sentence in text_of(response)
    assert "Noch nicht angemeldet: bitte prüfen." in text_of(response)


def now(service, event, **own):
    return service(Command(event=event, by=SYSTEM, at=timezone.now()), **own)


def test_registering_leads_to_ones_own_page(client):
    event = soon()
    response = client.get(f"/t/{event.slug}/anmelden/")
    assert (response.status_code, response.url) == (302, f"/t/{event.slug}/#anmelden")
    response = send(client, event, name="  Petra   Probst ", email="petra@example.org")
    made = Registration.objects.select_related("person").get(event=event)
    assert response.status_code == 302
    assert response.url == f"/p/{made.link_token}/"
    assert (made.person.name, made.person.email) == ("Petra Probst", "petra@example.org")
    assert made.is_listed
    assert "Petra Probst" in text_of(client.get(response.url))
    action = f.assert_logged(event, "registration.created")
    assert "Petra" not in json.dumps(action.payload)
    assert action.role == "visitor"
    client.post(f"/t/{event.slug}/anmelden/", {"name": "Uwe Unger", "agrees_to_rules": "on"})
    assert not Registration.objects.latest("pk").is_listed
    text = text_of(page_of(client, event))
    assert ("Petra Probst" in text, "Uwe Unger" in text) == (True, False)


def test_two_presses_are_one_registration(client):
    event = soon()
    pages = [text_of(page_of(client, event)) for _time in range(2)]
    keys = {re.search('name="idempotency_key" value="([0-9a-f-]{36})"', page)[1] for page in pages}
    assert len(keys) == 2
    typed = {"name": "Petra", "idempotency_key": keys.pop()}
    first, second = send(client, event, **typed), send(client, event, **typed)
    assert first.url == second.url
    other = send(client, event, **typed | {"name": "Eva"})
    expect_nothing_done(other, "schon mit anderem Inhalt")
    assert Registration.objects.filter(event=event).count() == 1


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": ""}, "Bitte einen Namen angeben."),
        ({"name": "\u200b\u202e"}, "Bitte einen Namen angeben."),
        ({"name": "x" * 201}, "Der Name ist zu lang"),
        ({"name": "x" * 1001}, "1000"),
        ({"name": "Eva", "email": "keine"}, "Das ist keine E-Mail-Adresse."),
        ({"name": "Eva", "email": f"{'x' * 250}@example.org"}, "Das ist keine E-Mail-Adresse."),
        ({"name": "Eva", "phone": "ruf an"}, "Das ist keine Telefonnummer."),
        ({"name": "Eva", "remark": "x" * 301}, "Die Bemerkung ist zu lang"),
        ({"name": "Eva", "agrees_to_rules": ""}, "Ohne die Regeln geht es nicht"),
        ({"name": "Eva", "website": "http://example.org"}, "bitte leer lassen"),
        ({"name": "Eva", "idempotency_key": "kein Schlüssel"}, "Bitte neu laden."),
    ],
)
def test_bad_input_is_refused_beside_the_field_and_changes_nothing(client, typed, sentence):
    event = soon()
    typed = {"agrees_to_rules": "on", **typed}
    answer = client.post(f"/t/{event.slug}/anmelden/", typed)
    expect_nothing_done(answer, sentence)
    assert f.fresh(event).version == event.version
    assert not Registration.objects.filter(event=event).exists()
    assert not Person.objects.exists()
    # What was typed is kept.
    assert typed.get("email") != "keine" or 'value="keine"' in text_of(answer)


def closed_event():
    event = soon()
    now(event_update, event, settings={"is_registration_open": False})
    return event


def cancelled_event():
    event = soon()
    now(event_cancel, event)
    return event


def ended_event():
    event = f.make_running_event(2)
    f.drive(event_end, event, 30)
    return event


@pytest.mark.parametrize(
    ("make", "sentence", "refusal"),
    [
        (closed_event, "ist geschlossen.", "Die Anmeldung ist geschlossen."),
        (f.make_running_event, "Einsteigen ist vorbei.", "läuft schon"),
        (cancelled_event, "Der Abend ist abgesagt.", "Das Turnier ist beendet."),
        (ended_event, "Der Abend ist zu Ende.", "Das Turnier ist beendet."),
    ],
)
def test_each_closed_door_has_its_sentence_and_stays_closed(client, make, sentence, refusal):
    """Also for who opened the page before, and presses now."""
    event = make()
    registered, version = Registration.objects.filter(event=event).count(), f.fresh(event).version
    text = text_of(page_of(client, event))
    assert sentence in text
    assert "Platz sichern" not in text
    expect_nothing_done(send(client, event, name="Zeno"), refusal)
    assert Registration.objects.filter(event=event).count() == registered
    assert f.fresh(event).version == version


def test_a_full_tournament_takes_people_on_the_waiting_list(client):
    event = soon(capacity=2)
    eva, _otto = (f.register(event, name, at=timezone.now()) for name in ("Eva", "Otto"))
    assert "Alle 2 Plätze sind vergeben." in text_of(page_of(client, event))
    for number, name in enumerate(("Zeno Zander", "Uwe Unger"), 1):
        text = text_of(client.get(send(client, event, name=name).url))
        assert "Du stehst auf der Warteliste, Stelle" in text
        assert f'<strong class="slip-figure">{number}</strong>' in text
    text = text_of(page_of(client, event))
    assert "Alle 2 Plätze sind vergeben, 2 warten" in text
    assert "Auf der Warteliste stehen 2 Personen." in text
    assert ">Auf die Warteliste</button>" in bare(text)
    assert "Zeno Zander" not in text
    for row in (eva, *Registration.objects.filter(waitings__pk__gt=0)):
        now(registration_withdraw, event, registration=row)
    assert "Noch ein Platz von 2 frei" in text_of(page_of(client, event))
    assert send(client, event, name="Zoe Zorn").status_code == 302


def test_reserved_places_are_never_told(client):
    event = soon(capacity=46, reserved_places=44)
    assert "2 von 2 Plätzen frei" in text_of(page_of(client, event))
    for name in ("Eva", "Otto"):
        send(client, event, name=name)
    text = text_of(page_of(client, event))
    assert "Alle 2 Plätze sind vergeben" in text
    # Times of day may hold the figure, too.
    said = re.sub("<time.*?</time>", "", text.partition("<h1>")[2].partition("<form")[0])
    assert "46" not in said


def test_the_rules_in_short_stand_beside_the_consent(client):
    event = soon()
    text = text_of(page_of(client, event))
    assert "Die Regeln in Kürze: KRRU 3.0" in text
    assert "Fassung 3.0 vom 22. Februar 2025." in text
    assert "mindestens auf das Doppelte" in text
    send(client, event, name="Petra Probst", phone="+43 660 123", remark="mit  Hund")
    made = Registration.objects.select_related("person").get()
    assert (made.agrees_to_rules, made.remark, made.person.phone) == (
        True,
        "mit Hund",
        "+43 660 123",
    )


def test_late_registration_says_until_when(client):
    at = timezone.now()
    event = f.make_event(starts_at=at, at=at, late_registration_level=3)
    for name in ("Eva", "Otto"):
        f.check_in(event, f.register(event, name, at=at), at=at)
    now(clock_start, event)
    text = text_of(page_of(client, event))
    assert "bis zum Ende von Stufe 3" in text
    assert "von 2" in text
    assert send(client, event, name="Zeno").status_code == 302


def test_in_the_money_nobody_comes_in_and_those_on_the_way_are_told(client, monkeypatch):
    event = make_event(late_registration_level=20)
    late = f.register(event, "Zita Zander", at=f.after(1))
    monkeypatch.setattr(server_time, "now", lambda: f.after(40))
    own = f"/p/{late.link_token}/"
    assert "Einsteigen geht nicht mehr" not in text_of(client.get(own))
    in_the_money(event)
    count_heads(event)
    f.drive(money_reach, event, 31)
    assert "Einsteigen geht nicht mehr" in text_of(client.get(own))
    answer = send(client, event, name="Uwe")
    expect_nothing_done(answer, "Das Turnier läuft schon, die Anmeldung ist vorbei.")
    assert not Person.objects.filter(name="Uwe").exists()


def test_forged_forms_are_refused():
    event = soon()
    client = Client(enforce_csrf_checks=True)
    assert send(client, event, name="Zeno").status_code == 403
    assert Action.objects.filter(event=event, kind="registration.created").count() == 0


@pytest.mark.parametrize(
    "name",
    [
        "X",
        "x" * 200,
        "D’Artagnan O'Connor",
        "Zoë 🎉 محمد דוד 李小龍",
        "=SUMME(A1:A9)",
        "@cmd|'/C calc'!A0",
        '"><script>alert(1)</script>',
        "<img src=x onerror=alert(1)>",
        "{{ 7 * 7 }} {% now %}",
        "Robert'); DROP TABLE tournaments_person;--",
    ],
)
def test_a_name_is_taken_as_it_is_and_shown_as_text(client, name):
    event = soon()
    answer = send(client, event, name=name)
    assert answer.status_code == 302
    assert Registration.objects.select_related("person").get(event=event).person.name == name
    for path in (answer.url, f"/t/{event.slug}/"):
        page = client.get(path).content.decode()
        assert escape(name) in page
        assert "<script>alert" not in page
        assert "<img src=x" not in page
