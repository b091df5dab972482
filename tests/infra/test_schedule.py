"""What keeps the background alive: a schedule that is passed on, workers that are started anew."""

import os
import subprocess
import sys
import threading
import time
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import connection, connections
from django.utils import timezone

from clock.selectors import clock_state
from clock.servertime import server_time
from krru import worker
from krru.background import schedule
from krru.background.embedded import Runner
from krru.background.schedule import Leader
from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess
from krru.observing.alive import Presence, presence
from tests import factories as f
from tests.pressing import done, refused, words_of
from tests.waits import wait_for
from tournaments.changes.access import Role
from tournaments.dashboard.views.cards import backups_now


@pytest.fixture(autouse=True)
def _own_runs(monkeypatch):
    monkeypatch.setattr(schedule, "_runs", {})
    monkeypatch.setattr(schedule, "_began", schedule._began - 3600)


def test_a_schedule_that_meets_an_error_goes_on(monkeypatch) -> None:
    from krru.celery import app

    runs = threading.Event()
    failed = []

    class Failing(Leader):
        def leads(self) -> bool:
            if not failed:
                failed.append(True)
                raise RuntimeError("as planned")
            return True

    monkeypatch.setattr(schedule, "Leader", Failing)
    monkeypatch.setattr(schedule, "note_run", lambda task: runs.set())
    runner = Runner()
    app.loader.import_default_modules()
    task = app.tasks["krru.tasks.backup"]
    with patch.object(task, "apply"):
        runner._periodic = {"backup": (task, 0.05)}
        runner._ensure_thread()
        assert runs.wait(10)
        runner.stop()
    assert failed


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


@pytest.mark.postgres_only
@pytest.mark.django_db(transaction=True)
def test_of_two_machines_one_keeps_the_schedule_until_it_goes(settings) -> None:
    settings.EMBEDDED = False
    first, second = Leader(), Leader()
    assert first.leads()
    assert first.leads()

    def other() -> list[bool]:
        told = [second.leads()]
        asked.set()
        gone.wait(10)
        # The database ends a session that has gone a moment after its connection closed.
        told.append(wait_for(second.leads))
        second.release()
        connections.close_all()
        return told

    asked, gone = threading.Event(), threading.Event()
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.extend(other()))
    thread.start()
    assert asked.wait(10)
    connection.close()  # as a crash does: the lock goes with it
    gone.set()
    thread.join(20)

    assert found == [False, True]


# --- What keeps the background of the full mode alive: pauses of a worker, and what a start sweeps


# The fifth of these lives long enough to count as begun well.
DIES = """
echo x >> "{log}"
[ $(wc -l < "{log}") -eq 5 ] && exec sleep 1.3
exit 7
"""


class Pauses(threading.Event):
    """What tells a worker's keeper to stop, and remembers how long it was waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []
        self.are_enough = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.seconds.append(timeout)
        if len(self.seconds) == 8:
            self.are_enough.set()
        return super().wait(timeout)


@pytest.mark.sqlite_only
@pytest.mark.skipif(os.name != "posix", reason="the full mode is not for Windows")
def test_pauses_grow_and_begin_anew_after_a_worker_that_lived(tmp_path, monkeypatch) -> None:
    script = DIES.format(log=tmp_path / "starts")
    monkeypatch.setattr(worker, "COMMAND", ["/bin/sh", "-c", script])
    monkeypatch.setattr(worker, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(worker, "LONGEST_PAUSE_SECONDS", 0.04)
    monkeypatch.setattr(worker, "LIVED_SECONDS", 1.0)
    kept = worker.Worker()
    kept._stopping = pauses = Pauses()

    with kept:
        assert pauses.are_enough.wait(60)

    assert pauses.seconds[:8] == [0.01, 0.02, 0.04, 0.04, 0.01, 0.02, 0.04, 0.04]


@pytest.mark.sqlite_only
def test_the_schedule_by_itself_sweeps_what_a_killed_backup_left(laptop, redis_url) -> None:
    left = laptop.folder / "backup-left"
    left.mkdir()
    (left / "krru.sqlite3").write_bytes(b"a copy of everybody's data")
    served = ServerProcess(laptop.folder, {"REDIS_URL": redis_url})
    with (laptop.folder / "console.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, str(BASE_DIR / "manage.py"), "schedule"],
            env=served.env, cwd=BASE_DIR, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        assert wait_for(lambda: not left.exists() or process.poll() is not None), served.log
        assert not left.exists(), served.log
    finally:
        process.terminate()
        assert process.wait(30) == 0, served.log


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
