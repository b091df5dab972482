"""Signing a device in by a link, and out again."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.calling import call_service
from tests.pressing import shows
from tests.views.pages import assert_refused
from tournaments.changes.access import COOKIE, SYSTEM, Role, actor_of, device_of
from tournaments.changes.commands import ClubCommand
from tournaments.club.services.staff import SHOWN_LINK_LASTS, device_revoke, link_make
from tournaments.club.views import signin
from tournaments.club.views.signin import code_for
from tournaments.models import Action, StaffDevice

pytestmark = pytest.mark.django_db


def make_link(role=Role.ARBITER, event=None, *, token="einmal", at=None, **own):
    own = {"one_time": True, "lasts": SHOWN_LINK_LASTS, **own}
    made = {"club": f.house(), "by": SYSTEM, "at": at or timezone.now()}
    call_service(link_make, **made, token=token, role=role, event=event, **own)
    return reverse("sign-in", args=[token])


def acts():
    return Action.objects.filter(event=None).count()


def test_opening_the_link_shows_what_for_and_changes_nothing(client):
    event = f.make_event()
    url = make_link(event=event)
    before = acts()
    for _preview in range(3):
        text = client.get(url).content.decode()
    assert client.head(url).status_code == 200
    shows(text, "Schiedsrichter", event.name, 'name="name"')
    assert acts() == before
    assert not StaffDevice.objects.exists()
    assert "no-store" in client.get(url)["Cache-Control"]


@pytest.mark.parametrize(
    ("role", "page"),
    [(Role.DIRECTOR, "director"), (Role.DESK, "desk"), (Role.ARBITER, "floor")],
)
def test_the_button_signs_in_and_leads_to_the_roles_page(client, role, page):
    event = f.make_event()
    answer = client.post(make_link(role, event), {"name": "  Arnos   Handy "})
    assert (answer.status_code, answer.url) == (302, reverse(page, args=[event.slug]))
    cookie = answer.cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    device = device_of(cookie.value)
    assert device.name == "Arnos Handy"
    assert actor_of(device, event).role == role


def test_who_directs_the_club_comes_to_the_event_of_the_day_or_home(client):
    url = make_link(Role.DIRECTOR)
    assert "alle Turniere" in client.get(url).content.decode()
    assert client.post(url, {"name": "Dora"}).url == reverse("home")
    event = f.make_event()
    answer = client.post(make_link(Role.DIRECTOR, token="zwei"), {"name": "Dora"})
    assert answer.url == reverse("director", args=[event.slug])


def test_a_used_old_replaced_or_invented_link_says_so(client):
    old = make_link(at=timezone.now() - SHOWN_LINK_LASTS - timedelta(seconds=1))
    shared = make_link(token="geteilt", one_time=False)
    make_link(token="neuer", one_time=False)
    invented = reverse("sign-in", args=["erfunden"])
    used = make_link(event=f.make_event(), token="zwei")
    assert_refused(client.post(used, {"name": "   "}), "Namen geben")
    client.post(used, {"name": "Arno"})
    client.cookies.clear()
    before = acts()
    for url, words in (
        (old, "abgelaufen"),
        (shared, "ersetzt"),
        (invented, "gibt es nicht"),
        (used, "schon benutzt"),
    ):
        answer = client.get(url)
        assert answer.status_code == 410
        assert words in answer.content.decode()
        assert client.post(url, {"name": "Zeno"}).status_code in {410, 422}
    assert acts() == before
    assert StaffDevice.objects.count() == 1


def test_a_known_device_keeps_its_name_and_is_led_on_when_it_has_the_role(client):
    event, arno = f.make_event(), f.sign_in("Arnos Handy", Role.ARBITER)
    client.cookies[COOKIE] = arno.token
    desk = make_link(Role.DESK, event)
    shows(client.get(desk).content.decode(), "Arnos Handy", but=('name="name"',))
    assert client.post(desk).url == reverse("desk", args=[event.slug])
    assert StaffDevice.objects.count() == 1
    floor = client.get(make_link(Role.ARBITER, token="zwei")).content.decode()
    shows(floor, "schon angemeldet", reverse("floor", args=[event.slug]))
    assert reverse("desk", args=[event.slug]) in client.get(desk).content.decode()


def test_signing_out_gives_the_cookie_and_every_role_back(client):
    event = f.make_event()
    before = acts()
    assert client.get(reverse("sign-out")).url == "/"
    assert_refused(client.post(reverse("sign-out")), "nicht angemeldet")
    assert acts() == before
    arno = f.sign_in("Arnos Handy", Role.ARBITER, event)
    client.cookies[COOKIE] = arno.token
    shows(client.get(reverse("sign-out")).content.decode(), "Arnos Handy", but=('name="is_sure"',))
    assert actor_of(arno.actor.device, event).role == Role.ARBITER
    assert reverse("sign-out") in client.get(reverse("floor", args=[event.slug])).content.decode()
    answer = client.post(reverse("sign-out"))
    assert answer.url == reverse("home")
    assert not answer.cookies[COOKIE].value
    assert actor_of(arno.actor.device, event).role == Role.VISITOR
    assert Action.objects.latest("pk").role == Role.ARBITER


def test_the_last_device_that_leads_is_asked_twice(client):
    event, dora = f.make_event(), f.sign_in("Doras Laptop", Role.DIRECTOR)
    client.cookies[COOKIE] = dora.token
    f.sign_in("Gast", Role.DIRECTOR, event)
    before = acts()
    asked = client.get(reverse("sign-out")).content.decode()
    assert "Das ist das letzte Gerät der Turnierleitung" in asked
    assert "python3 start.py manage directorlink" in asked
    assert_refused(client.post(reverse("sign-out")), "Wer das will, setzt den Haken")
    assert acts() == before
    assert actor_of(dora.actor.device, event).role == Role.DIRECTOR
    f.sign_in("Zweiter", Role.DIRECTOR)
    assert "das letzte Gerät" not in client.get(reverse("sign-out")).content.decode()
    device_revoke(
        ClubCommand(club=f.house(), by=dora.actor, at=timezone.now()),
        device=StaffDevice.objects.get(name="Zweiter"),
    )
    assert client.post(reverse("sign-out"), {"is_sure": "on"}).status_code == 302
    assert actor_of(dora.actor.device, event).role == Role.VISITOR
    # Whoever is locked out reads the way back, also on the page that locks out.
    page = client.get(reverse("director", args=[event.slug]))
    assert page.status_code == 403
    shows(page.content.decode(), reverse("sign-in-code"), "python3 start.py manage directorlink")


# By a code that is typed


FROM_THE_HALL = {"REMOTE_ADDR": "192.168.7.31"}
MOST, MOST_OF_ALL = 3, 20


@pytest.fixture
def few(monkeypatch):
    """Let few wrong codes be too many."""
    monkeypatch.setattr(signin, "TYPED", replace(signin.TYPED, most=MOST))
    monkeypatch.setattr(signin, "ALL_TYPED", replace(signin.ALL_TYPED, most=MOST_OF_ALL))


def test_a_laptop_signs_in_by_six_figures(client):
    event = f.make_event()
    dora = f.sign_browser_in(client, Role.DIRECTOR, event)
    made = client.post(reverse("staff-link", args=[event.slug]), {"role": "desk"})
    shown = re.search(r"<strong>(\d{3}) (\d{3})</strong>", made.content.decode())
    assert "http://testserver/in/" in made.content.decode()
    client.cookies.clear()
    page = reverse("sign-in-code")
    assert 'inputmode="numeric"' in client.get(page).content.decode()
    for wrong in ("", "12", "abc def", "1234567"):
        answer = client.post(page, {"code": wrong}, **FROM_THE_HALL)
        assert_refused(answer, "Diesen Code gibt es nicht")
    answer = client.post(page, {"code": f" {shown[1]}-{shown[2]} "}, **FROM_THE_HALL)
    assert client.get(answer.url).status_code == 200
    signed_in = client.post(answer.url, {"name": "Laptop am Eingang"})
    assert signed_in.url == reverse("desk", args=[event.slug])
    client.cookies.clear()
    again = client.post(page, {"code": shown[1] + shown[2]}, **FROM_THE_HALL)
    assert client.get(again.url).status_code == 410
    assert dora.device != StaffDevice.objects.latest("pk")


@pytest.mark.usefixtures("few")
def test_codes_are_not_guessed(client):
    code, page = code_for("einmal"), reverse("sign-in-code")
    assert code == code_for("einmal")
    make_link(event=f.make_event())
    for _try in range(MOST):
        client.post(page, {"code": "falsch"}, **FROM_THE_HALL)
    assert_refused(client.post(page, {"code": code}, **FROM_THE_HALL), "sehr viele Codes")
    elsewhere = {"REMOTE_ADDR": "192.168.7.32"}
    assert client.post(page, {"code": code}, **elsewhere).status_code == 302
    # A right one does not count, and many addresses at fault lock out themselves alone.
    for _try in range(MOST + 1):
        assert client.post(page, {"code": code}, **elsewhere).status_code == 302
    strangers = [f"192.168.8.{number}" for number in range(MOST_OF_ALL)]
    for address in strangers:
        client.post(page, {"code": "falsch"}, REMOTE_ADDR=address)
    assert client.post(page, {"code": code}, REMOTE_ADDR=strangers[0]).status_code == 422
    assert client.post(page, {"code": code}, REMOTE_ADDR="192.168.7.33").status_code == 302


@pytest.mark.usefixtures("few")
def test_the_networks_of_one_connection_share_a_limit(client):
    code, page = code_for("einmal"), reverse("sign-in-code")
    make_link(event=f.make_event())
    for number in range(4):
        for _try in range(MOST):
            client.post(page, {"code": "falsch"}, REMOTE_ADDR=f"2a02:8388:1:{number}::7")
    told = [
        client.post(page, {"code": code}, REMOTE_ADDR=address).status_code
        for address in ("2a02:8388:1:9::7", "2a02:8388:1:900::7", "2a02:8388:2::7")
    ]
    assert told == [422, 302, 302]
