"""What runs by itself: when it last ran, what a late run costs, and for how long all was away."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from celery import Celery
from celery.beat import Scheduler
from django.utils import timezone

from clock.selectors import clock_state
from clock.servertime import server_time
from krru.background import schedule
from krru.celery import EVERY, app
from krru.data import locks
from krru.data.folder import BASE_DIR
from krru.devtools.postgres import end, free_port
from krru.devtools.serving import ServerProcess
from krru.observing.alive import Presence, presence
from krru.starting.watchdog import TOUCHED_S, every_s
from tests import factories as f
from tests.infra.laptops import ran
from tests.pressing import done, refused, words_of
from tests.waits import wait_for
from tournaments.changes.access import Role
from tournaments.dashboard.views.dashboard import backups_now


@pytest.fixture(autouse=True)
def _own_runs(monkeypatch):
    monkeypatch.setattr(schedule, "_runs", {})
    monkeypatch.setattr(schedule, "_began", schedule._began - 3600)


@pytest.mark.django_db
def test_what_does_not_run_any_more_is_told_to_the_director(monkeypatch) -> None:
    f.make_event()
    now = timezone.now()
    with patch.object(server_time, "now", lambda: now):
        schedule.note_run("krru.tasks.backup")
        assert not backups_now().troubles
    with patch.object(server_time, "now", lambda: now + timedelta(seconds=31)):
        ((title, sentence),) = backups_now().troubles
    assert title == "Von selbst geschieht nichts mehr"
    assert f"{timezone.localtime(now):%H:%M}" in sentence
    monkeypatch.setattr(schedule, "_runs", {})
    monkeypatch.setattr(schedule, "_began", time.monotonic())
    assert not schedule.is_late(), "nothing is late right after the start"


# --- Tasks of the full mode, without its servers


def test_a_clock_set_back_does_not_hold_up_the_schedule() -> None:
    entry = Scheduler(app).schedule["tournaments.tasks.clocks_start"]
    with patch.object(Celery, "now", lambda app: datetime.now(UTC) - timedelta(hours=1)):
        assert entry.is_due().next <= 2


def test_a_periodic_task_that_still_runs_is_not_run_beside_it(
    settings, tmp_path, monkeypatch
) -> None:
    settings.EMBEDDED, settings.KRRU_DATA = False, tmp_path
    is_at_work, may_end, runs = threading.Event(), threading.Event(), []

    def slow() -> None:
        runs.append(1)
        is_at_work.set()
        may_end.wait(60)

    task = app.task(slow, name="tests.slow", shared=False, lazy=False)
    monkeypatch.setitem(EVERY, task.name, 1.0)
    thread = threading.Thread(target=task)
    thread.start()
    assert is_at_work.wait(60)
    task()
    assert runs == [1]
    may_end.set()
    thread.join(60)
    task()
    assert runs == [1, 1]
    app.tasks.unregister(task.name)


def test_broker_that_is_away_does_not_disturb_the_caller(tmp_path) -> None:
    server = ServerProcess(tmp_path / "data", {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"})
    server.folder.mkdir()
    call = "from krru.tasks import backup; print(backup.delay(), backup.delay())"

    done = server.manage("shell", "--no-imports", "-c", call)

    assert done.stdout.split() == ["None", "None"]
    assert done.stderr.count("Broker nicht erreichbar") == 1


def test_servers_of_containers_share_a_folder_though_each_is_process_one(tmp_path) -> None:
    left = tmp_path / locks.SERVERS / "0123456789ab.lock"
    left.parent.mkdir()
    left.touch()
    os.utime(left, (0, 0))

    with locks.one_of_many(tmp_path), locks.one_of_many(tmp_path):
        assert locks.is_served(tmp_path)
        assert not left.exists()
        assert len(list((tmp_path / locks.SERVERS).iterdir())) == 2

    assert not locks.is_served(tmp_path)
    assert not list((tmp_path / locks.SERVERS).iterdir())


# --- The server notices for how long it was away, and the laptop offers to put the clock back


def test_a_restart_knows_for_how_long_the_server_was_away(tmp_path):
    file = tmp_path / "alive"
    first = Presence(file)
    for minute in (0, 0.5, 1):
        first.note(f.after(minute))
    assert first.away is None
    second = Presence(file)
    second.note(f.after(15))
    assert second.away == (f.after(1), f.after(15))
    second.note(f.after(15.1))
    assert second.away == (f.after(1), f.after(15))
    file.write_text("rubbish")
    third = Presence(file)
    third.note(f.after(40))
    assert third.away is None
    slept = Presence()  # a laptop that slept was away, too
    slept.note(f.after(0))
    slept.note(f.after(20))
    assert slept.away == (f.after(0), f.after(20))


@pytest.mark.django_db
def test_the_clock_goes_back_to_before_the_outage_once(client, monkeypatch):
    event = f.make_running_event(4)
    f.sign_browser_in(client, Role.DIRECTOR)
    monkeypatch.setattr(server_time, "now", lambda: f.after(30))
    assert "lief hier nichts" not in words_of(client, event, "director-due")
    monkeypatch.setattr(presence, "away", (f.after(10), f.after(29)))
    due = words_of(client, event, "director-due")
    assert "Von 19:10 bis 19:29 lief hier nichts" in due
    assert "zurück auf 10:00" in due
    refused(client, event, "clock-back", since="x")
    done(client, event, "clock-back", since=str(int(f.after(10).timestamp())))
    state = clock_state(f.fresh(event).clock, f.after(30))
    assert (state.level.number, state.remaining) == (1, timedelta(minutes=10))
    assert "lief hier nichts" not in words_of(client, event, "director-due")


# --- Each process of a server reports to systemd, and is silent while it hangs


pytestmark = pytest.mark.sqlite_only
SECONDS = 180


class Manager:
    """What systemd hears of a service."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self.env = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "500000"}

    def hear(self, seconds: float = SECONDS) -> str:
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(100).decode()
        except TimeoutError:
            return ""

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path):
    with contextlib.closing(Manager(tmp_path / "notify")) as manager:
        yield manager


