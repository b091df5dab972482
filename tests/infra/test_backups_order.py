"""Which backup is the newest, whatever the computer's clock says; and when one is too old."""

import contextlib
import shutil
import sqlite3
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.servertime import server_time
from krru import backups
from krru.background import schedule
from krru.backups import keeping, naming
from krru.backups.naming import Named, backups_in, kept
from tests import factories as f
from tests.infra.laptops import add_club, add_rows, back_up, minute, minute_of, names, small_disk
from tests.warm import Laptop
from tournaments.changes.access import Role
from tournaments.dashboard.views.dashboard import backups_now
from tournaments.models import Club

pytestmark = pytest.mark.sqlite_only


@pytest.fixture
def dora(client):
    """A browser that is the director's."""
    f.make_event()
    f.sign_browser_in(client, Role.DIRECTOR)
    return client


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_put_right_loses_no_backup_made_after(stick, monkeypatch) -> None:
    monkeypatch.setattr(naming, "KEEP_LATEST", 5)
    true = timezone.now()
    ahead = [minute_of("Neu", true + timedelta(hours=2, minutes=number)) for number in range(8)]

    after = []
    for number in range(8, 16):
        after.append(minute_of("Neu", true + timedelta(minutes=number)))
        assert after[-1].is_file(), "the file just made was thrown away"
        assert backups_in(stick)[0].path == after[-1]

    assert all(file.is_file() for file in after[-5:])
    # What was made under the wrong clock has given way, but for the last of its hours.
    assert sum(file.is_file() for file in ahead) <= 2
    assert sorted(file.name for file in after) == [file.name for file in after]


@pytest.mark.django_db(transaction=True)
def test_numbers_go_on_when_the_memory_of_them_is_lost(stick, settings) -> None:
    first = minute_of("Neu", timezone.now())
    (settings.KRRU_DATA / "backup-status.json").unlink()

    second = minute_of("Neu", timezone.now() - timedelta(days=365))

    assert [one.number for one in backups_in(stick)] == [2, 1]
    assert backups_in(stick)[0].path == second != first


@pytest.mark.django_db(transaction=True)
def test_what_is_no_longer_renewed_turns_red_after_five_minutes(stick, dora, monkeypatch) -> None:
    began = timezone.now()
    minute_of("Neu", began)
    monkeypatch.setattr(keeping, "_began", keeping._began - 3600)

    assert said(began, 60) == "", "nothing has changed since"
    Club.objects.create(name="Neu")
    assert said(began, 4) == ""
    assert "obwohl sich etwas geändert hat" in said(began, 6)
    with patch.object(server_time, "now", lambda: began + timedelta(minutes=6)):
        page = dora.get(reverse("club-settings")).content.decode()
    assert "badge-bad" in page
    assert "obwohl sich etwas geändert hat" in page


@pytest.mark.django_db
def test_a_folder_that_never_got_a_file_turns_red_after_five_minutes(stick, monkeypatch) -> None:
    f.make_event()
    began = timezone.now()
    monkeypatch.setattr(keeping, "_began", keeping._began - 3600)
    monkeypatch.setattr(keeping, "_known_since", {})

    with keeping._busy(0):  # as a stick does that hangs
        assert backups.backup_all(reason="minute") == []
    assert said(began, 4) == ""
    assert "kam noch keine Sicherung" in said(began, 6)


@pytest.mark.django_db(transaction=True)
def test_saved_is_said_only_while_the_file_is_there(stick, dora) -> None:
    def page() -> str:
        return dora.get(reverse("club-settings")).content.decode()

    file = minute_of("Neu", timezone.now())
    assert "badge-good" in page()
    assert "demselben Datenträger" in page()
    assert any("demselben Datenträger" in hint for hint in backups_now().hints)

    file.unlink()

    assert "liegt nicht mehr in" in page()
    assert "steht still" in page()
    minute_of("Neu", timezone.now())
    assert "steht still" not in page()


def said(began, minutes: int) -> str:
    """Return what the dashboard says in red, so many minutes later."""
    with patch.object(server_time, "now", lambda: began + timedelta(minutes=minutes)):
        return " ".join(backups_now().errors)


@pytest.mark.django_db
def test_a_disk_that_fills_up_is_said_before_it_is_full(stick, monkeypatch) -> None:
    monkeypatch.setattr(schedule, "is_late", lambda: False)  # nothing runs by itself in a test
    assert not backups_now().troubles
    usage = shutil.disk_usage(stick)._replace(free=100 * 1024 * 1024)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)

    said = backups_now().troubles

    assert len(said) == 2
    assert "nur noch 100 MB frei" in said[0][1]


def test_restore_of_a_folder_takes_the_newest_state_that_is_whole(
    laptop, tmp_path, stick_folder
) -> None:
    """Though the clock was put right meanwhile: the number counts, not the time."""
    stick, second = stick_folder, Laptop(tmp_path / "second")
    none = second.manage("restore", str(stick), check=False)
    assert none.returncode == 1
    assert "liegt keine Sicherung" in none.stderr
    files = []
    for name in ("Eins", "Zwei", "Drei"):
        add_club(laptop, name)
        files.append(back_up(laptop, "--to", str(stick)))
    files[2].write_bytes(files[2].read_bytes()[:1000])
    first = naming.named(files[0])
    tomorrow = timezone.now() + timedelta(days=1)
    files[0].rename(stick / f"{naming.name_of(first.home, first.number, tomorrow, 'minute')}.zip")
    (stick / "Notizen.txt").write_text("kein Zip")

    done = second.manage("restore", str(stick))

    assert names(second) == ["Eins", "Zwei"]
    assert f"{files[2].name} ist keine ganze Sicherung" in done.stderr
    assert "Wieder da ist der Stand vom" in done.stdout


def test_a_mount_point_without_a_stick_is_no_stick(tmp_path) -> None:
    from krru.data import disks

    own = Path("/media/krru-test-no-stick")
    try:
        own.mkdir(parents=True)
    except OSError:
        pytest.skip("may not make a folder where sticks appear")
    try:
        if disks.is_same_disk(own, Path("/")):
            assert "ist kein Stick" in disks.where_sentence(own, tmp_path)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "tmpfs", str(own)], check=False, capture_output=True
        )
        if mounted.returncode == 0:
            assert disks.where_sentence(own, tmp_path) == ""
            subprocess.run(["umount", str(own)], check=True)
    finally:
        own.rmdir()


# --- Every minute to the folder of choice: a stick that may be full, or gone


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
