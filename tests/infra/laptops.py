"""A laptop's data folder with commands on it, for the tests of backups."""

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from krru.datafolder import BASE_DIR
from krru.devtools.serving import ServerProcess

# Writes numbered clubs, each in its own transaction, and says so once it is committed.
WRITER = """
import django, sys
django.setup()
from tournaments.models import Club
for number in range(1_000_000):
    Club.objects.create(name=f"Verein {number}", backup_folder="")
    print(number, flush=True)
"""


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


def add_club(laptop: ServerProcess, name: str) -> None:
    code = f"from tournaments.models import Club; Club.objects.create(name={name!r})"
    laptop.manage("shell", "--no-imports", "-c", code)


def add_rows(laptop: ServerProcess, count: int) -> None:
    """Add rows that no compression makes small."""
    code = "from tournaments.models import Club; import secrets;"
    code += f"Club.objects.bulk_create(Club(name=secrets.token_hex(60)) for _ in range({count}))"
    laptop.manage("shell", "--no-imports", "-c", code)


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
    run = ServerProcess(laptop.folder, {"KRRU_BACKUP": str(folder)})
    rows = json.loads(run.manage("shell", "--no-imports", "-c", code).stdout)
    return [dict(zip(("folder", "file", "error", "ok"), row, strict=True)) for row in rows]
