"""Backups of a PostgreSQL database: dumped, brought up, never over a server at work."""

import os
from pathlib import Path

import psycopg
import pytest

from krru.devtools.serving import ServerProcess
from tests.infra.laptops import add_club

pytestmark = pytest.mark.postgres_only


@pytest.fixture
def laptop(tmp_path: Path) -> ServerProcess:
    """A data folder on a PostgreSQL database of its own."""
    server_url = os.environ["KRRU_TEST_DATABASE_URL"]
    name = f"backup_{os.getpid()}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    laptop = ServerProcess(
        tmp_path / "laptop", {"DATABASE_URL": f"{server_url.rsplit('/', 1)[0]}/{name}"}
    )
    laptop.folder.mkdir()
    laptop.manage("migrate", "--verbosity", "0")
    yield laptop
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def names(laptop: ServerProcess) -> list[str]:
    with psycopg.connect(laptop.env["DATABASE_URL"]) as database:
        return [name for (name,) in database.execute("SELECT name FROM tournaments_club")]


def test_backup_and_restore(laptop: ServerProcess) -> None:
    add_club(laptop, "Vorher")
    file = laptop.manage("backup").stdout.strip()
    add_club(laptop, "Nachher")

    laptop.manage("restore", file)

    assert names(laptop) == ["Vorher"]
    (former,) = laptop.folder.glob("before-restore-*")
    assert (former / "krru.dump").stat().st_size > 1000
    add_club(laptop, "Danach")
    assert sorted(names(laptop)) == ["Danach", "Vorher"]


def test_restore_over_somebody_at_work_is_refused(laptop: ServerProcess) -> None:
    file = laptop.manage("backup").stdout.strip()

    with psycopg.connect(laptop.env["DATABASE_URL"]):
        done = laptop.manage("restore", file, check=False)

    assert done.returncode == 1
    assert "läuft noch" in done.stderr
