"""Backups: whole while the evening goes on, brought up on a second laptop, never in the way."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from krru.backups.keeping import kept
from krru.datafolder import BASE_DIR, LOCK_FILE
from krru.devtools.serving import ServerProcess

pytestmark = pytest.mark.sqlite_only

# Writes numbered clubs, each in its own transaction, and says so once it is committed.
WRITER = """
import django, sys
django.setup()
from tournaments.models import Club
for number in range(1_000_000):
    Club.objects.create(name=f"Verein {number}", backup_folder="")
    print(number, flush=True)
"""


@pytest.fixture
def laptop(tmp_path: Path) -> ServerProcess:
    """A data folder with tables, and the commands on it; no server is running."""
    return new_laptop(tmp_path / "laptop")


def new_laptop(folder: Path) -> ServerProcess:
    laptop = ServerProcess(folder)
    folder.mkdir()
    laptop.manage("migrate", "--verbosity", "0")
    return laptop


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
        "print(json.dumps([[str(s.folder), s.last_file, s.error,"
        " s.last_ok_at and s.last_ok_at.isoformat()] for s in backup_status()]))"
    )
    run = ServerProcess(laptop.folder, {"KRRU_BACKUP": str(folder)})
    rows = json.loads(run.manage("shell", "--no-imports", "-c", code).stdout)
    return [dict(zip(("folder", "file", "error", "ok"), row, strict=True)) for row in rows]


def test_backup_while_a_writer_writes_comes_up_on_a_second_laptop(laptop, tmp_path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    with writer(laptop):
        files = [back_up(laptop, "--to", str(stick)) for _ in range(2)]
    second = ServerProcess(tmp_path / "second")

    done = second.manage("restore", str(files[-1]))

    restored = names(second)
    assert len(restored) > 5
    assert restored == [f"Verein {number}" for number in range(len(restored))]
    assert restored == names(laptop)[: len(restored)]
    assert "Wieder da ist der Stand vom" in done.stdout
    assert (second.folder / "secret.key").read_text() == (laptop.folder / "secret.key").read_text()
    assert not second.manage("migrate", "--check", check=False).returncode


def test_restore_sets_the_present_aside_and_deletes_nothing(laptop) -> None:
    add_club(laptop, "Vorher")
    file = back_up(laptop)
    add_club(laptop, "Nachher")

    laptop.manage("restore", str(file))

    assert names(laptop) == ["Vorher"]
    (former,) = laptop.folder.glob("before-restore-*")
    with contextlib.closing(sqlite3.connect(former / "krru.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM tournaments_club").fetchone() == (2,)
    assert (former / "secret.key").exists()


@pytest.mark.parametrize("harm", ["cut", "flipped", "no zip", "empty", "missing", "directory"])
def test_damaged_file_is_refused_and_changes_nothing(laptop, tmp_path, harm) -> None:
    add_club(laptop, "Bleibt")
    whole = back_up(laptop).read_bytes()
    file = tmp_path / "krru-harm.zip"
    middle = len(whole) // 2
    if harm == "directory":
        file.mkdir()
    elif harm != "missing":
        file.write_bytes(
            {
                "cut": whole[:middle],
                "flipped": whole[:middle]
                + bytes(b ^ 255 for b in whole[middle : middle + 64])
                + whole[middle + 64 :],
                "no zip": b"Das ist ein Brief.",
                "empty": b"",
            }[harm]
        )

    done = laptop.manage("restore", str(file), check=False)

    assert done.returncode == 1
    assert file.name in done.stderr
    assert "Traceback" not in done.stderr
    assert names(laptop) == ["Bleibt"]
    assert not list(laptop.folder.glob("before-restore-*"))
    assert not list(laptop.folder.glob("restore-*"))


def changed(file: Path, target: Path, **fields: object) -> Path:
    """Copy a backup with other words in its manifest."""
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            data = source.read(name)
            if name == "manifest.json":
                data = json.dumps({**json.loads(data), **fields}).encode()
            copy.writestr(name, data)
    return target


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"version": "99.0.0"}, "neueren Version 99.0.0"),
        ({"migrations": ["tournaments.9999_from_tomorrow"]}, "neueren Version"),
        ({"format": 2, "colour": "red"}, "neueren Version"),
        ({"database": "postgresql"}, "Die Sicherung ist aus postgresql"),
        ({"files": {"krru.sqlite3": "0" * 64}}, "andere Prüfsumme"),
        ({"files": {"../escape": "0" * 64}}, "beschädigt"),
    ],
)
def test_backup_that_does_not_fit_is_refused(laptop, tmp_path, fields, sentence) -> None:
    file = changed(back_up(laptop), tmp_path / "changed.zip", **fields)

    done = laptop.manage("restore", str(file), check=False)

    assert done.returncode == 1
    assert sentence in done.stderr
    assert not list(laptop.folder.glob("before-restore-*"))
    assert not (laptop.folder.parent / "escape").exists()


def test_running_server_is_not_overwritten(laptop) -> None:
    file = back_up(laptop)
    holder = (
        "import sys, time; from pathlib import Path; from krru.locks import only_server\n"
        "with only_server(Path(sys.argv[1])):\n print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", holder, str(laptop.folder)],
        stdout=subprocess.PIPE,
        cwd=BASE_DIR,
    )
    try:
        assert process.stdout
        process.stdout.readline()
        done = laptop.manage("restore", str(file), check=False)
        process.kill()
        process.wait()
        after = laptop.manage("restore", str(file), check=False)
    finally:
        process.kill()
        process.communicate()

    assert "läuft noch" in done.stderr
    assert (laptop.folder / LOCK_FILE).exists()
    assert after.returncode == 0


def test_killed_in_the_middle_leaves_no_file_that_looks_whole(laptop, tmp_path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    add_rows(laptop, 60_000)
    command = [sys.executable, str(BASE_DIR / "manage.py"), "backup", "--to", str(stick)]
    process = subprocess.Popen(command, env=laptop.env, cwd=BASE_DIR, stdout=subprocess.DEVNULL)
    while not list(stick.glob(".*.part")) and process.poll() is None:
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert [path.suffix for path in stick.iterdir()] == [".part"]
    minute(laptop, stick)
    assert [path.suffix for path in stick.iterdir()] == [".zip"]


def test_each_minute_only_what_changed(laptop, tmp_path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()

    with contextlib.closing(sqlite3.connect(laptop.folder / "krru.sqlite3")) as server:
        # As a running server does: without anybody connected, SQLite tidies its files up.
        server.execute("SELECT count(*) FROM tournaments_club").fetchone()
        (first,) = minute(laptop, stick)
        (again,) = minute(laptop, stick)
        time.sleep(1.1)
        add_club(laptop, "Neu")
        (third,) = minute(laptop, stick)

    assert first["file"] == again["file"] != third["file"]
    assert len(list(stick.glob("*.zip"))) == 2
    assert first["error"] == ""
    assert first["ok"]


def test_unplugged_stick_is_said_and_forgiven(laptop, tmp_path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (before,) = minute(laptop, stick)
    shutil.rmtree(stick)

    (status,) = minute(laptop, stick)

    assert "Ist der Stick eingesteckt?" in status["error"]
    assert status["ok"] == before["ok"]
    assert not stick.exists()
    stick.mkdir()
    (healed,) = minute(laptop, stick)
    assert healed["error"] == ""
    assert len(list(stick.glob("*.zip"))) == 1


def test_full_stick_is_said_and_leaves_nothing_behind(laptop, tmp_path) -> None:
    if not Path("/dev/shm").is_dir() or os.geteuid() != 0:
        pytest.skip("needs a small file system, which only root can mount")
    stick = tmp_path / "stick"
    stick.mkdir()
    add_rows(laptop, 2_000)
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(stick)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        (status,) = minute(laptop, stick)
        left = list(stick.iterdir())
    finally:
        subprocess.run(["umount", str(stick)], check=True)

    assert "nicht möglich" in status["error"]
    assert left == []


def test_folder_chosen_in_the_club_is_used_too(laptop, tmp_path) -> None:
    sticks = [tmp_path / "one", tmp_path / "two"]
    for stick in sticks:
        stick.mkdir()
    code = "from tournaments.models import Club;"
    code += f"Club.objects.create(name='V', backup_folder={str(sticks[1])!r})"
    laptop.manage("shell", "--no-imports", "-c", code)

    rows = minute(laptop, sticks[0])

    assert [row["folder"] for row in rows] == [str(stick) for stick in sticks]
    assert all(len(list(stick.glob("*.zip"))) == 1 for stick in sticks)


def test_backup_is_for_its_owner_alone(laptop) -> None:
    assert back_up(laptop).stat().st_mode & 0o077 == 0


def test_what_is_kept() -> None:
    now = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    made = [now - timedelta(minutes=number) for number in range(60 * 24 * 20)]

    keep = kept(made, now)

    assert set(made[:60]) <= keep
    hourly = {at for at in keep if now - at <= timedelta(hours=48)} - set(made[:60])
    assert 47 <= len(hourly) <= 48
    assert len(keep) <= 60 + 49 + 14
    assert min(keep) >= now - timedelta(days=14)
    assert min(keep) <= now - timedelta(days=12)
