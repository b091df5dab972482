"""What a load balancer, Prometheus and the one who helps are told of a running server."""

import asyncio
import contextlib
import json
import logging
import re
import socket
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError

from krru.data import disks
from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess
from krru.observing import logs, requests
from krru.observing.health import answered
from krru.observing.logs import Lines, OneOfMany, SharedFile
from tests.infra.conftest import TOKEN
from tests.infra.hall_client import get
from tests.laptops import laptop_served_once
from tests.pressing import shows
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only


def ready(server: ServerProcess) -> dict:
    return json.loads(get(f"{server.url}/health/ready")[2])


def test_ready_tells_how_everything_fares_and_who_checks_needs_no_name(running) -> None:
    for path in ("/health/live", "/health/ready"):
        status, _, body = get(running.url + path, Host="check.example")
        assert (status, json.loads(body)["ok"]) == (200, True)
    told = ready(running)
    assert told["problems"] == []
    assert told["free_bytes"] > 0
    assert told["migrations_due"] == told["mails_waiting"] == 0
    assert told["last_backup_age_s"] is None
    assert wait_for(lambda: ready(running)["schedule_age_s"] is not None)


def test_a_lock_that_others_hold_is_not_ready(running) -> None:
    with contextlib.closing(sqlite3.connect(running.folder / "krru.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        status, _, body = get(f"{running.url}/health/ready")
        other.execute("ROLLBACK")

    assert status == 503
    assert json.loads(body)["problems"] == ["not_writable"]
    assert get(f"{running.url}/health/ready")[0] == 200


def test_figures_are_for_who_knows_the_token(running, client, settings) -> None:
    for wrong in ({}, {"Authorization": "Bearer wrong"}):
        assert get(f"{running.url}/metrics", **wrong)[0] == 403
    get(f"{running.url}/")

    status, _, body = get(f"{running.url}/metrics", Authorization=f"Bearer {TOKEN}")

    assert status == 200
    figures = dict(line.rsplit(" ", 1) for line in body.splitlines() if line[:1] != "#")
    assert float(figures['krru_answer_seconds_count{status="2xx"}']) >= 1
    assert float(figures['krru_requests_total{route="home",status="200"}']) >= 1
    assert float(figures["krru_events_running"]) == float(figures["krru_entries"]) == 0
    assert float(figures["krru_streams"]) == float(figures["krru_pages_waiting"]) == 0
    assert not [name for name in figures if name.startswith("krru_problem{")]
    assert float(figures["krru_ready"]) == 1
    assert float(figures["krru_free_bytes"]) > 0
    settings.KRRU_METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404, "without a token there are none"


def test_the_log_is_a_file_of_lines_with_numbers_and_without_secrets(running) -> None:
    logged = running.folder / "log" / "krru.log"
    path = "/p/Zeno-wants-this-token-0123456789/nowhere/"
    numbers = [get(running.url + path)[1]["x-request-id"] for _ in range(2)]

    text = logged.read_text("utf-8")
    assert "Zeno" not in text
    entries = [line for line in text.splitlines() if "nowhere" in line]
    for entry, number in zip(entries, numbers, strict=True):
        assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} WARNING", entry)
        assert f" {number}: " in entry
    assert len(set(numbers)) == 2
    assert logged.stat().st_mode & 0o007 == 0 or logged.parent.stat().st_mode & 0o077 == 0


def test_a_slow_request_is_in_the_log_with_its_number(monkeypatch, caplog) -> None:
    monkeypatch.setattr(requests, "SLOW_SECONDS", -1.0)

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message) -> None:
        sent.append(dict(message["headers"])[requests.HEADER].decode())

    sent: list[str] = []
    caplog.handler.setFormatter(Lines("%(request)s %(message)s"))
    scope = {"type": "http", "method": "GET", "path": "/verein/"}
    asyncio.run(requests.Observed(app)(scope, None, send))

    assert caplog.text == f"{sent[0]} GET /verein/ dauerte 0.0 s\n"


def test_a_disk_that_is_nearly_full_is_not_ready(monkeypatch, client, db) -> None:
    monkeypatch.setattr(disks, "free_bytes", lambda folder: 1024)

    answer = client.get("/health/ready")

    assert answer.status_code == 503
    assert "disk" in answer.json()["problems"]


@pytest.mark.django_db
def test_mails_wait_for_a_server(settings) -> None:
    from krru.background.mailing import CONSOLE
    from tests import factories as f
    from tournaments.models import Mail
    from tournaments.tasks import mails_due

    event = f.make_event()
    f.register(event, "Petra", email="petra@example.org")
    assert Mail.objects.count() == 1
    settings.EMAIL_BACKEND = CONSOLE

    mails_due()

    assert Mail.objects.get().sent_at is None


# --- The names it answers under


