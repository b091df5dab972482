"""Registering on the tournament page, under every name that people have; what is refused."""

import json
import re
from dataclasses import replace
from html import escape
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.bubble import count_heads, in_the_money, make_event
from tests.pressing import shows
from tests.views.pages import assert_refused, bare, soon, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.views.decorators import poster_token, qr_svg
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end, event_update
from tournaments.models import Action, Person, Registration
from tournaments.people.selectors.people import double_of
from tournaments.play.services.bubble import money_reach
from tournaments.public.views import player_actions

pytestmark = pytest.mark.django_db


def page_of(client, event):
    return client.get(f"/t/{event.slug}/")


def send(client, event, name="", *, address="127.0.0.1", **typed):
    filled_in = {"name": name, "is_listed": "on", "agrees_to_rules": "on", **typed}
    return client.post(f"/t/{event.slug}/anmelden/", filled_in, REMOTE_ADDR=address)


def expect_nothing_done(response, sentence):
    assert_refused(response, sentence, "Noch nicht angemeldet: bitte prüfen.")


def now(service, event, **own):
    return service(Command(event=event, by=SYSTEM, at=timezone.now()), **own)


def test_registering_leads_to_ones_own_page(client, event):
    response = client.get(f"/t/{event.slug}/anmelden/")
    assert (response.status_code, response.url) == (302, f"/t/{event.slug}/#anmelden")
    rules = ("Die Regeln in Kürze: KRRU 3.0", "Fassung 3.0 vom 22. Februar 2025.")
    shows(text_of(page_of(client, event)), *rules, "mindestens auf das Doppelte")
    typed = {"email": "petra@example.org", "phone": "+43 660 123", "remark": "mit  Hund"}
    response = send(client, event, name="  Petra   Probst ", **typed)
    made = Registration.objects.select_related("person").get(event=event)
    assert response.status_code == 302
    assert response.url == f"/p/{made.link_token}/"
    assert (made.person.name, made.person.email) == ("Petra Probst", "petra@example.org")
    assert (made.is_listed, made.agrees_to_rules) == (True, True)
    assert (made.remark, made.person.phone) == ("mit Hund", "+43 660 123")
    assert "Petra Probst" in text_of(client.get(response.url))
    action = f.assert_logged(event, "registration.created")
    assert "Petra" not in json.dumps(action.payload)
    assert action.role == "visitor"
    client.post(f"/t/{event.slug}/anmelden/", {"name": "Uwe Unger", "agrees_to_rules": "on"})
    assert not Registration.objects.latest("pk").is_listed
    text = text_of(page_of(client, event))
    assert ("Petra Probst" in text, "Uwe Unger" in text) == (True, False)


def test_two_presses_are_one_registration(client, event):
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
def test_bad_input_is_refused_beside_the_field_and_changes_nothing(client, event, typed, sentence):
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
    shows(text_of(page_of(client, event)), sentence, but=("Platz sichern",))
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
    shows(text, "Alle 2 Plätze sind vergeben, 2 warten", "Auf der Warteliste stehen 2 Personen.")
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


def test_late_registration_says_until_when(client):
    at = timezone.now()
    event = f.make_event(starts_at=at, at=at, late_registration_level=3)
    for name in ("Eva", "Otto"):
        f.check_in(event, f.register(event, name, at=at), at=at)
    now(clock_start, event)
    shows(text_of(page_of(client, event)), "bis zum Ende von Stufe 3", "von 2")
    assert send(client, event, name="Zeno").status_code == 302


def test_in_the_money_nobody_comes_in_and_those_on_the_way_are_told(client, minute):
    event = make_event(late_registration_level=20)
    late = f.register(event, "Zita Zander", at=f.after(1))
    minute(40)
    own = f"/p/{late.link_token}/"
    assert "Einsteigen geht nicht mehr" not in text_of(client.get(own))
    in_the_money(event)
    count_heads(event)
    f.drive(money_reach, event, 31)
    assert "Einsteigen geht nicht mehr" in text_of(client.get(own))
    assert "/anmelden/" not in page_of(client, event).content.decode()
    answer = send(client, event, name="Uwe")
    expect_nothing_done(answer, "Das Turnier läuft schon, die Anmeldung ist vorbei.")
    assert not Person.objects.filter(name="Uwe").exists()


