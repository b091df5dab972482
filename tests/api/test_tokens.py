"""Tokens on the page of devices: made, shown once, taken away."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest

from tests import factories as f
from tests.api.asking import Script, assert_no
from tests.pressing import HTMX, url_of
from tournaments.changes.access import Role, roles_of
from tournaments.models import Action, Event, StaffDevice

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r"krru_[\w-]{32}")


def make(client, event, role=Role.ARBITER, name="Anzeige", **headers):
    data = {"role": role, "name": name}
    return client.post(url_of(event, "staff-token"), data, headers={**HTMX, **headers})


def token_in(answer) -> str:
    assert answer.status_code == 200
    return TOKEN.search(answer.content.decode())[0]


def test_a_token_is_shown_once_and_works_at_its_tournament_until_it_is_taken_away(dora, event):
    answer = make(dora, event)
    token = token_in(answer)
    assert f"/api/v1/events/{event.slug}" in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    device = StaffDevice.objects.get(name="Anzeige")
    assert token not in device.token_hash
    assert roles_of(device, event) == {Role.ARBITER}
    assert not roles_of(device, f.make_event(name="Anderswo"))
    script, path = Script(token), f"/events/{event.slug}/tables"
    assert script.get(path).status_code == 200
    for name in ("staff", "staff-devices"):
        text = dora.get(url_of(event, name)).content.decode()
        assert token not in text
        assert "Anzeige" in text
        assert "Skript" in text
    assert dora.post(url_of(event, "staff-revoke", device.pk), headers=HTMX).status_code == 200
    assert "Anzeige" not in dora.get(url_of(event, "staff-devices")).content.decode()
    assert_no(script.get(path), 401, "not_signed_in")
    assert_no(script.get("/token"), 401, "not_signed_in")


def test_it_is_logged_without_its_secret_and_shown_without_scripts(dora, event):
    answer = dora.post(url_of(event, "staff-token"), {"role": "desk", "name": "Kasse"})
    assert "<h1>Geräte</h1>" in answer.content.decode()
    token = token_in(answer)
    action = Action.objects.get(kind="staff.token_made")
    assert action.payload["role"] == "desk"
    assert token not in f"{action.payload} {action.text.data}"
    assert action.text.data["name"] == "Kasse"


def test_the_same_press_again_shows_the_same_token(dora, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    assert len({token_in(make(dora, event, **key)) for _press in range(2)}) == 1
    assert StaffDevice.objects.filter(name="Anzeige").count() == 1
    assert token_in(make(dora, event)) != token_in(make(dora, event))


def test_a_token_needs_a_role_and_a_name(dora, event):
    before = StaffDevice.objects.count()
    for role, name in (("player", "X"), ("", "X"), ("desk", " "), ("desk", "")):
        assert make(dora, event, role, name).status_code == 422
    assert StaffDevice.objects.count() == before


def test_who_leads_one_tournament_makes_tokens_for_it_alone_and_no_tournament(client, event):
    other = f.make_event(name="Anderswo")
    f.sign_browser_in(client, Role.DIRECTOR, other)
    assert make(client, event).status_code == 403
    assert "für alle Turniere" not in client.get(url_of(other, "staff")).content.decode()
    assert make(client, other, role="all").status_code == 422
    own = Script(token_in(make(client, other, Role.DIRECTOR)))
    assert_no(own.post(f"/events/{event.slug}/clock/start"), 403, "not_allowed")
    assert_no(own.post("/copies", {"like": other.slug}), 403, "not_allowed")
    assert_no(Script().post("/copies", {"like": other.slug}), 401, "not_signed_in")


def test_a_token_for_all_tournaments_makes_one_like_another(dora, event):
    token = token_in(make(dora, event, role="all", name="Jahresplan"))
    script, key = Script(token), uuid4()
    wanted = {"like": event.slug, "name": "Freitag", "starts_at": "2027-01-08T18:00:00Z"}
    for _again in range(2):
        answer = script.post("/copies", wanted, key=key)
        assert answer.status_code == 200, answer.content
    made = Event.objects.get(slug=answer.json()["slug"])
    assert answer.json()["page_url"] == made.get_absolute_url()
    assert (made.name, made.starting_stack) == ("Freitag", event.starting_stack)
    assert made.starts_at.isoformat() == "2027-01-08T18:00:00+00:00"
    assert not made.registrations.exists()
    next_week = script.post("/copies", {"like": event.slug}).json()["slug"]
    assert Event.objects.get(slug=next_week).starts_at == event.starts_at + timedelta(weeks=1)
    assert_no(script.post("/copies", {"like": "keines"}), 404, "not_found")
    assert_no(script.post("/copies", {"like": event.slug, "starts_at": "bald"}), 422, "bad_request")
