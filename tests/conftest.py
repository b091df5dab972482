"""Fixtures shared by all tests: databases, real servers, the browser."""

import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from _pytest.doctest import DoctestModule
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.cache import caches
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from clock.realtime import hub
from krru.devtools import chromium
from krru.devtools.postgres import valkey
from krru.devtools.serving import ServerProcess
from krru.starting import texts
from tests import emptying
from tests.laptops import has_spoken, laptop_served_once
from tests.prepared import PATH
from tests.tables import note_as_migrated
from tests.warm import Laptop

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Entry, Event

# Playwright's synchronous interface runs a loop in the test's thread; Django would refuse the
# database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


# Where nothing is kept, every worker works out every assertion anew: two thirds of the collection.
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    """Have the exhaustive tests run only when they are asked for."""
    parser.addoption("--long", action="store_true", help="with the exhaustive tests")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations once, before the workers start, and say how often properties run.

    There is no deadline: an example that is slow once says something about the machine alone.
    """
    if not hasattr(config, "workerinput"):
        texts.compile_texts()
    emptying.install()
    hypothesis.settings.register_profile("krru", deadline=None, max_examples=20)
    hypothesis.settings.register_profile("long", deadline=None, max_examples=200)
    hypothesis.settings.load_profile("long" if config.getoption("long") else "krru")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Do not even import what says nothing about PostgreSQL: that takes a worker ten seconds.

    What a file needs to run there stands in it as a word, see `runs_on_postgres`.
    """
    from django.db import connection

    is_file = collection_path.suffix == ".py" and collection_path.name != "__init__.py"
    if connection.vendor == "sqlite" or not is_file:
        return None
    text = collection_path.read_text("utf-8")
    return None if "postgres" in text or "transaction=True" in text else True


def pytest_collection_finish() -> None:
    """Keep what was imported and collected out of every later look for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no doctests in tests: there are none, and looking takes as long as all the rest."""
    found = yield
    return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what says nothing about this database, and what is exhaustive unless asked for."""
    from django.db import connection

    runs = runs_on_sqlite if connection.vendor == "sqlite" else runs_on_postgres
    is_long = config.getoption("long")
    wanted = {
        item: runs(item) and (is_long or not item.get_closest_marker("long")) for item in items
    }
    config.hook.pytest_deselected(items=[item for item in items if not wanted[item]])
    items[:] = [item for item in items if wanted[item]]


def runs_on_sqlite(item: pytest.Item) -> bool:
    """Tell whether a test runs on SQLite: nearly every one does."""
    return item.get_closest_marker("postgres_only") is None


def runs_on_postgres(item: pytest.Item) -> bool:
    """Tell whether a test runs on PostgreSQL, which is asked for what it alone can tell.

    It can tell of races, so every test that commits runs there. Of SQL it tells in what is
    marked `postgres`: lists, sums and searches, a whole evening, and a look at every page.
    """
    if item.get_closest_marker("sqlite_only") or item.get_closest_marker("browser"):
        return False
    is_marked = item.get_closest_marker("postgres") or item.get_closest_marker("postgres_only")
    return bool(is_marked) or commits(item)


def commits(item: pytest.Item) -> bool:
    """Tell whether a test commits what it writes, instead of taking it back."""
    database = item.get_closest_marker("django_db")
    return database is not None and bool(database.kwargs.get("transaction"))


@pytest.fixture(scope="session")
def django_db_use_migrations() -> bool:
    """Have the tables made from the models."""
    return False


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Have a new database say of itself what one says that was migrated."""
    with django_db_blocker.unblock():
        note_as_migrated()


@pytest.fixture(autouse=True)
def _nothing_kept(request: pytest.FixtureRequest) -> None:
    """Forget what was kept of the test before: its rows had the same numbers."""
    for cache in caches.all():
        cache.clear()
    hub._topics.clear()
    from tournaments.models import Club, Currency

    Club.loaded_currency = Currency.EUR
    if request.node.get_closest_marker("django_db"):
        PATH.begin()


@pytest.fixture
def event(request: pytest.FixtureRequest) -> "Event":
    """The event that a mark describes; without one, to come and without registrations."""
    from tests import factories as f
    from tests.services.cashgames import make_cash_event

    makers = {"running": f.make_running_event, "cash_evening": make_cash_event}
    for name, make in makers.items():
        if mark := request.node.get_closest_marker(name):
            return make(*mark.args, **mark.kwargs)
    planned = request.node.get_closest_marker("planned")
    return f.make_event(**(planned.kwargs if planned else {"capacity": 20}))


@pytest.fixture
def dora(client: "Client") -> "Client":
    """Dora's browser: signed in as director of the whole club."""
    from tests import factories as f
    from tournaments.changes.access import Role

    f.sign_browser_in(client, Role.DIRECTOR)
    return client


@pytest.fixture
def entry(event: "Event") -> "Entry":
    """Somebody who sits at table 1 of an event that has seats."""
    from tests import factories as f

    return f.at_table(event, 1)[0]


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a real Valkey server: the run's, or one started here."""
    given = os.environ.get("KRRU_TEST_REDIS_URL")
    if given:
        yield given
        return
    with valkey() as url:
        yield url


@pytest.fixture
def make_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Return a maker of real, started servers, on the laptop of the test or on a folder."""
    with ExitStack() as stack:

        def make(
            *arguments: str, folder: Path | None = None, env: dict[str, str] | None = None
        ) -> ServerProcess:
            server = (
                Laptop(folder, env, *arguments)
                if folder
                else has_spoken(laptop_served_once(tmp_path / "data", env, *arguments))
            )
            stack.callback(server.kill)
            return server.start()

        yield make


@pytest.fixture
def server(make_server: Callable[..., ServerProcess]) -> ServerProcess:
    """A real server on the laptop of the test."""
    return make_server()


class WithoutStreams(StaticFilesHandler):
    """Tell a page to come back later for its stream, which a server of threads does not have.

    A page that is refused one loads itself anew every few seconds, in search of a token.
    """

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if not path.startswith("/stream/"):
            return super().__call__(environ, start_response)
        is_stream = path != "/stream/now/"
        later = b"retry: 3600000\n\n" if is_stream else b""
        headers = [("Content-Type", "text/event-stream"), ("Content-Length", str(len(later)))]
        start_response("200 OK" if is_stream else "404 Not Found", headers)
        return [later]


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    """A server of pages in this process."""
    server = LiveServer("localhost", start=False)
    server.thread.static_handler = WithoutStreams
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """Launch the system's Chromium; pages are reached under a name that is not localhost."""
    program = chromium.find()
    if program is None:
        pytest.skip(chromium.HOW_TO)
    return {"executable_path": program, "args": chromium.FLAGS, "headless": True}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, object]:
    """Contexts speak German and live in Vienna, as the hall does."""
    return {"locale": "de-DE", "timezone_id": "Europe/Vienna"}
