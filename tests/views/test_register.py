"""Registering on the tournament page: what leads to one's own page, and what is refused."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories as f
from tests.views.pages import bare, soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end, event_update
from tournaments.models import Action, Person, Registration

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


def test_registering_leads_to_ones_own_page(client):
    event = soon()
    response = send(client, event, name="  Petra   Probst ", email="petra@example.org")
    made = Registration.objects.select_related("person").get(event=event)
    assert response.status_code == 302
    assert response.url == f"/p/{made.link_token}/"
    assert (made.person.name, made.person.email) == ("Petra Probst", "petra@example.org")
    assert made.is_listed
    assert "Petra Probst" in text_of(client.get(response.url))


def test_registering_unlisted(client):
    event = soon()
    client.post(f"/t/{event.slug}/anmelden/", {"name": "Petra Probst", "agrees_to_rules": "on"})
    assert not Registration.objects.get(event=event).is_listed
    assert "Petra Probst" not in text_of(page_of(client, event))


def test_two_presses_are_one_registration(client):
    event = soon()
    typed = {"name": "Petra", "idempotency_key": str(uuid4())}
    first, second = send(client, event, **typed), send(client, event, **typed)
    assert first.url == second.url
    assert Registration.objects.filter(event=event).count() == 1


def test_the_form_carries_a_key_without_javascript(client):
    event = soon()
    pages = [text_of(page_of(client, event)) for _time in range(2)]
    keys = {re.search('name="idempotency_key" value="([0-9a-f-]{36})"', page)[1] for page in pages}
    assert len(keys) == 2


def test_the_same_key_with_another_name_is_refused(client):
    event = soon()
    key = str(uuid4())
    send(client, event, name="Petra", idempotency_key=key)
    response = send(client, event, name="Eva", idempotency_key=key)
    expect_nothing_done(response, "schon mit anderem Inhalt")
    assert Registration.objects.filter(event=event).count() == 1


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": ""}, "Bitte einen Namen angeben."),
        ({"name": "   "}, "Bitte einen Namen angeben."),
        ({"name": "\u200b\u202e"}, "Bitte einen Namen angeben."),
        ({"name": "…"}, "Bitte einen Namen angeben."),
        ({}, "Bitte einen Namen angeben."),
        ({"name": "x" * 201}, "Der Name ist zu lang"),
        ({"name": "x" * 1001}, "1000"),
        ({"name": "Eva", "email": "keine"}, "Das ist keine E-Mail-Adresse."),
        ({"name": "Eva", "email": f"{'x' * 250}@example.org"}, "Das ist keine E-Mail-Adresse."),
        ({"name": "Eva", "email": "x" * 1001}, "1000"),
        ({"name": "Eva", "phone": "ruf an"}, "Das ist keine Telefonnummer."),
        ({"name": "Eva", "remark": "x" * 301}, "Die Bemerkung ist zu lang"),
        ({"name": "Eva", "agrees_to_rules": ""}, "Ohne die Regeln geht es nicht"),
        ({"name": "Eva", "website": "http://example.org"}, "bitte leer lassen"),
        ({"name": "Eva", "idempotency_key": "kein Schlüssel"}, "Bitte neu laden."),
    ],
)
def test_bad_input_is_refused_beside_the_field_and_changes_nothing(client, typed, sentence):
    event = soon()
    version = event.version
    typed = {"agrees_to_rules": "on", **typed}
    expect_nothing_done(client.post(f"/t/{event.slug}/anmelden/", typed), sentence)
    assert f.fresh(event).version == version
    assert not Registration.objects.filter(event=event).exists()
    assert not Person.objects.exists()


def test_what_was_typed_is_kept(client):
    response = send(client, soon(), name="Eva Lang", email="keine")
    assert 'value="Eva Lang"' in text_of(response)
    assert 'value="keine"' in text_of(response)


def test_a_name_cannot_act_as_markup(client):
    event = soon()
    send(client, event, name="<b>Eva</b>")
    assert "<b>Eva</b>" not in text_of(page_of(client, event))
    assert "&lt;b&gt;Eva&lt;/b&gt;" in text_of(page_of(client, event))


def full_event():
    event = soon(capacity=2)
    for name in ("Eva", "Otto"):
        f.register(event, name, at=timezone.now())
    return event


def closed_event():
    event = soon()
    settings = {"is_registration_open": False}
    event_update(Command(event=event, by=SYSTEM, at=timezone.now()), settings=settings)
    return event


def cancelled_event():
    event = soon()
    event_cancel(Command(event=event, by=SYSTEM, at=timezone.now()))
    return event


def ended_event():
    event = f.make_running_event(2)
    event_end(Command(event=event, by=SYSTEM, at=f.after(30)))
    return event


@pytest.mark.parametrize(
    ("make", "sentence", "refusal"),
    [
        (closed_event, "ist geschlossen.", "Die Anmeldung ist geschlossen."),
        (f.make_running_event, "Das Turnier läuft, die Anmeldung ist vorbei.", "läuft schon"),
        (cancelled_event, "Das Turnier ist abgesagt.", "Das Turnier ist beendet."),
        (ended_event, "Das Turnier ist zu Ende.", "Das Turnier ist beendet."),
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
    event = full_event()
    assert "Alle 2 Plätze sind vergeben." in text_of(page_of(client, event))
    for number in (1, 2):
        answer = send(client, event, name=("Zeno Zander", "Uwe Unger")[number - 1])
        text = text_of(client.get(answer.url))
        assert "Du stehst auf der Warteliste, Stelle" in text
        assert f'<strong class="slip-figure">{number}</strong>' in text
    text = text_of(page_of(client, event))
    assert "Alle 2 Plätze sind vergeben, 2 warten" in text
    assert "Auf der Warteliste stehen 2 Personen." in text
    assert ">Auf die Warteliste</button>" in bare(text)
    assert "Zeno Zander" not in text


def test_reserved_places_are_never_told(client):
    event = soon(capacity=46)
    event_update(
        Command(event=event, by=SYSTEM, at=timezone.now()), settings={"reserved_places": 44}
    )
    assert "2 von 2 Plätzen frei" in text_of(page_of(client, event))
    for name in ("Eva", "Otto"):
        send(client, event, name=name)
    text = text_of(page_of(client, event))
    assert "Alle 2 Plätze sind vergeben" in text
    # Times of day may hold the figure, too.
    said = re.sub("<time.*?</time>", "", text.partition("<h1>")[2].partition("<form")[0])
    assert "46" not in said


def test_members_come_first_and_everybody_is_told(client):
    event = soon()
    until = {"members_first_until": timezone.now() + timedelta(days=1)}
    event_update(Command(event=event, by=SYSTEM, at=timezone.now()), settings=until)
    assert "bekommen zuerst Vereinsmitglieder einen Platz" in text_of(page_of(client, event))
    f.register(f.make_event(name="Davor"), "Petra Probst", is_member=True)
    member = send(client, event, name="Petra Probst")
    assert "Du bist angemeldet, Nummer" in text_of(client.get(member.url))
    guest = send(client, event, name="Zeno Zander", is_member="on")
    assert "Du stehst auf der Warteliste" in text_of(client.get(guest.url))


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


def test_a_place_given_back_can_be_taken(client):
    event = full_event()
    gone = Registration.objects.filter(event=event).first()
    registration_withdraw(Command(event=event, by=SYSTEM, at=timezone.now()), registration=gone)
    assert "Noch ein Platz von 2 frei" in text_of(page_of(client, event))
    assert send(client, event, name="Zeno").status_code == 302


def test_late_registration_says_until_when(client):
    now = timezone.now()
    event = f.make_event(starts_at=now, at=now, late_registration_level=3)
    for name in ("Eva", "Otto"):
        f.check_in(event, f.register(event, name, at=now), at=now)
    clock_start(Command(event=event, by=SYSTEM, at=now))
    text = text_of(page_of(client, event))
    assert "bis zum Ende von Stufe 3" in text
    assert "2 von 2 im Spiel" in text
    assert send(client, event, name="Zeno").status_code == 302


def test_register_by_address_leads_to_the_form(client):
    event = soon()
    response = client.get(f"/t/{event.slug}/anmelden/")
    assert (response.status_code, response.url) == (302, f"/t/{event.slug}/#anmelden")
    assert client.put(f"/t/{event.slug}/anmelden/").status_code == 405


def test_registration_is_logged_without_a_name_in_the_chain(client):
    event = soon()
    send(client, event, name="Petra Probst")
    action = f.assert_logged(event, "registration.created")
    assert "Petra" not in json.dumps(action.payload)
    assert action.role == "visitor"


def test_forged_forms_are_refused():
    event = soon()
    client = Client(enforce_csrf_checks=True)
    assert send(client, event, name="Zeno").status_code == 403
    assert Action.objects.filter(event=event, kind="registration.created").count() == 0
