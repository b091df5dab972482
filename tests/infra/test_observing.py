"""What a load balancer, Prometheus and the one who helps are told; what an outage looks like."""

import asyncio
import json
import logging
import re
import sqlite3
import time
import urllib.error
import urllib.request
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import psycopg
import pytest
from django.db import DatabaseError, OperationalError
from django.test import RequestFactory

from krru import disks, errors, observing
from krru.databases import database_of
from krru.devtools.serving import ServerProcess
from krru.logs import NumberRequests, OneOfMany, SharedFile, logging_of
from krru.outages import outage_of
from tests.laptops import laptop_served_once
from tournaments.dashboard.views.machine import backups_now
from tournaments.models import Event

pytestmark = pytest.mark.sqlite_only
TOKEN = "only-prometheus-knows-it"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server with a token for its figures, which answers to a name that nobody asks for."""
    env = {"KRRU_METRICS_TOKEN": TOKEN, "KRRU_LOG_LEVEL": "INFO"}
    with laptop_served_once(tmp_path_factory.mktemp("watched") / "data", env) as server:
        yield server


def get(server: ServerProcess, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    request = urllib.request.Request(server.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_who_checks_needs_no_name(running, path) -> None:
    status, _, body = get(running, path, Host="check.example")

    assert status == 200
    assert json.loads(body)["ok"] is True
    assert get(running, "/", Host="check.example")[0] == 421


def test_ready_tells_how_everything_fares(running) -> None:
    told = json.loads(get(running, "/health/ready")[2])

    assert told["problems"] == []
    assert told["free_bytes"] > 0
    assert told["migrations_due"] == 0
    assert told["mails_waiting"] == 0
    assert told["last_backup_age_s"] is None
    deadline = time.monotonic() + 30
    while told["schedule_age_s"] is None and time.monotonic() < deadline:
        time.sleep(0.2)
        told = json.loads(get(running, "/health/ready")[2])
    assert 0 <= told["schedule_age_s"] <= 30


def test_a_lock_that_others_hold_is_not_ready(running) -> None:
    with sqlite3.connect(running.folder / "krru.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        status, _, body = get(running, "/health/ready")
        other.execute("ROLLBACK")
    other.close()

    assert status == 503
    assert json.loads(body)["problems"] == ["not_writable"]
    assert get(running, "/health/ready")[0] == 200


def test_figures_are_for_who_knows_the_token(running) -> None:
    assert get(running, "/metrics")[0] == 403
    assert get(running, "/metrics", Authorization="Bearer wrong")[0] == 403
    get(running, "/")

    status, _, body = get(running, "/metrics", Authorization=f"Bearer {TOKEN}")

    assert status == 200
    figures = dict(line.rsplit(" ", 1) for line in body.splitlines() if line[:1] != "#")
    assert float(figures['krru_answers_total{method="GET",status="2xx"}']) >= 1
    assert float(figures["krru_ready"]) == 1
    assert float(figures["krru_free_bytes"]) > 0
    assert float(figures["krru_answer_seconds_count"]) >= 1


def test_without_a_token_there_are_no_figures(client, settings) -> None:
    settings.KRRU_METRICS_TOKEN = ""

    assert client.get("/metrics").status_code == 404


def test_every_answer_has_its_number(running) -> None:
    numbers = [get(running, "/")[1]["x-request-id"] for _ in range(2)]

    assert len(set(numbers)) == 2
    assert all(len(number) == 8 for number in numbers)


def test_a_slow_request_is_in_the_log_with_its_number(monkeypatch, caplog) -> None:
    monkeypatch.setattr(observing, "SLOW_SECONDS", -1.0)

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message) -> None:
        sent.append(dict(message["headers"])[observing.HEADER].decode())

    sent: list[str] = []
    caplog.handler.addFilter(NumberRequests())
    scope = {"type": "http", "method": "GET", "path": "/verein/"}
    asyncio.run(observing.Observed(app)(scope, None, send))

    (entry,) = caplog.records
    assert entry.getMessage().startswith("GET /verein/ dauerte 0.0 s")
    assert [entry.request] == sent


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
    ],
)
def test_what_postgresql_says_is_known(error, code) -> None:
    wrapped = OperationalError(str(error))
    wrapped.__cause__ = error

    found = outage_of(wrapped)

    assert (found.code if found else None) == code


def test_a_database_server_has_so_long_to_answer() -> None:
    options = database_of("postgres://krru@127.0.0.1/krru", Path())["OPTIONS"]

    assert options["connect_timeout"] <= 5
    assert "statement_timeout=15s" in options["options"]
    assert "lock_timeout=10s" in options["options"]
    assert options["application_name"].startswith("krru")


def test_the_consoles_times_have_their_zone() -> None:
    formatter = logging.Formatter(
        **{
            {"format": "fmt"}.get(name, name): text
            for name, text in logging_of("", "INFO")["formatters"]["plain"].items()
        }
    )
    record = logging.LogRecord("krru", logging.INFO, "", 1, "text", (), None)
    record.request = "-"

    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} INFO", formatter.format(record))


@pytest.mark.django_db
def test_an_error_has_the_number_that_is_in_the_log_and_the_director_hears(client) -> None:
    client.raise_request_exception = False
    errors._recent.clear()
    with (
        patch.object(Event.objects, "exists", side_effect=RuntimeError("a bug")),
        patch("krru.errors.request_id", lambda: "ab12cd34"),
    ):
        answer = client.get("/health/")

    assert answer.status_code == 500
    assert "Fehlernummer ab12cd34" in answer.content.decode()
    assert "a bug" not in answer.content.decode()
    assert [fault.number for fault in errors.recent(timedelta(minutes=1))] == ["ab12cd34"]
    assert any("Fehlernummer ab12cd34" in note for _, note in backups_now().troubles)
    errors._recent.clear()


def answer_to(path: str, error: Exception, method: str = "get"):
    """What somebody gets whose request ended in this error."""
    request = getattr(RequestFactory(), method)(path)
    try:
        raise error
    except Exception:
        return errors.server_error(request)


LOCKED = OperationalError("database is locked")


def test_a_database_that_is_away_is_a_page_that_comes_back_by_itself() -> None:
    errors._recent.clear()

    answer = answer_to("/", LOCKED)

    page = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert 'http-equiv="refresh"' in page
    assert "gerade beschäftigt" in page
    assert not errors.recent(timedelta(minutes=1)), "it is no bug"
    assert 'http-equiv="refresh"' not in answer_to("/", LOCKED, "post").content.decode()


def test_the_interface_says_every_no_as_data() -> None:
    away = answer_to("/api/v1/events/", LOCKED)
    bug = answer_to("/api/v1/events/", KeyError("x"))

    assert json.loads(away.content).keys() == {"code", "reason", "number"}
    assert json.loads(away.content)["code"] == "database_busy"
    assert (away.status_code, bug.status_code) == (503, 500)
    assert json.loads(bug.content)["code"] == "error"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("database is locked", "database_busy"),
        ("database or disk is full", "disk_full"),
        ("disk I/O error", "disk_full"),
        ("attempt to write a readonly database", "disk_read_only"),
        ("unable to open database file", "database_away"),
        ("no such table: x", None),
    ],
)
def test_what_sqlite_says_is_known(text, code) -> None:
    found = outage_of(OperationalError(text))

    assert (found.code if found else None) == code
    assert outage_of(ValueError(text)) is None


def test_an_outage_is_one_line_and_a_bug_keeps_its_traceback() -> None:
    one_of_many = OneOfMany()

    def record(error: Exception) -> logging.LogRecord:
        told = (type(error), error, None)
        return logging.LogRecord("django.request", logging.ERROR, "", 1, "Error", (), told)

    first, second, bug = record(LOCKED), record(LOCKED), record(DatabaseError("no such table"))
    assert one_of_many.filter(first)
    assert first.getMessage() == "Datenbank: database is locked"
    assert first.exc_info is None
    assert not one_of_many.filter(second)
    assert one_of_many.filter(bug)
    assert bug.exc_info


def test_the_log_is_a_file_of_lines_without_secrets(running) -> None:
    logged = running.folder / "log" / "krru.log"
    get(running, "/p/Zeno-wants-this-token-0123456789/nowhere/")

    entries = [json.loads(line) for line in logged.read_text("utf-8").splitlines()]

    (entry,) = [entry for entry in entries if "nowhere" in entry["message"]]
    assert "Zeno" not in logged.read_text("utf-8")
    assert entry["at"].endswith("+00:00")
    assert len(entry["request"]) == 8
    assert logged.stat().st_mode & 0o007 == 0 or logged.parent.stat().st_mode & 0o077 == 0


def test_the_logs_file_is_put_aside_by_one_process_and_followed_by_the_others(tmp_path) -> None:
    path = tmp_path / "krru.log"
    one, other = (
        SharedFile(path, maxBytes=2000, backupCount=2, encoding="utf-8") for _ in range(2)
    )

    def write(handler: SharedFile, text: str) -> None:
        handler.emit(logging.LogRecord("krru", logging.INFO, "", 1, text, (), None))

    for number in range(100):
        write(one, f"one {number} {'x' * 40}")
        write(other, f"other {number} {'x' * 40}")
    one.close()
    other.close()

    kept = sorted(file.name for file in tmp_path.glob("krru.log*") if file.suffix != ".lock")
    assert kept == ["krru.log", "krru.log.1", "krru.log.2"]
    latest = path.read_text() + Path(f"{path}.1").read_text()
    assert "one 99" in latest
    assert "other 99" in latest
    assert path.stat().st_size < 2200


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_log_that_cannot_be_written_disturbs_nobody() -> None:
    handler = SharedFile("/dev/full", maxBytes=0)

    handler.emit(logging.LogRecord("krru", logging.INFO, "", 1, "text", (), None))


def test_a_disk_that_is_nearly_full_is_not_ready(monkeypatch, client, db) -> None:
    monkeypatch.setattr(disks, "free_bytes", lambda folder: 1024)

    answer = client.get("/health/ready")

    assert answer.status_code == 503
    assert "disk" in answer.json()["problems"]


@pytest.mark.django_db
def test_mails_wait_for_a_server(settings) -> None:
    from krru.mailing import CONSOLE
    from tests import factories as f
    from tournaments.models import Mail
    from tournaments.tasks import mails_due

    event = f.make_event()
    f.register(event, "Petra", email="petra@example.org")
    assert Mail.objects.count() == 1
    settings.EMAIL_BACKEND = CONSOLE

    mails_due()

    assert Mail.objects.get().sent_at is None
