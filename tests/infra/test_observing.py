"""What a load balancer, Prometheus and the one who helps are told of a running server."""

import asyncio
import json
import re
import sqlite3
import time
import urllib.error
import urllib.request

import pytest

from krru.data import disks
from krru.devtools.serving import ServerProcess
from krru.observing import requests
from krru.observing.logs import Lines
from tests.laptops import laptop_served_once

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
    assert float(figures['krru_answer_seconds_count{status="2xx"}']) >= 1
    assert float(figures["krru_ready"]) == 1
    assert float(figures["krru_free_bytes"]) > 0


def test_without_a_token_there_are_no_figures(client, settings) -> None:
    settings.KRRU_METRICS_TOKEN = ""

    assert client.get("/metrics").status_code == 404


def test_every_answer_has_its_number(running) -> None:
    numbers = [get(running, "/")[1]["x-request-id"] for _ in range(2)]

    assert len(set(numbers)) == 2
    assert all(len(number) == 8 for number in numbers)


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


def test_the_log_is_a_file_of_lines_without_secrets(running) -> None:
    logged = running.folder / "log" / "krru.log"
    get(running, "/p/Zeno-wants-this-token-0123456789/nowhere/")

    (entry,) = [line for line in logged.read_text("utf-8").splitlines() if "nowhere" in line]
    assert "Zeno" not in logged.read_text("utf-8")
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} WARNING", entry)
    assert re.search(r" [0-9a-f]{8}: ", entry)
    assert logged.stat().st_mode & 0o007 == 0 or logged.parent.stat().st_mode & 0o077 == 0


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