@pytest.mark.parametrize("command", [("serve", "--quiet", "--port", "0"), ("work",), ("schedule",)])
def test_a_process_is_ready_then_alive_and_silent_while_it_hangs(
    laptop, manager, request, command, tmp_path
) -> None:
    """So it tells systemd, and by a file the check of a container."""
    file = tmp_path / "alive"
    env = {**laptop.env, **manager.env, "KRRU_ALIVE": str(file)}
    if command[0] != "serve":
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
    compose = (BASE_DIR / "deploy" / "compose.yml").read_text("utf-8")
    (asks,) = re.findall(r'test: \[CMD, python, -c, "(.*)"\]', compose)
    asks = [sys.executable, "-c", asks.replace("/tmp/alive", str(file))]

    def is_healthy() -> bool:
        return ran(*asks).returncode == 0

    assert not is_healthy()
    own = {"cwd": BASE_DIR, "env": env, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "manage.py", *command], **own)
    try:
        assert manager.hear() == "READY=1"
        assert [manager.hear() for _each in range(3)] == ["WATCHDOG=1"] * 3
        assert is_healthy()
        process.send_signal(signal.SIGSTOP)
        assert wait_for(lambda: manager.hear(2) == "")
        os.utime(file, (0, 0))  # as after a long silence
        assert not is_healthy()
        process.send_signal(signal.SIGCONT)
        assert manager.hear() == "WATCHDOG=1"
        assert wait_for(is_healthy, SECONDS)
    finally:
        process.send_signal(signal.SIGCONT)
        end(process)


def test_a_container_is_told_without_systemd_and_else_nobody(monkeypatch) -> None:
    for name in ("WATCHDOG_USEC", "KRRU_ALIVE"):
        monkeypatch.delenv(name, raising=False)
    assert every_s() == 0
    monkeypatch.setenv("KRRU_ALIVE", "alive")
    assert every_s() == TOUCHED_S


def test_the_units_end_a_process_that_hangs() -> None:
    wanted = {"Type=notify", "WatchdogSec=20s", "WatchdogSignal=SIGKILL", "Restart=always"}
    for name in ("krru-web@", "krru-worker", "krru-schedule", "krru@"):
        unit = (BASE_DIR / "deploy" / "systemd" / f"{name}.service").read_text("utf-8")
        assert wanted <= set(unit.splitlines())
