"""Backups: whole while the evening goes on, brought up on a second laptop, never in the way."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR, LOCK_FILE
from krru.devtools.serving import ServerProcess
from tests.infra.laptops import add_club, add_rows, back_up, minute, names, writer
from tests.laptops import laptop_with_tables
from tests.warm import Laptop


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory) -> tuple[ServerProcess, Path]:
    """Return a laptop with one club, and a whole backup of it: what is refused changes neither."""
    laptop = laptop_with_tables(tmp_path_factory.mktemp("laptop") / "data")
    add_club(laptop, "Bleibt")
    return laptop, back_up(laptop)


def test_backup_while_a_writer_writes_comes_up_on_a_second_laptop(laptop, tmp_path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    with writer(laptop):
        files = [back_up(laptop, "--to", str(stick)) for _ in range(2)]
    second = Laptop(tmp_path / "second")

    done = second.manage("restore", str(files[-1]))

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
def test_damaged_file_is_refused_and_changes_nothing(backed_up, tmp_path, harm) -> None:
    laptop, backup = backed_up
    file = tmp_path / "krru-harm.zip"
    if harm == "directory":
        file.mkdir()
    elif harm != "missing":
        file.write_bytes(HARMS[harm](backup.read_bytes()))

    done = laptop.manage("restore", str(file), check=False)

    assert done.returncode == 1
    assert file.name in done.stderr
    assert "Traceback" not in done.stderr
    assert names(laptop) == ["Bleibt"]
    assert not list(laptop.folder.glob("before-restore-*"))
    assert not list(laptop.folder.glob("restore-*"))


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
def test_backup_that_does_not_fit_is_refused(backed_up, tmp_path, fields, sentence) -> None:
    laptop, backup = backed_up
    file = changed(backup, tmp_path / "changed.zip", **fields)

    done = laptop.manage("restore", str(file), check=False)

    assert done.returncode == 1
    assert sentence in done.stderr
    assert not list(laptop.folder.glob("before-restore-*"))
    assert not (laptop.folder.parent / "escape").exists()


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

    assert "läuft noch" in done.stderr
    assert (laptop.folder / LOCK_FILE).exists()
    assert laptop.manage("restore", str(file), check=False).returncode == 0


def test_killed_in_the_middle_leaves_no_file_that_looks_whole(laptop, tmp_path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    add_rows(laptop, 40_000)
    command = [sys.executable, str(BASE_DIR / "manage.py"), "backup", "--to", str(stick)]
    process = subprocess.Popen(command, env=laptop.env, cwd=BASE_DIR, stdout=subprocess.DEVNULL)
    while not list(stick.glob(".*.part")) and process.poll() is None:
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert [path.suffix for path in stick.iterdir()] == [".part"]
    minute(laptop, stick)
    assert [path.suffix for path in stick.iterdir()] == [".zip"]
