"""A laptop's data folder with commands on it, for the tests of backups."""

import contextlib
import json
import os
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest
from django.db import connection
from django.utils import timezone

from clock.servertime import server_time
from krru import backups
from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess
from tests.warm import Laptop
from tournaments.models import Club

# Writes numbered clubs, each in its own transaction, and says so once it is committed.
WRITER = """
import django, sys
django.setup()
from tournaments.models import Club
for number in range(1_000_000):
    Club.objects.create(name=f"Verein {number}", backup_folder="")
    print(number, flush=True)
"""


def ran(*command: object, **own: object) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and return what it wrote."""
    words = [*map(str, command)]
    return subprocess.run(words, capture_output=True, text=True, check=False, **own)


@contextlib.contextmanager
def writer(laptop: ServerProcess):
    """A process that writes all the time."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER],
        env={**laptop.env, "DJANGO_SETTINGS_MODULE": "krru.settings"},
        cwd=BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def names(laptop: ServerProcess) -> list[str]:
    with contextlib.closing(sqlite3.connect(laptop.folder / "krru.sqlite3")) as database:
        rows = database.execute("SELECT name FROM tournaments_club ORDER BY id")
        return [name for (name,) in rows]


def add_club(laptop: ServerProcess, name: str, **own: str) -> None:
    add_clubs(laptop, [name], **own)


def add_rows(laptop: ServerProcess, count: int) -> None:
    """Add rows that no compression makes small."""
    add_clubs(laptop, [secrets.token_hex(60) for _ in range(count)])


def add_clubs(laptop: ServerProcess, names: Iterable[str], **own: str) -> None:
    """Write them from here: a process of its own takes over a second for each call."""
    _key, *fields = Club._meta.concrete_fields
    columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    marks = ", ".join("?" * len(fields))
    rows = [
        [field.get_db_prep_save(getattr(club, field.attname), connection) for field in fields]
        for club in (Club(name=name, **own) for name in names)
    ]
    file = laptop.folder / "krru.sqlite3"
    with contextlib.closing(sqlite3.connect(file, timeout=30)) as database, database:
        database.executemany(f"INSERT INTO tournaments_club ({columns}) VALUES ({marks})", rows)


def back_up(laptop: ServerProcess, *arguments: str) -> Path:
    return Path(laptop.manage("backup", *arguments).stdout.strip())


def minute(laptop: ServerProcess, folder: Path) -> list[dict]:
    """Run the task of each minute and return what the dashboard would show."""
    code = (
        "from krru.tasks import backup; backup();"
        "import json; from krru.backups import backup_status;"
        "print(json.dumps([[str(s.folder), s.last_file, s.sentence,"
        " s.last_ok_at and s.last_ok_at.isoformat()] for s in backup_status()]))"
    )
    run = Laptop(laptop.folder, {"KRRU_BACKUP": str(folder)})
    rows = json.loads(run.manage("shell", "--no-imports", "-c", code).stdout)
    return [dict(zip(("folder", "file", "error", "ok"), row, strict=True)) for row in rows]


def minute_of(name: str, at: datetime | None = None) -> Path:
    """Add a club here, back up as each minute does at this instant, and return the file."""
    Club.objects.create(name=name)
    with patch.object(server_time, "now", lambda: at or timezone.now()):
        (status,) = backups.backup_all(reason="minute")
    assert status.error == ""
    return status.folder / status.last_file


@contextlib.contextmanager
def small_disk(folder: Path, size: str):
    """A small file system of its own."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)
