"""The page of staff devices: codes, the list, taking roles away."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from krru.web import served
from tests import factories as f
from tests.pressing import HTMX, url_of
from tournaments.changes.access import COOKIE, Role, roles_of
from tournaments.models import Action, SignInLink, StaffDevice

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event()


@pytest.fixture
def dora(client):
    signed_in = f.sign_in("Doras Laptop", Role.DIRECTOR)
    client.cookies[COOKIE] = signed_in.token
    return signed_in.actor


def make_code(client, event, role, **own):
    return client.post(url_of(event, "staff-link"), {"role": role}, headers={**HTMX, **own})


@pytest.mark.parametrize("role", [Role.ARBITER, Role.DESK, Role.DIRECTOR])
def test_a_code_signs_one_device_in_and_the_page_hears_of_it(client, dora, event, role):
    answer = make_code(client, event, role)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "<svg" in text
    link = SignInLink.objects.latest("pk")
    assert link.is_one_time
    assert link.token == ""
    assert link.event == (None if role == Role.DIRECTOR else event)
    assert link.expires_at - timezone.now() <= timedelta(minutes=5)
    asked = f"{url_of(event, 'staff-link')}?link={link.pk}"
    assert client.get(asked).status_code == 204
    path = re.search(r"/in/[\w-]+/", text)[0]
    client.cookies.clear()
    assert client.post(path, {"name": "Berta"}).status_code == 302
    client.cookies[COOKIE] = f.sign_in("Zweiter", Role.DIRECTOR).token
    assert "Berta ist angemeldet." in client.get(asked).content.decode()
    assert "Berta" in client.get(url_of(event, "staff-devices")).content.decode()


def test_an_unused_code_is_said_to_be_over(client, dora, event):
    make_code(client, event, Role.ARBITER)
    SignInLink.objects.update(expires_at=timezone.now())
    link = SignInLink.objects.latest("pk")
    answer = client.get(f"{url_of(event, 'staff-link')}?link={link.pk}")
    assert "abgelaufen" in answer.content.decode()
    for nonsense in ("", "?link=x", "?link=999999"):
        assert client.get(url_of(event, "staff-link") + nonsense).status_code == 404


def test_the_same_press_again_shows_the_same_code(client, dora, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    found = {
        re.search(r"/in/[\w-]+/", make_code(client, event, Role.ARBITER, **key).content.decode())[0]
        for _press in range(2)
    }
    assert len(found) == 1
    assert Action.objects.filter(kind="staff.link_made", role="director").count() == 1


def test_without_scripts_the_page_comes_with_the_code(client, dora, event):
    text = client.post(url_of(event, "staff-link"), {"role": "arbiter"}).content.decode()
    assert "<h1>Geräte</h1>" in text
    assert "/in/" in text


@pytest.mark.parametrize(("lan", "warns"), [("192.168.7.20", False), (None, True)])
def test_the_code_carries_the_address_of_the_hall_or_a_warning(
    client, dora, monkeypatch, lan, warns
):
    event = f.make_event()
    monkeypatch.setattr(served, "lan_address", lambda: lan)
    text = make_code(client, event, Role.ARBITER, Host="localhost:8000").content.decode()
    assert (f"http://{lan}:8000/in/" in text) is not warns
    assert ("gilt nur auf diesem Rechner" in text) is warns


def test_an_unknown_role_is_refused(client, dora, event):
    before = Action.objects.count()
    answer = make_code(client, event, "player")
    assert answer.status_code == 422
    assert "Rolle" in answer.content.decode()
    assert Action.objects.count() == before


def test_the_list_says_who_is_signed_in_as_what(client, dora, event):
    f.sign_in("Arnos Handy", Role.ARBITER, event)
    f.sign_in("Anderswo", Role.DESK, f.make_event(name="Sonntagsturnier"))
    text = client.get(url_of(event, "staff")).content.decode()
    for words in ("Doras Laptop", "dieses Gerät", "Arnos Handy", "Anmeldung bei Sonntagsturnier"):
        assert words in text


def test_the_list_costs_the_same_for_many_devices(
    client, dora, event, django_assert_max_num_queries
):
    for number in range(12):
        f.sign_in(f"Handy {number}", Role.ARBITER, event)
    with django_assert_max_num_queries(10):
        client.get(url_of(event, "staff-devices"))


def test_a_device_is_revoked_and_may_nothing_from_then_on(client, dora, event):
    arno = f.sign_in("Arnos Handy", Role.ARBITER, event)
    answer = client.post(url_of(event, "staff-revoke", arno.actor.device.pk), headers=HTMX)
    assert answer.status_code == 200
    assert "Arnos Handy" in answer.content.decode()
    assert not roles_of(arno.actor.device, event)
    assert "Arnos Handy" not in client.get(url_of(event, "staff-devices")).content.decode()
    again = client.post(url_of(event, "staff-revoke", arno.actor.device.pk), headers=HTMX)
    assert again.status_code == 422
    client.cookies[COOKIE] = arno.token
    assert client.get(url_of(event, "floor")).status_code == 403


def test_the_own_device_is_not_revoked(client, dora, event):
    answer = client.post(url_of(event, "staff-revoke", dora.device.pk), headers=HTMX)
    assert answer.status_code == 422
    assert Role.DIRECTOR in roles_of(dora.device, None)


def test_who_leads_one_tournament_sees_and_revokes_only_its_devices(client, event):
    other = f.make_event(name="Sonntagsturnier")
    boss = f.sign_in("Doras Laptop", Role.DIRECTOR)
    stranger = f.sign_in("Fremd", Role.ARBITER, other)
    client.cookies[COOKIE] = f.sign_in("Gast", Role.DIRECTOR, event).token
    text = client.get(url_of(event, "staff")).content.decode()
    assert "Gast" in text
    assert "Doras Laptop" not in text
    assert "Fremd" not in text
    for device in (boss, stranger):
        answer = client.post(url_of(event, "staff-revoke", device.actor.device.pk))
        assert answer.status_code == 404
    make_code(client, event, Role.DIRECTOR)
    assert SignInLink.objects.latest("pk").event == event
    assert StaffDevice.objects.count() == 3