def asked(server, path, *headers, method="GET", body=""):
    """Return the status line and the headers of one request, sent as it is written here."""
    lines = [f"{method} {path} HTTP/1.1", *headers, "Connection: close"]
    if body:
        lines += [
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(("\r\n".join([*lines, "", ""]) + body).encode())
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    head = answer.partition(b"\r\n\r\n")[0].decode()
    return int(head.split()[1]), head.lower()


def test_a_name_that_a_page_of_the_internet_has_borrowed_is_not_answered(running):
    for path in ("/", "/static/x.css", "/stream/?topics=x", "/health/"):
        assert asked(running, path, "Host: evil.example")[0] == 421
    for host in ("poker.example.org", "club.example", f"127.0.0.1:{running.port}", "10.0.0.9"):
        assert asked(running, "/", f"Host: {host}")[0] in {200, 302}


SECRET = "a" * 32
FORM = f"csrfmiddlewaretoken={SECRET}&language=en&next=/"


def language_chosen(server, *headers, origin="https://poker.example.org"):
    """Return the answer to a form that sets a cookie."""
    sent = ("Host: poker.example.org", f"Origin: {origin}", f"Cookie: csrftoken={SECRET}", *headers)
    return asked(server, "/sprache/setlang/", *sent, method="POST", body=FORM)


def test_on_https_cookies_are_marked_and_the_browser_is_told_to_stay_there(running):
    status, head = language_chosen(running, "X-Forwarded-Proto: https", "X-Forwarded-For: 84.1.2.3")
    assert status == 302
    assert "strict-transport-security: max-age=15552000" in head
    cookies = [line for line in head.splitlines() if line.startswith("set-cookie:")]
    assert cookies
    assert all("; secure" in line for line in cookies)
    assert "strict-transport-security" not in asked(running, "/", "Host: 10.0.0.9")[1]


def test_forms_are_taken_behind_a_proxy_that_nobody_has_named(running):
    """The proxy speaks https, the program hears http: the origin is one that was set."""
    assert language_chosen(running)[0] == 302
    assert language_chosen(running, origin="https://evil.example")[0] == 403


def test_what_hangs_holds_up_nobody_for_longer() -> None:
    goes_on = threading.Event()
    began = time.monotonic()

    found = [answered(lambda: goes_on.wait(30), 0.2), answered(lambda: True, 20.0)]
    seconds = time.monotonic() - began
    goes_on.set()

    assert found == [None, True]
    assert seconds < 20


def test_board_and_alerts_name_figures_that_are_there(running) -> None:
    told = get(f"{running.url}/metrics", Authorization=f"Bearer {TOKEN}")[2]
    there = set(re.findall(r"^# (?:HELP|TYPE) (krru_\w+)", told, re.MULTILINE))
    deploy = BASE_DIR / "deploy"
    for file in (deploy / "alerts.yml", deploy / "grafana" / "krru.json"):
        named = set(re.findall(r"\bkrru_\w+", file.read_text("utf-8")))
        # Those of Redis, and the one without a folder for backups, are not of this server.
        missing = {name.removesuffix("_bucket") for name in named} - there
        assert missing <= {"krru_tasks_waiting", "krru_last_backup_age_s", "krru_schedule_age_s"}


# --- The log: lines, file, repeated lines, and reports to a service manager


LINK = "/p/ThisLinkIsSomebodysOwn"


def entry(text: str, error: Exception | None = None) -> logging.LogRecord:
    told = None if error is None else (type(error), error, None)
    return logging.LogRecord("krru", logging.ERROR, "", 1, text, (), told)


@pytest.mark.parametrize("behind", [",/", ")", ".", '"', "~", "/", "?x=1", "%2F", ""])
def test_a_link_is_hidden_in_the_text_and_in_the_error_whatever_stands_behind_it(behind):
    link = f"{LINK}{behind}"
    line = Lines().format(entry(f"Not Found: {link}", ValueError(f"no such page {link}")))

    assert line.count("/p/…") == 2
    assert "Somebody" not in line


def test_an_outage_is_one_line_and_a_bug_keeps_its_traceback() -> None:
    one_of_many = OneOfMany()
    locked = OperationalError("database is locked")

    first, second = entry("Error", locked), entry("Error", locked)
    bug = entry("Error", DatabaseError("no such table"))
    # Two handlers ask about each entry.
    assert one_of_many.filter(first)
    assert one_of_many.filter(first)
    assert first.getMessage() == "Datenbank: database is locked"
    assert first.exc_info is None
    assert not one_of_many.filter(second)
    assert one_of_many.filter(bug)
    assert bug.exc_info


def test_the_logs_file_is_put_aside_by_one_process_and_followed_by_the_others(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(logs, "FILE_BYTES", 2000)
    path = tmp_path / "krru.log"
    one, other = (SharedFile(path, encoding="utf-8", delay=True) for _ in range(2))

    for number in range(100):
        one.emit(entry(f"one {number} {'x' * 40}"))
        other.emit(entry(f"other {number} {'x' * 40}"))
    one.close()
    other.close()

    kept = sorted(file.name for file in tmp_path.glob("krru.log*") if file.suffix != ".lock")
    assert kept == ["krru.log", "krru.log.1"]
    latest = path.read_text() + Path(f"{path}.1").read_text()
    shows(latest, "one 99", "other 99")
    assert path.stat().st_size < 2200


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_log_that_cannot_be_written_disturbs_nobody() -> None:
    SharedFile("/dev/full").emit(entry("text"))


def test_a_service_is_told_when_pages_are_answered_and_its_console_shows_no_link(tmp_path) -> None:
    """Its log gets no file, and a backup was killed before: both are dealt with at the start."""
    (tmp_path / "file").touch()
    log = tmp_path / "file" / "log"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "KRRU_LOG": str(log)}
        server = laptop_served_once(tmp_path / "data", env, "--quiet")
        left = [server.folder / name for name in ("backup-x1y2", "restore-x1y2")]
        for folder in left:
            folder.mkdir()
            (folder / "krru.sqlite3").write_text("alle Daten")
        with server:
            assert manager.recv(64) == b"READY=1"
            assert f"In {log} lässt sich nicht schreiben" in server.log
            assert "KRRU ist bereit." in server.log
            assert "http" not in server.log
            assert "█" not in server.log
            assert not any(folder.exists() for folder in left)
    assert (server.folder / "krru.sqlite3").exists()
    assert logs.log_folder(str(tmp_path), tmp_path) == str(tmp_path)
