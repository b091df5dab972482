"""An evening under way, and scripts of each role at it."""

import pytest

from tests import factories as f
from tests.api.asking import Script, script_of
from tournaments.changes.access import Role
from tournaments.event.services.clock import clock_pause


@pytest.fixture
def event():
    """Twelve players at two tables, begun; the clock stands, so that every run meets level 1."""
    event = f.make_running_event(12, seats=6)
    f.drive(clock_pause, event, 1)
    return f.fresh(event)


@pytest.fixture
def director(event) -> Script:
    return script_of(Role.DIRECTOR, event)


@pytest.fixture
def desk(event) -> Script:
    return script_of(Role.DESK, event)


@pytest.fixture
def arbiter(event) -> Script:
    return script_of(Role.ARBITER, event)


@pytest.fixture
def stranger() -> Script:
    return Script()
