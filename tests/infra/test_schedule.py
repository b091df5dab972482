"""The schedule is watched: it survives what its process meets, passes on, and is told when late."""

import sqlite3
import threading
import time
from contextlib import closing
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import connection, connections
from django.utils import timezone

from clock.servertime import server_time
from krru.background import schedule
from krru.background.embedded import Runner
from krru.background.schedule import Leader
from tests import factories as f
from tests.waits import wait_for
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
def test_what_does_not_run_any_more_is_told_to_the_director() -> None:
    f.make_event()
    now = timezone.now()
    with patch.object(server_time, "now", lambda: now):
        schedule.note_run("krru.tasks.backup")
        assert not backups_now().troubles
    with patch.object(server_time, "now", lambda: now + timedelta(seconds=31)):
        ((title, sentence),) = backups_now().troubles
    assert title == "Von selbst geschieht nichts mehr"
    assert f"{timezone.localtime(now):%H:%M}" in sentence


@pytest.mark.django_db
def test_nothing_is_late_right_after_the_start(monkeypatch) -> None:
    monkeypatch.setattr(schedule, "_began", time.monotonic())

    assert not schedule.is_late()
    assert schedule.age() is None


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


def test_a_killed_server_leaves_the_schedule_to_the_other(make_server, redis_url) -> None:
    env = {"REDIS_URL": redis_url}
    first = make_server("--no-worker", env=env)
    second = make_server("--no-worker", folder=first.folder, env=env)

    def last_run() -> str:
        with closing(sqlite3.connect(first.folder / "krru.sqlite3", timeout=10)) as database:
            query = "SELECT max(ran_at) FROM krru_schedulerun"
            return database.execute(query).fetchone()[0] or ""

    assert wait_for(last_run), first.log
    first.kill()
    before = last_run()

    assert wait_for(lambda: last_run() > before, 20), second.log
    second.stop()
