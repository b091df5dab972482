"""Errors that are told to a Sentry: a real server breaks, and a small Sentry listens."""

import gzip
import json
import queue
import sqlite3
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli
import pytest
from django.core.exceptions import ImproperlyConfigured

from krru.observing.reporting import begin_reporting
from tests.infra.test_observing import get
from tests.laptops import laptop_served_once

pytestmark = pytest.mark.sqlite_only
UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress}
TOKEN = "ThisLinkIsSomebodysOwn"


@pytest.fixture
def sentry():
    """The address of a listener on loopback, and the events that it was told."""
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
            busy, _, _ = get(server, "/health/ready")
            other.execute("ROLLBACK")
        status, headers, _ = get(server, f"/p/{TOKEN}/?name=Hans+Huber", Cookie="krru_device=own")
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
