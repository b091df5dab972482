"""Backups: whole while the evening goes on, brought up on a second laptop, never in the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from krru.backups import keeping, naming
from krru.backups.archive import Broken
from krru.backups.naming import Named, backups_in, kept_within, named
from krru.backups.restore import restore
from krru.backups.sealed import database_of
from krru.data.folder import BASE_DIR, LOCK_FILE, Trouble
from tests.infra.laptops import add_club, add_rows, back_up, minute, minute_of, names, writer
from tests.laptops import laptop_with_tables
from tests.warm import Laptop
from tournaments.models import Club


@pytest.fixture(scope="module")
def backup(tmp_path_factory) -> Path:
    """Return a whole backup."""
    return back_up(laptop_with_tables(tmp_path_factory.mktemp("laptop") / "data"))


def test_backup_while_a_writer_writes_comes_up_on_a_second_laptop(
    laptop, tmp_path, stick_folder
) -> None:
    with writer(laptop) as process:
        for _row in range(5):
            process.stdout.readline()
        file = back_up(laptop, "--to", str(stick_folder))
    second = Laptop(tmp_path / "second")

    done = second.manage("restore", str(file))

    restored = names(second)
    assert len(restored) > 5
    assert restored == [f"Verein {number}" for number in range(len(restored))]
    assert restored == names(laptop)[: len(restored)]
    assert "Wieder da ist der Stand vom" in done.stdout
    assert (second.folder / "secret.key").read_text() != (laptop.folder / "secret.key").read_text()
    assert not second.manage("migrate", "--check", check=False).returncode


def test_restore_sets_the_present_aside_and_deletes_nothing(laptop) -> None:
    add_club(laptop, "Vorher")
    file = back_up(laptop)
    assert file.stat().st_mode & 0o077 == 0, "it is for its owner alone"
    add_club(laptop, "Nachher")

    laptop.manage("restore", str(file))

    assert names(laptop) == ["Vorher"]
    (former,) = laptop.folder.glob("before-restore-*")
    assert names(Laptop(former)) == ["Vorher", "Nachher"]
    assert (former / "secret.key").exists()


HARMS = {
    "cut": lambda whole: whole[: len(whole) // 2],
    "flipped": lambda whole: whole[:9000] + bytes(b ^ 255 for b in whole[9000:9064]) + whole[9064:],
    "no zip": lambda whole: b"Das ist ein Brief.",
    "empty": lambda whole: b"",
    "missing": None,
    "directory": None,
}


@pytest.mark.parametrize("harm", HARMS)
def test_damaged_file_is_refused_and_changes_nothing(backup, own_folder, tmp_path, harm) -> None:
    file = tmp_path / "krru-harm.zip"
    if harm == "directory":
        file.mkdir()
    elif harm != "missing":
        file.write_bytes(HARMS[harm](backup.read_bytes()))

    with pytest.raises(Broken, match=file.name):
        restore(file)
    assert not list(own_folder.glob("*restore-*"))


HOLDER = """
import sys, time
from pathlib import Path
from krru.data.locks import only_server
with only_server(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


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
        ({"files": {}}, "enthält keine Datenbank"),
    ],
)
def test_backup_that_does_not_fit_is_refused(
    backup, own_folder, tmp_path, fields, sentence
) -> None:
    file = changed(backup, tmp_path / "changed.zip", **fields)
    with pytest.raises(Trouble, match=sentence):
        restore(file)
    assert not list(own_folder.glob("*restore-*"))
    assert not list(tmp_path.rglob("escape"))


