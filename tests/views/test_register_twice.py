"""Registering under a name that is there already, and far too often: asked about, and held off."""

from uuid import uuid4

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.views.decorators import qr_svg
from tournaments.door.views.poster import poster_token
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Person, Registration
from tournaments.people.selectors.people import double_of
from tournaments.public.views.registering import FROM_THE_POSTER, PER_ADDRESS

pytestmark = pytest.mark.django_db
IN_THE_HALL, FROM_AFAR = "192.168.0.17", "84.112.3.4"


@pytest.fixture(autouse=True)
def _forget_floods():
    caches["limits"].clear()
    yield
    caches["limits"].clear()


@pytest.fixture
def event():
    return soon()


def send_from(client, event, name, *, address=IN_THE_HALL, **typed):
    filled_in = {"name": name, "is_listed": "on", "agrees_to_rules": "on", **typed}
    return client.post(f"/t/{event.slug}/anmelden/", filled_in, REMOTE_ADDR=address)


def send_many(client, event, number, **typed):
    """Return how so many forms under other names were answered."""
    return [send_from(client, event, f"Gast {one:04}", **typed).status_code for one in range(number)]


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
    send_from(client, event, "Petra Probst")
    asked = send_from(client, event, typed)
    assert asked.status_code == 422
    text = text_of(asked)
    assert "Petra Probst ist schon angemeldet." in text
    assert "Noch nicht angemeldet: bitte prüfen." in text
    assert "Bist du das?" in text
    assert f'name="is_other" value="{answer}"' in text
    assert count(event) == 1
    other = {"is_other": answer, "idempotency_key": str(uuid4())}
    taken = send_from(client, event, typed, **other)
    assert taken.status_code == 302
    assert send_from(client, event, typed, **other).url == taken.url, "the same press is no double"
    assert count(event) == Person.objects.count() == 2


@pytest.mark.parametrize("answer", ["alike", "whatever"])
def test_the_answer_about_one_alike_does_not_hold_for_the_very_same_name(client, event, answer):
    send_from(client, event, "Petra Probst")
    assert send_from(client, event, "Petra Probst", is_other=answer).status_code == 422
    assert count(event) == 1


@pytest.mark.parametrize(
    "typed", ["Petra Probst", "Petra Propst", "Probst Petra", "Petra Maria Probst"]
)
def test_nobody_finds_out_by_trying_who_is_registered_and_not_listed(client, event, typed):
    """Known to the club or not: the form takes every such name, and only the desk is told."""
    f.register(soon(name="Früher"), "Petra Probst", at=timezone.now())
    send_from(client, event, "Petra Probst", is_listed="")
    hidden = event.registrations.get()
    assert send_from(client, event, typed).status_code == 302
    assert count(event) == 2
    made = event.registrations.exclude(pk=hidden.pk).get()
    assert made.person_id != hidden.person_id
    desk = Client()
    f.sign_browser_in(desk, Role.DESK, event)
    sheet = text_of(desk.get(reverse("desk-check-in", args=[event.slug, made.pk])))
    assert "Auch auf der Liste: Petra Probst." in sheet


def test_other_names_are_no_doubles(client, event):
    for name in ("Petra Probst", "Peter Probst", "Gast 0001", "Gast 0002", "Eva", "Ewa", "…Uwe"):
        assert send_from(client, event, name).status_code == 302, name


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


def test_a_flood_from_afar_is_held_off_and_counted_for_itself(client, event):
    for _time in range(PER_ADDRESS.most + 1):
        send_from(client, event, "", address=FROM_AFAR)  # bad input is not counted
    assert send_many(client, event, PER_ADDRESS.most, address=FROM_AFAR) == [302] * PER_ADDRESS.most
    held = send_from(client, event, "Zeno Zander", address=FROM_AFAR)
    assert held.status_code == 422
    assert "Von diesem Anschluss kamen gerade sehr viele Anmeldungen." in text_of(held)
    assert count(event) == PER_ADDRESS.most
    assert send_from(client, event, "Zeno Zander", address="84.112.3.5").status_code == 302
    assert send_from(client, soon(), "Zeno Zander", address=FROM_AFAR).status_code == 302


def test_one_phone_in_the_hall_does_not_take_every_place(client, event):
    """Nor do posts to tournaments that do not exist make the program forget the count."""
    answers = []
    for number in range(PER_ADDRESS.most + 5):
        client.post(f"/t/erfunden-{number}/anmelden/", {"name": "X"}, REMOTE_ADDR=IN_THE_HALL)
        answers.append(send_from(client, event, f"Gast {number:04}").status_code)
    assert answers == [302] * PER_ADDRESS.most + [422] * 5
    assert send_from(client, event, "Anna Nebenan", address="192.168.0.18").status_code == 302


def test_the_director_opens_the_gate_for_a_hall_behind_one_address(client, event):
    command = Command(event=event, by=SYSTEM, at=timezone.now())
    event_update(command, settings={"is_gate_open": True})
    most = PER_ADDRESS.most + 2
    assert send_many(client, event, most, address=FROM_AFAR) == [302] * most


# The poster


@pytest.mark.parametrize("address", [IN_THE_HALL, FROM_AFAR])
def test_who_has_the_posters_link_may_send_more_and_holds_up_nobody_without_it(
    client, event, address
):
    director, token = Client(), poster_token(event.slug)
    f.sign_browser_in(director, Role.DIRECTOR, event)
    poster = director.get(reverse("paper-poster", args=[event.slug]))
    assert qr_svg(f"http://testserver/t/{event.slug}/?da={token}") in text_of(poster)
    own = {"address": address, "da": token}
    most = FROM_THE_POSTER.most
    assert send_many(client, event, most + 2, **own) == [302] * most + [422] * 2
    assert send_from(client, event, "Petra Probst", address=address).status_code == 302
    assert f'name="da" value="{token}"' in text_of(send_from(client, event, "", **own))


@pytest.mark.parametrize("wrong", ["", "aaaaaaaa", "ä", "x" * 5000, "another's"])
def test_a_wrong_token_is_none_and_one_of_another_event_neither(client, event, wrong):
    token = poster_token(soon(name="Anderes").slug) if wrong == "another's" else wrong
    page = text_of(client.get(f"/t/{event.slug}/", {"da": token}))
    assert 'name="da"' not in page
    own, most = {"address": FROM_AFAR, "da": token}, PER_ADDRESS.most
    assert send_many(client, event, most + 1, **own) == [302] * most + [422]


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