def test_forged_forms_are_refused(event):
    assert send(Client(enforce_csrf_checks=True), event, name="Zeno").status_code == 403
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
def test_a_name_is_taken_as_it_is_and_shown_as_text(client, event, name):
    answer = send(client, event, name=name)
    assert answer.status_code == 302
    assert Registration.objects.select_related("person").get(event=event).person.name == name
    for path in (answer.url, f"/t/{event.slug}/"):
        shows(client.get(path).content.decode(), escape(name), but=("<script>alert", "<img src=x"))


# --- Registering under a name that is there already, and far too often: asked about, and held off


IN_THE_HALL, FROM_AFAR = "192.168.0.17", "84.112.3.4"
MOST, FROM_THE_POSTER = 3, 6


@pytest.fixture
def floods(monkeypatch):
    """Let few make a flood."""
    for name, most in (("PER_ADDRESS", MOST), ("FROM_THE_POSTER", FROM_THE_POSTER)):
        limit = replace(getattr(player_actions, name), most=most)
        monkeypatch.setattr(player_actions, name, limit)


@pytest.fixture
def event():
    return soon()


def send_many(client, event, number, **typed):
    """Return how so many forms under other names were answered."""
    return [send(client, event, f"Gast {one:04}", **typed).status_code for one in range(number)]


def count(event):
    return Registration.objects.live().filter(event=event).count()


# Doubles


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("petra  PROBST", "same"), ("Petra Propst", "alike"), ("Probst, Petra", "alike")],
)
def test_a_double_is_asked_about_and_taken_once_he_says_he_is_somebody_else(
    client, event, typed, answer
):
    send(client, event, "Petra Probst")
    asked = send(client, event, typed)
    assert asked.status_code == 422
    text = text_of(asked)
    shows(text, "Petra Probst ist schon angemeldet.", "Noch nicht angemeldet: bitte prüfen.")
    shows(text, "Bist du das?", f'name="is_other" value="{answer}"')
    assert count(event) == 1
    other = {"is_other": answer, "idempotency_key": str(uuid4())}
    taken = send(client, event, typed, **other)
    assert taken.status_code == 302
    assert send(client, event, typed, **other).url == taken.url, "the same press is no double"
    assert count(event) == Person.objects.count() == 2


@pytest.mark.parametrize("answer", ["alike", "whatever"])
def test_the_answer_about_one_alike_does_not_hold_for_the_very_same_name(client, event, answer):
    send(client, event, "Petra Probst")
    assert send(client, event, "Petra Probst", is_other=answer).status_code == 422
    assert count(event) == 1


@pytest.mark.parametrize(
    "typed", ["Petra Probst", "Petra Propst", "Probst Petra", "Petra Maria Probst"]
)
def test_nobody_finds_out_by_trying_who_is_registered_and_not_listed(client, event, typed):
    """Known to the club or not: the form takes every such name, and only the desk is told."""
    f.register(soon(name="Früher"), "Petra Probst", at=timezone.now())
    send(client, event, "Petra Probst", is_listed="")
    hidden = event.registrations.get()
    assert send(client, event, typed).status_code == 302
    assert count(event) == 2
    made = event.registrations.exclude(pk=hidden.pk).get()
    assert made.person_id != hidden.person_id
    desk = Client()
    f.sign_browser_in(desk, Role.DESK, event)
    sheet = text_of(desk.get(reverse("desk-check-in", args=[event.slug, made.pk])))
    assert "Auch auf der Liste: Petra Probst." in sheet


def test_other_names_are_no_doubles(client, event):
    for name in ("Petra Probst", "Peter Probst", "Gast 0001", "Gast 0002", "Eva", "Ewa", "…Uwe"):
        assert send(client, event, name).status_code == 302, name


