"""Fixtures shared by all tests: databases, real servers, the browser."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.cache import cache

from krru import texts
from krru.devtools import chromium
from krru.devtools.serving import ServerProcess
from krru.devtools.valkey import valkey
from tests.prepared import PATH

# Playwright's synchronous interface runs a loop in the test's thread; Django would refuse the
# database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

HALL_NAME = "krru.test"


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations once, before the workers start."""
    if not hasattr(config, "workerinput"):
        texts.compile_texts()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what says something about the other database."""
    from django.db import connection

    other = "postgres_only" if connection.vendor == "sqlite" else "sqlite_only"
    for item in items:
        if item.get_closest_marker(other):
            item.add_marker(pytest.mark.skip(reason=f"{other}, this run has {connection.vendor}"))


@pytest.fixture(autouse=True)
def _nothing_kept(request: pytest.FixtureRequest) -> None:
    """Forget what was kept of the test before: its rows had the same numbers."""
    cache.clear()
    marker = request.node.get_closest_marker("django_db")
    PATH.begin(is_known=marker is not None and not marker.kwargs.get("transaction"))


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
    """Return a maker of real, started servers on a data folder of the test."""
    with ExitStack() as stack:

        def make(
            *arguments: str, folder: Path | None = None, env: dict[str, str] | None = None
        ) -> ServerProcess:
            server = ServerProcess(folder or tmp_path / "data", env, *arguments)
            stack.callback(server.kill)
            return server.start()

        yield make


@pytest.fixture
def server(make_server: Callable[..., ServerProcess]) -> ServerProcess:
    """A real server on an empty data folder."""
    return make_server()


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
