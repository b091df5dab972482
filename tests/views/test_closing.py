"""Closing time on the pages: announced, told to players, taken back, and the count at the end."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.pressing import url_of
from tests.races import in_race
from tests.views.pages import text_of
from tournaments.models import ClosingCall

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Eight who stand in the break after the first level."""
    return in_race(f.make_running_event(8, seats=8))


def test_it_is_announced_and_players_read_it(client, dora, event):
    one = f.entries_of(event)[0].registration
    own = reverse("player-card", args=[one.link_token])
    assert "Sperrstunde" not in text_of(Client().get(own))
    assert client.post(url_of(event, "closing-announce")).status_code in (200, 302)
    call = ClosingCall.objects.live().get()
    assert "Gespielt wird bis zum Ende von Stufe 3." in text_of(Client().get(own))
    assert "Sperrstunde: nach Stufe 3 wird gezählt" in text_of(
        client.get(url_of(event, "director"))
    )
    preview = text_of(client.post(url_of(event, "undo-preview", call.made_by_id)))
    assert "Sperrstunde angesagt" in preview
    client.post(url_of(event, "action-undo", call.made_by_id))
    assert "Sperrstunde" not in text_of(Client().get(own))


def test_who_does_not_lead_does_not_announce_it(client, arno, event):
    assert client.post(url_of(event, "closing-announce")).status_code in (403, 422)
    assert not ClosingCall.objects.exists()


def test_what_was_counted_stands_there_when_the_tournament_is_ended(client, dora, event):
    sitting = f.at_table(event, 1)
    typed = {f"stack_{entry.pk}": str(event.starting_stack) for entry in sitting}
    client.post(url_of(event, "stack-count", 1), typed)
    page = client.get(url_of(event, "event-end")).content.decode()
    assert page.count(f'value="{event.starting_stack}"') == len(sitting)
