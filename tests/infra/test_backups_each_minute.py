"""Every minute to the folder of choice: a stick that may be full, or gone."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from krru.backups.naming import Named, kept
from tests.infra.laptops import add_club, add_rows, back_up, minute


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


def made_each_minute(now: datetime, days: int) -> list[Named]:
    """The names of backups of each minute, the newest first."""
    count = 60 * 24 * days
    return [
        Named(
            path=Path(f"{number}"),
            home="c1b3f2",
            number=count - number,
            made_at=now - timedelta(minutes=number),
            reason="minute",
        )
        for number in range(count)
    ]


def test_what_is_kept() -> None:
    now = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    made = made_each_minute(now, 20)

    keep = kept(made, now)

    ages = {one.path: now - one.made_at for one in made if one.path in keep}
    latest = {one.path for one in made[:60]}
    assert latest <= keep
    hourly = {path for path in keep - latest if ages[path] <= timedelta(hours=48)}
    assert 47 <= len(hourly) <= 48
    assert len(keep) <= 60 + 49 + 14
    assert timedelta(days=12) <= max(ages.values()) <= timedelta(days=14)
