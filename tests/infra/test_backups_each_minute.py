"""Every minute to the folder of choice: a stick that may be full, or gone."""

import contextlib
import shutil
import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from krru.backups.naming import Named, kept
from tests.infra.laptops import add_club, add_rows, minute, small_disk


@pytest.fixture
def stick_folder(tmp_path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def test_each_minute_only_what_changed(laptop, stick_folder) -> None:
    with contextlib.closing(sqlite3.connect(laptop.folder / "krru.sqlite3")) as server:
        # As a running server does: without anybody connected, SQLite tidies its files up.
        server.execute("SELECT count(*) FROM tournaments_club").fetchone()
        (first,) = minute(laptop, stick_folder)
        (again,) = minute(laptop, stick_folder)
        time.sleep(1.1)
        add_club(laptop, "Neu")
        (third,) = minute(laptop, stick_folder)

    assert first["file"] == again["file"] != third["file"]
    assert len(list(stick_folder.glob("*.zip"))) == 2
    assert first["error"] == ""
    assert first["ok"]


def test_unplugged_stick_is_said_and_forgiven_and_the_one_of_the_club_is_used_too(
    laptop, stick_folder, tmp_path
) -> None:
    other = tmp_path / "two"
    other.mkdir()
    add_club(laptop, "Verein", backup_folder=str(other))
    before, _ = minute(laptop, stick_folder)
    shutil.rmtree(stick_folder)

    status, second = minute(laptop, stick_folder)

    assert "Ist der Stick eingesteckt?" in status["error"]
    assert status["ok"] == before["ok"]
    assert not stick_folder.exists()
    assert (second["folder"], second["error"]) == (str(other), "")
    stick_folder.mkdir()
    healed, _ = minute(laptop, stick_folder)
    assert healed["error"] == ""
    assert len(list(stick_folder.glob("*.zip"))) == 1
    assert list(other.glob("*.zip"))


def test_full_stick_is_said_and_leaves_nothing_behind(laptop, stick_folder) -> None:
    add_rows(laptop, 2_000)
    with small_disk(stick_folder, "16k"):
        (status,) = minute(laptop, stick_folder)
        assert list(stick_folder.iterdir()) == []

    assert "nicht möglich" in status["error"]


def test_what_is_kept() -> None:
    """Of backups of each minute: the last hour, two days by the hour, two weeks by the day."""
    now = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    count = 60 * 24 * 16
    own = {"home": "c1b3f2", "reason": "minute"}
    ages = [timedelta(minutes=number) for number in range(count)]
    made = [
        Named(path=Path(f"{number}"), number=count - number, made_at=now - age, **own)
        for number, age in enumerate(ages)
    ]

    keep = kept(made, now)

    ages = {one.path: now - one.made_at for one in made if one.path in keep}
    latest = {one.path for one in made[:60]}
    assert latest <= keep
    hourly = {path for path in keep - latest if ages[path] <= timedelta(hours=48)}
    assert 47 <= len(hourly) <= 48
    assert 12 <= len(keep - latest - hourly) <= 13
    assert timedelta(days=12) <= max(ages.values()) <= timedelta(days=14)
