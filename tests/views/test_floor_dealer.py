"""The first dealer by high card, drawn and shown on the arbiter's phone."""

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.access import Role
from tournaments.middleware import COOKIE

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def url(name, event, *more):
    return reverse(name, args=[event.slug, *more])


def text(answer):
    return answer.content.decode()


def seated(client, players, **settings):
    event = f.make_seated_event(players, **settings)
    client.cookies[COOKIE] = f.sign_in("Arnos Handy", Role.ARBITER, event).token
    return event


def test_the_first_dealer_is_drawn_and_the_cards_are_shown(client):
    event = seated(client, 6, seats=6)
    assert client.get(url("floor-cards", event, 1)).status_code == 404
    assert "Ersten Geber auslosen" in text(client.get(url("floor-table-panel", event, 1)))
    answer = client.post(url("floor-dealer", event, 1), headers=HTMX)
    shown = text(answer)
    assert shown.count("playing-card") == 6
    assert "gibt zuerst" in shown
    action = f.last_action(event)
    assert f"Platz {action.payload['seat']}" in shown[: shown.index("gibt zuerst")]
    assert url("action-undo", event, action.pk) in shown
    assert "playing-card" in text(client.get(url("floor-cards", event, 1)))
    panel = text(client.get(url("floor-table-panel", event, 1)))
    assert "Ersten Geber auslosen" not in panel
    assert "seat-button" in panel
    again = client.post(url("floor-dealer", event, 1), headers=HTMX)
    assert again.status_code == 422
    assert "schon ausgelost" in text(again)


def test_one_alone_draws_no_dealer(client):
    event = seated(client, 1)
    answer = client.post(url("floor-dealer", event, 1), headers=HTMX)
    assert answer.status_code == 422
    assert "keine zwei" in text(answer)
    plain = client.post(url("floor-dealer", event, 1))
    assert plain.status_code == 422
    assert "Zurück" in text(plain)
