"""Backups of a PostgreSQL database: dumped, brought up, never over a server at work."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from krru.backups import backup_before_upgrade, database
from krru.data.folder import BASE_DIR, Trouble
from krru.devtools.serving import ServerProcess
from krru.models import ScheduleRun
from tournaments.models import Club

pytestmark = pytest.mark.postgres_only


@pytest.fixture
def empty() -> str:
    """The address of a PostgreSQL database in which there is nothing."""
    server_url = os.environ["KRRU_TEST_DATABASE_URL"]
    name = f"backup_{os.getpid()}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield f"{server_url.rsplit('/', 1)[0]}/{name}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def laptop(tmp_path: Path, empty: str) -> ServerProcess:
    """A data folder on a PostgreSQL database of its own."""
    laptop = ServerProcess(tmp_path / "laptop", {"DATABASE_URL": empty})
    laptop.folder.mkdir()
    laptop.manage("migrate", "--verbosity", "0")
    return laptop


def add_club(laptop: ServerProcess, name: str) -> None:
    code = f"from tournaments.models import Club; Club.objects.create(name={name!r})"
    laptop.manage("shell", "--no-imports", "-c", code)


def names(laptop: ServerProcess) -> list[str]:
    with psycopg.connect(laptop.env["DATABASE_URL"]) as database:
        return [name for (name,) in database.execute("SELECT name FROM tournaments_club")]


def test_backup_and_restore_but_not_over_somebody_at_work(laptop: ServerProcess) -> None:
    add_club(laptop, "Vorher")
    file = laptop.manage("backup").stdout.strip()
    add_club(laptop, "Nachher")

    url = laptop.env["DATABASE_URL"]
    with psycopg.connect(url, application_name="Doras Auswertung"):
        done = laptop.manage("restore", file, check=False)
    assert done.returncode == 1
    assert "mit der Datenbank verbunden: Doras Auswertung. Zuerst dort beenden" in done.stderr

    laptop.manage("restore", file)

    assert names(laptop) == ["Vorher"]
    (former,) = laptop.folder.glob("before-restore-*")
    assert (former / "krru.dump").stat().st_size > 1000
    add_club(laptop, "Danach")
    assert sorted(names(laptop)) == ["Danach", "Vorher"]


def test_two_machines_that_start_on_an_empty_database_both_come_up(tmp_path, empty) -> None:
    machines = [ServerProcess(tmp_path / name, {"DATABASE_URL": empty}) for name in ("a", "b")]
    started = [
        subprocess.Popen(
            [sys.executable, str(BASE_DIR / "manage.py"), "migrate", "--verbosity", "0"],
            env=machine.env, cwd=BASE_DIR, stderr=subprocess.PIPE, text=True,
        )
        for machine in machines
    ]  # fmt: skip

    said = [process.communicate(timeout=120)[1] for process in started]

    assert [process.returncode for process in started] == [0, 0], said
    assert names(machines[0]) == []


@pytest.mark.django_db(transaction=True)
def test_who_backs_up_by_himself_says_so_once(own_folder, settings, monkeypatch, caplog) -> None:
    monkeypatch.setattr(database, "pg_tools", lambda name: [])

    with pytest.raises(Trouble, match=r"pg_dump fehlt.*KRRU_OWN_BACKUP=1"):
        backup_before_upgrade()
    settings.KRRU_OWN_BACKUP = True
    backup_before_upgrade()

    assert "Ohne eigene Sicherung" in caplog.text
    assert not list((own_folder / "backups").iterdir())


def test_a_tool_that_is_too_old_is_said_in_words() -> None:
    said = "pg_dump: error: aborting because of server version mismatch\npg_dump: detail: x"
    assert "älter als der Server" in database._sentence("pg_dump", said)
    half = "pg_dump: error: query failed: ERROR: no\nJOIN pg_catalog.pg_index i ON (src"
    assert database._sentence("pg_dump", half) == "pg_dump ging nicht: query failed: ERROR: no"


@pytest.mark.django_db(transaction=True)
def test_that_the_schedule_ran_is_nothing_to_back_up() -> None:
    def signature() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_force_next_flush()")
            cursor.execute("SELECT 1")
        return database.signature()

    before = signature()
    ScheduleRun.objects.update_or_create(task="x", defaults={"ran_at": timezone.now()})
    assert signature() == before
    Club.objects.create(name="Neu")
    assert signature() != before