def test_running_server_is_not_overwritten(laptop) -> None:
    file = back_up(laptop)
    command = [sys.executable, "-c", HOLDER, str(laptop.folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=BASE_DIR)
    try:
        process.stdout.readline()
        done = laptop.manage("restore", str(file), check=False)
    finally:
        process.kill()
        process.communicate()

    assert done.returncode == 1
    assert "läuft noch" in done.stderr
    assert "Traceback" not in done.stderr
    assert (laptop.folder / LOCK_FILE).exists()
    assert laptop.manage("restore", str(file), check=False).returncode == 0


def test_killed_in_the_middle_leaves_no_file_that_looks_whole(laptop, stick_folder) -> None:
    stick = stick_folder
    add_rows(laptop, 15_000)
    command = [sys.executable, str(BASE_DIR / "manage.py"), "backup", "--to", str(stick)]
    process = subprocess.Popen(command, env=laptop.env, cwd=BASE_DIR, stdout=subprocess.DEVNULL)
    while not list(stick.glob(".*.part")) and process.poll() is None:
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert [path.suffix for path in stick.iterdir()] == [".part"]
    minute(laptop, stick)
    assert [path.suffix for path in stick.iterdir()] == [".zip"]


# --- Of a long past a minute's backup holds the changes alone, and the folder has a bound


pytestmark = pytest.mark.sqlite_only

MB = 1024 * 1024


@pytest.fixture
def stick(stick, monkeypatch) -> Path:
    """A stick for backups of changes, whatever the size of the database."""
    monkeypatch.setattr(keeping, "SMALL_BYTES", 0)
    monkeypatch.setattr(keeping, "_bases", {})
    return stick


def clubs_in(path: Path) -> list[str]:
    with database_of(path) as found:
        rows = found.execute("SELECT name FROM tournaments_club ORDER BY id")
        return [name for (name,) in rows]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("passphrase", ["", "korrekt pferd batterie"])
def test_a_change_and_its_base_are_the_whole_state(stick, settings, passphrase) -> None:
    settings.KRRU_BACKUP_PASSPHRASE = passphrase
    whole, first, second = (minute_of(name) for name in ("Eins", "Zwei", "Drei"))

    assert [named(path).reason for path in (whole, first, second)] == ["minute", "change", "change"]
    assert {named(path).base for path in (first, second)} == {named(whole).number}
    assert clubs_in(whole)[-1:] == ["Eins"]
    assert clubs_in(first)[-2:] == ["Eins", "Zwei"]
    assert clubs_in(second)[-3:] == ["Eins", "Zwei", "Drei"]
    assert second.stat().st_size < whole.stat().st_size / 4


@pytest.mark.django_db(transaction=True)
def test_twice_the_past_adds_nothing_to_a_minute(stick) -> None:
    sizes = []
    for part in range(2):
        Club.objects.bulk_create(Club(name=f"Verein {part} {number}") for number in range(4_000))
        keeping._bases.clear()
        whole = minute_of("Neu").stat().st_size
        sizes.append((whole, minute_of("Noch einer").stat().st_size))
    assert sizes[1][0] > 1.2 * sizes[0][0]
    assert sizes[1][1] < 1.5 * sizes[0][1]


@pytest.mark.django_db(transaction=True)
def test_without_its_base_or_with_another_a_change_is_broken(stick, monkeypatch) -> None:
    whole, change = minute_of("Eins"), minute_of("Zwei")
    kept = whole.rename(whole.with_suffix(".away"))
    with pytest.raises(Broken, match=f"braucht {whole.name} aus demselben Ordner"):
        clubs_in(change)
    keeping._bases.clear()
    Club.objects.bulk_create(Club(name=f"Verein {number}") for number in range(2_000))
    shutil.copy(minute_of("Drei"), whole)
    with pytest.raises(Broken, match="passt nicht zu"):
        clubs_in(change)
    shutil.copy(kept, whole)
    whole.write_bytes(whole.read_bytes()[:1000])
    with pytest.raises(Broken, match=whole.name):
        clubs_in(change)
    whole.unlink()
    assert named(minute_of("Vier")).reason == "change", "of the base that is there"
    backups_in(stick)[1].path.unlink()
    for path in stick.glob("*-minute.zip"):
        path.unlink()
    assert named(minute_of("Fünf")).reason == "minute"


@pytest.mark.django_db(transaction=True)
def test_a_whole_one_comes_after_some_changes_and_with_another_passphrase(
    stick, settings, monkeypatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_CHANGES", 2)
    reasons = [named(minute_of(f"Verein {number}")).reason for number in range(4)]
    assert reasons == ["minute", "change", "change", "minute"]
    settings.KRRU_BACKUP_PASSPHRASE = "korrekt pferd batterie"
    assert named(minute_of("Versiegelt")).reason == "minute"


@pytest.mark.django_db(transaction=True)
def test_the_base_of_a_kept_change_is_kept(stick, monkeypatch) -> None:
    monkeypatch.setattr(naming, "KEEP_LATEST", 2)
    now = timezone.now()
    made = [minute_of(f"Verein {number}", now + timedelta(seconds=number)) for number in range(6)]
    assert [path.exists() for path in made] == [True, False, False, False, True, True]
    assert clubs_in(made[-1])[-1] == "Verein 5"


def test_a_folder_of_a_long_past_stays_below_its_bound() -> None:
    now = datetime(2026, 11, 21, 23, 0, tzinfo=UTC)
    made = [
        Named(
            path=Path(str(number)),
            home="c1b3f2",
            number=number,
            made_at=now - timedelta(minutes=10 * (2000 - number)),
            reason="minute" if number % 16 == 0 else "change",
            base=number // 16 * 16 if number % 16 else 0,
        )
        for number in range(1, 2001)
    ]
    for whole in (1, 11, 23, 60):
        sizes = {one.path: MB * (1 if one.base else whole) for one in made}
        keep = kept_within(made, now, sizes)
        assert sum(sizes[path] for path in keep) <= naming.MOST_BYTES
        bases = {Path(str(one.base)) for one in made if one.path in keep and one.base}
        assert bases - {Path("0")} <= keep
        assert {one.path for one in made[-10:]} <= keep


MINUTES = """
from krru.backups import backup_all, keeping
from tournaments.models import Club
keeping.SMALL_BYTES = 0
for number in range(3):
    Club.objects.create(name=f"Verein {number}")
    backup_all(reason="minute")
"""


def test_restore_of_a_folder_takes_the_newest_change_that_is_whole(
    laptop, tmp_path, stick_folder
) -> None:
    add_club(laptop, "Bleibt")
    run = Laptop(laptop.folder, {"KRRU_BACKUP": str(stick_folder)})
    run.manage("shell", "--no-imports", "-c", MINUTES)
    _base, first, second = sorted(stick_folder.iterdir())
    second.write_bytes(second.read_bytes()[:-900])

    done = Laptop(tmp_path / "second").manage("restore", str(stick_folder))

    assert f"Genommen wird {first.name}." in done.stdout
    assert second.name in done.stderr
    assert names(Laptop(tmp_path / "second")) == ["Bleibt", "Verein 0", "Verein 1"]
