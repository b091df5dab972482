"""A player takes himself off the list: asked first, once, and only while it is possible."""

from uuid import uuid4

import pytest
from django.utils.timezone import now

from tests import factories as f
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Registration

pytestmark = pytest.mark.django_db


def test_withdrawing_asks_first_and_changes_nothing(client):
    event = soon()
    petra = f.register(event, "Petra Probst", at=now())
    response = client.get(f"/p/{petra.link_token}/abmelden/")
    assert "Wirklich abmelden?" in text_of(response)
    assert Registration.objects.live().filter(pk=petra.pk).exists()


def test_withdrawing(client):
    event = soon()
    petra = f.register(event, "Petra Probst", at=now())
    response = client.post(f"/p/{petra.link_token}/abmelden/")
    assert (response.status_code, response.url) == (302, f"/p/{petra.link_token}/")
    text = text_of(client.get(response.url))
    assert "Du bist abgemeldet" in text
    assert "Neu anmelden" in text
    action = f.assert_logged(event, "registration.withdrawn", registration=petra.pk)
    assert action.role == "player"


def test_withdrawing_twice_has_one_effect(client):
    event = soon()
    petra = f.register(event, "Petra Probst", at=now())
    typed = {"idempotency_key": str(uuid4())}
    for _time in range(2):
        assert client.post(f"/p/{petra.link_token}/abmelden/", typed).status_code == 302
    version = f.fresh(event).version
    again = client.post(f"/p/{petra.link_token}/abmelden/")
    assert again.status_code == 422
    assert "Diese Anmeldung gilt nicht mehr." in text_of(again)
    assert f.fresh(event).version == version


def test_who_is_checked_in_cannot_withdraw(client):
    """Also when the question was opened before the check-in."""
    event = soon()
    petra = f.register(event, "Petra Probst", at=now())
    f.check_in(event, petra, at=now())
    version = f.fresh(event).version
    asked = client.get(f"/p/{petra.link_token}/abmelden/")
    assert (asked.status_code, asked.url) == (302, f"/p/{petra.link_token}/")
    response = client.post(f"/p/{petra.link_token}/abmelden/")
    assert response.status_code == 422
    assert "Schon eingecheckt." in text_of(response)
    assert "Wirklich abmelden?" in text_of(response)
    assert f.fresh(event).version == version


def test_after_the_end_nobody_withdraws(client):
    event = soon()
    petra = f.register(event, "Petra Probst", at=now())
    event_cancel(Command(event=event, by=SYSTEM, at=now()))
    response = client.post(f"/p/{petra.link_token}/abmelden/")
    assert response.status_code == 422
    assert "Das Turnier ist beendet." in text_of(response)


def test_a_broken_key_is_refused(client):
    petra = f.register(soon(), "Petra Probst", at=now())
    typed = {"idempotency_key": "kein Schlüssel"}
    assert client.post(f"/p/{petra.link_token}/abmelden/", typed).status_code == 422
    assert Registration.objects.live().filter(pk=petra.pk).exists()
