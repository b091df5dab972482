"""What was acknowledged is there after the process is taken away, at whatever instant."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from krru.datafolder import BASE_DIR
from krru.devtools.serving import ServerProcess

pytestmark = pytest.mark.sqlite_only

# Two writers at once, each saying a name once it is committed.
WRITERS = """
import django, os, sys, threading
django.setup()
from django.db import transaction
from tournaments.models import Club
def write(who):
    for number in range(1_000_000):
        name = f"{sys.argv[1]}-{who}-{number}"
        with transaction.atomic():
            Club.objects.create(name=name)
        os.write(1, (name + "\\n").encode())
for who in range(2):
    threading.Thread(target=write, args=(who,)).start()
"""


def test_acknowledged_rows_survive_being_killed(tmp_path) -> None:
    laptop = ServerProcess(tmp_path / "data")
    laptop.folder.mkdir()
    laptop.manage("migrate", "--verbosity", "0")
    rng = random.Random(7)
    acknowledged: set[str] = set()

    for round_number in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITERS, str(round_number)],
            env={**laptop.env, "DJANGO_SETTINGS_MODULE": "krru.settings"},
            cwd=BASE_DIR,
            stdout=subprocess.PIPE,
        )
        assert process.stdout
        first = process.stdout.readline()
        time.sleep(rng.uniform(0.05, 0.4))
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        lines = (first + rest).decode().splitlines()
        assert len(lines) > 3
        acknowledged |= set(lines)

    with contextlib.closing(sqlite3.connect(laptop.folder / "krru.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = {name for (name,) in database.execute("SELECT name FROM tournaments_club")}
    assert acknowledged <= kept


def test_settings_synchronise_every_commit(tmp_path) -> None:
    laptop = ServerProcess(tmp_path / "data")
    laptop.folder.mkdir()
    code = (
        "from django.db import connection; c = connection.cursor();"
        "print([c.execute(f'PRAGMA {p}').fetchone()[0]"
        " for p in ('journal_mode', 'synchronous', 'foreign_keys')])"
    )

    done = laptop.manage("shell", "--no-imports", "-c", code)

    assert done.stdout.strip() == "['wal', 2, 1]"
