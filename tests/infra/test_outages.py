"""What an outage and an error look like: the page, the interface's answer, and their words."""

import gzip
import json
import queue
import sqlite3
import threading
from contextlib import closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch

import brotli
import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import RequestFactory

from krru.data.databases import database_of
from krru.data.outages import RETRY_SECONDS, outage_of
from krru.observing import errors
from krru.observing.reporting import begin_reporting
from tests.infra.hall_client import get
from tests.laptops import laptop_served_once
from tournaments.dashboard.views.dashboard import backups_now
from tournaments.models import Event

pytestmark = pytest.mark.sqlite_only
LOCKED = OperationalError("database is locked")


def answer_to(path: str, error: Exception, method: str = "get"):
    """What somebody gets whose request ended in this error."""
    request = getattr(RequestFactory(), method)(path)
    try:
        raise error
    except Exception:
        return errors.server_error(request)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (psycopg.errors.AdminShutdown("x"), "database_away"),
        (psycopg.errors.CannotConnectNow("x"), "database_away"),
        (psycopg.errors.TooManyConnections("x"), "database_away"),
        (psycopg.OperationalError("connection failed: refused"), "database_away"),
        (psycopg.errors.QueryCanceled("statement timeout"), "database_busy"),
        (psycopg.errors.LockNotAvailable("x"), "database_busy"),
        (psycopg.errors.DiskFull("x"), "disk_full"),
        (psycopg.errors.UndefinedTable("x"), None),
        ("database is locked", "database_busy"),
        ("database or disk is full", "disk_full"),
        ("disk I/O error", "disk_full"),
        ("attempt to write a readonly database", "disk_read_only"),
        ("unable to open database file", "database_away"),
        ("no such table: x", None),
    ],
    ids=str,
)
def test_what_a_database_says_is_known(error, code) -> None:
    """An error of PostgreSQL, or what SQLite says."""
    wrapped = OperationalError(str(error))
    wrapped.__cause__ = error if isinstance(error, Exception) else None

    found = outage_of(wrapped)

    assert (found.code if found else None) == code
    assert outage_of(ValueError(str(error))) is None


def test_a_database_that_is_away_is_a_page_that_comes_back_by_itself_or_data() -> None:
    errors._recent.clear()

    answer = answer_to("/", LOCKED)

    page = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_SECONDS))
    assert 'http-equiv="refresh"' in page
    assert "gerade beschäftigt" in page
    assert not errors.recent(timedelta(minutes=1)), "it is no bug"
    assert 'http-equiv="refresh"' not in answer_to("/", LOCKED, "post").content.decode()

    away = answer_to("/api/v1/events/", LOCKED)
    bug = answer_to("/api/v1/events/", KeyError("x"))
    assert json.loads(away.content).keys() == {"code", "reason", "number"}
    assert json.loads(away.content)["code"] == "database_busy"
    assert (away.status_code, bug.status_code) == (503, 500)
    assert json.loads(bug.content)["code"] == "error"


def test_a_database_server_has_so_long_to_answer() -> None:
    options = database_of("postgres://krru@127.0.0.1/krru", Path())["OPTIONS"]

    assert options["connect_timeout"] <= 5
    assert "statement_timeout=15s" in options["options"]
    assert "lock_timeout=10s" in options["options"]
    assert options["application_name"].startswith("krru")


@pytest.mark.django_db
def test_an_error_has_the_number_that_is_in_the_log_and_the_director_hears(client) -> None:
    client.raise_request_exception = False
    errors._recent.clear()
    with (
        patch.object(Event.objects, "exists", side_effect=RuntimeError("a bug")),
        patch("krru.observing.errors.request_id", lambda: "ab12cd34"),
    ):
        answer = client.get("/health/")

    assert answer.status_code == 500
    assert "Fehlernummer ab12cd34" in answer.content.decode()
    assert "a bug" not in answer.content.decode()
    assert [fault.number for fault in errors.recent(timedelta(minutes=1))] == ["ab12cd34"]
    assert any("Fehlernummer ab12cd34" in note for _, note in backups_now().troubles)
    errors._recent.clear()


# --- Errors reported to a Sentry: a real server breaks, and a small Sentry listens


UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress}
TOKEN = "ThisLinkIsSomebodysOwn"


@pytest.fixture
def sentry():
    """Yield the address of a listener on loopback, and the events it received."""
    events: queue.Queue[dict] = queue.Queue()

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            body = UNPACKED[self.headers["Content-Encoding"]](body)
            for line in body.splitlines():
                if b'"exception"' in line:
                    events.put(json.loads(line))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_words: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://key@127.0.0.1:{server.server_port}/7", events
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_bug_is_told_with_its_number_and_without_people_and_a_busy_database_is_none(
    sentry, tmp_path
) -> None:
    address, events = sentry
    with laptop_served_once(tmp_path / "data", {"KRRU_SENTRY_DSN": address}) as server:
        with closing(sqlite3.connect(server.folder / "krru.sqlite3")) as base, base:
            base.execute("ALTER TABLE tournaments_registration RENAME TO elsewhere")
        with closing(sqlite3.connect(server.folder / "krru.sqlite3")) as other:
            other.execute("BEGIN EXCLUSIVE")
            busy, _, _ = get(f"{server.url}/health/ready")
            other.execute("ROLLBACK")
        status, headers, _ = get(
            f"{server.url}/p/{TOKEN}/?name=Hans+Huber", Cookie="krru_device=own"
        )
        event = events.get(timeout=60)

    assert (busy, status) == (503, 500)
    assert event["tags"]["request"] == headers["x-request-id"]
    assert event["exception"]["values"][-1]["type"] == "OperationalError"
    told = json.dumps(event)
    assert not [word for word in (TOKEN, "Huber", "krru_device") if word in told]
    for one in event["exception"]["values"]:
        assert all("vars" not in frame for frame in one["stacktrace"]["frames"])
    assert events.empty()


def test_an_address_that_is_none_is_said_in_a_sentence() -> None:
    with pytest.raises(ImproperlyConfigured, match="KRRU_SENTRY_DSN ist keine Adresse"):
        begin_reporting("sentry.example.org")