@pytest.mark.parametrize(
    ("there", "typed"), [("Jörg Müller", "Joerg Mueller"), ("Joerg Mueller", "Jorg Muller")]
)
def test_umlauts_are_found_in_every_spelling_by_one_query(
    event, there, typed, django_assert_num_queries
):
    f.register(event, there, at=timezone.now())
    with django_assert_num_queries(1):
        assert double_of(event, typed).name == there
    assert double_of(event, "Otto Lang") is None
    assert double_of(soon(), typed) is None


# Floods


@pytest.mark.usefixtures("floods")
def test_a_flood_from_afar_is_held_off_and_counted_for_itself(client, event):
    for _time in range(MOST + 1):
        send(client, event, "", address=FROM_AFAR)  # bad input is not counted
    assert send_many(client, event, MOST, address=FROM_AFAR) == [302] * MOST
    held = send(client, event, "Zeno Zander", address=FROM_AFAR)
    assert_refused(held, "Von diesem Anschluss kamen gerade sehr viele Anmeldungen.")
    assert count(event) == MOST
    assert send(client, event, "Zeno Zander", address="84.112.3.5").status_code == 302
    assert send(client, soon(), "Zeno Zander", address=FROM_AFAR).status_code == 302


@pytest.mark.usefixtures("floods")
def test_one_phone_in_the_hall_does_not_take_every_place(client, event):
    """Nor do posts to tournaments that do not exist make the program forget the count."""
    answers = []
    for number in range(MOST + 2):
        client.post(f"/t/erfunden-{number}/anmelden/", {"name": "X"}, REMOTE_ADDR=IN_THE_HALL)
        answers.append(send(client, event, f"Gast {number:04}", address=IN_THE_HALL).status_code)
    assert answers == [302] * MOST + [422] * 2
    assert send(client, event, "Anna Nebenan", address="192.168.0.18").status_code == 302


@pytest.mark.usefixtures("floods")
def test_the_director_opens_the_gate_for_a_hall_behind_one_address(client, event):
    command = Command(event=event, by=SYSTEM, at=timezone.now())
    event_update(command, settings={"is_gate_open": True})
    assert send_many(client, event, MOST + 2, address=FROM_AFAR) == [302] * (MOST + 2)


# The poster


@pytest.mark.usefixtures("floods")
@pytest.mark.parametrize("address", [IN_THE_HALL, FROM_AFAR])
def test_who_has_the_posters_link_may_send_more_and_holds_up_nobody_without_it(
    client, event, address
):
    director, token = Client(), poster_token(event.slug)
    f.sign_browser_in(director, Role.DIRECTOR, event)
    poster = director.get(reverse("paper-poster", args=[event.slug]))
    assert qr_svg(f"http://testserver/t/{event.slug}/?da={token}") in text_of(poster)
    own = {"address": address, "da": token}
    found = send_many(client, event, FROM_THE_POSTER + 2, **own)
    assert found == [302] * FROM_THE_POSTER + [422] * 2
    assert send(client, event, "Petra Probst", address=address).status_code == 302
    assert f'name="da" value="{token}"' in text_of(send(client, event, "", **own))


@pytest.mark.usefixtures("floods")
@pytest.mark.parametrize("wrong", ["", "aaaaaaaa", "ä", "x" * 5000, "another's"])
def test_a_wrong_token_is_none_and_one_of_another_event_neither(client, event, wrong):
    token = poster_token(soon(name="Anderes").slug) if wrong == "another's" else wrong
    assert 'name="da"' not in text_of(client.get(f"/t/{event.slug}/", {"da": token}))
    own = {"address": FROM_AFAR, "da": token}
    assert send_many(client, event, MOST + 1, **own) == [302] * MOST + [422]


def test_the_page_of_the_poster_is_kept_for_all_who_scan_it_and_not_for_others(
    monkeypatch, django_assert_num_queries
):
    now = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    event = soon()
    scanned, url = {"da": poster_token(event.slug)}, f"/t/{event.slug}/"
    first = text_of(Client().get(url, scanned))
    with django_assert_num_queries(1):
        again = text_of(Client().get(url, scanned))
    for page in (first, again):
        assert f'name="da" value="{scanned["da"]}"' in page
    assert 'name="da"' not in text_of(Client().get(url))
