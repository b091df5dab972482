"""Fixtures of several services: somebody at a table, a mail server of the test's own."""

import pytest

from tests import factories as f
from tests.post_office import post_office
from tests.services.mailing import use


@pytest.fixture
def entry(event):
    """Somebody who sits at table 1 of the test's event."""
    return f.at_table(event, 1)[0]


@pytest.fixture
def office(settings):
    """A mail server that keeps what it is sent."""
    with post_office() as made:
        use(settings, made.port)
        yield made
