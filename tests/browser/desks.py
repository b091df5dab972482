"""A desk with four registrations in a browser, for modules that say `pytest_plugins`."""

import pytest

from tests import factories as f
from tests.browser.hall import LAPTOP
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_update


@pytest.fixture
def event():
    made = f.make_event(capacity=3)
    event_update(Command(event=made, by=SYSTEM, at=f.ARRIVAL), settings={"fee_cents": 1000})
    for name in ("Ada Auer", "Bela Berg", "Cora Cerny", "Vera Vogt"):
        f.register(made, name)
    return f.fresh(made)


@pytest.fixture
def rows(event):
    return {row.person.name: row for row in event.registrations.select_related("person")}


@pytest.fixture
def desk(page, live_server, event):
    token = f.sign_in("Eingang", Role.DESK, event).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + url_of(event, "desk"))
    return page
