"""Fixtures of several services: somebody at a table, and servers outside of the test's own."""

import pytest

from krru.web.hosts import public_site
from tests import factories as f
from tests.calling import call_service
from tests.outside import TOKEN, BotApi, PushService, served
from tests.post_office import post_office
from tests.services.cashgames import open_table
from tests.services.listening import BASE
from tests.services.mailing import use
from tournaments.changes.access import SYSTEM
from tournaments.notices.services.choosing import outlet_set


@pytest.fixture
def table(event):
    """A cash table of the test's event."""
    return open_table(event)


@pytest.fixture
def office(settings):
    """A mail server that keeps what it is sent."""
    with post_office() as made:
        use(settings, made.port)
        yield made


@pytest.fixture
def outside(settings):
    """Let the club's requests go to stand-ins on loopback."""
    settings.OUTGOING_HOSTS = frozenset({"127.0.0.1"})
    settings.PUBLIC = public_site(BASE)


@pytest.fixture
def pushes(outside):
    with served(PushService()) as service:
        yield service
    assert service.faults == []


@pytest.fixture
def bot(outside, settings):
    with served(BotApi()) as api:
        settings.TELEGRAM_URL = api.url
        call_service(outlet_set, club=f.house(), by=SYSTEM, at=f.ARRIVAL, token=TOKEN, name="b")
        yield api
