"""Fixtures of several pages: Dora's browser, a tournament to come and its desk."""

import pytest
from django.utils.timezone import now

from clock.servertime import server_time
from tests import factories as f
from tournaments.changes.access import Role


@pytest.fixture(autouse=True)
def _voice(monkeypatch):
    """Have no voice, as many a machine: speaking each schedule beforehand takes it seconds."""
    monkeypatch.setattr("clock.speech.VOICES", ())


@pytest.fixture
def lead(client, event):
    """The browser of somebody who leads this event alone."""
    f.sign_browser_in(client, Role.DIRECTOR, event)
    return client


@pytest.fixture
def petra(event):
    """Petra, who has told how she can be reached."""
    told = {"email": "petra@example.org", "remark": "Kommt mit Rad"}
    return f.register(event, "Petra Probst", at=now(), **told)


@pytest.fixture
def desk(client, event):
    """The desk of the event, signed in on the test's browser."""
    return f.sign_browser_in(client, Role.DESK, event)


@pytest.fixture
def arno(client, event):
    """An arbiter of the event, signed in on the test's browser."""
    return f.sign_browser_in(client, Role.ARBITER, event)


@pytest.fixture
def minute(monkeypatch):
    """Set the present to a minute of play."""
    return lambda number: monkeypatch.setattr(server_time, "now", lambda: f.after(number))
