"""The first dealer by high card, drawn and shown on the arbiter's phone."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, url_of
from tests.views.pages import text_of
from tournaments.changes.access import Role

pytestmark = pytest.mark.django_db


def seated(client, players, **settings):
    event = f.make_seated_event(players, **settings)
    f.sign_browser_in(client, Role.ARBITER, event)
    return event


def test_the_first_dealer_is_drawn_and_the_cards_are_shown(client):
    event = seated(client, 6, seats=6)
    assert client.get(url_of(event, "floor-cards", 1)).status_code == 404
    assert "Ersten Geber auslosen" in text_of(client.get(url_of(event, "floor-table-panel", 1)))
    answer = client.post(url_of(event, "floor-dealer", 1), headers=HTMX)
    shown = text_of(answer)
    assert shown.count("playing-card") == 6
    assert "gibt zuerst" in shown
    action = f.last_action(event)
    assert f"Platz {action.payload['seat']}" in shown[: shown.index("gibt zuerst")]
    assert url_of(event, "action-undo", action.pk) in shown
    assert "playing-card" in text_of(client.get(url_of(event, "floor-cards", 1)))
    panel = text_of(client.get(url_of(event, "floor-table-panel", 1)))
    assert "Ersten Geber auslosen" not in panel
    assert "seat-button" in panel
    again = client.post(url_of(event, "floor-dealer", 1), headers=HTMX)
    assert again.status_code == 422
    assert "schon ausgelost" in text_of(again)


def test_one_alone_draws_no_dealer(client):
    event = seated(client, 1)
    answer = client.post(url_of(event, "floor-dealer", 1), headers=HTMX)
    assert answer.status_code == 422
    assert "keine zwei" in text_of(answer)
    plain = client.post(url_of(event, "floor-dealer", 1))
    assert plain.status_code == 422
    assert "Zurück" in text_of(plain)
