"""Starting in trouble: one sentence with the cause and the next step, and nothing is changed."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from krru.backups.status import STATUS_FILE
from krru.data.databases import database_of
from krru.data.folder import BASE_DIR, Trouble, secret_key
from krru.devtools.postgres import free_port
from krru.devtools.serving import ServerProcess
from krru.starting.troubles import sentence_of, too_new
from tests.infra.laptops import add_club, back_up, names, ran, small_disk
from tests.laptops import laptop_served_once
from tests.pressing import shows
from tests.warm import Laptop

pytestmark = pytest.mark.sqlite_only


def refused(server: ServerProcess, user: int | None = None) -> str:
    """Start, and return the sentence with which it did not; whatever it wrote is one line."""
    command = ("serve", "--port", str(server.port))
    if isinstance(server, Laptop):
        done = server.manage(*command, check=False)
    else:
        own = {"env": server.env, "cwd": BASE_DIR, "timeout": 240, "user": user}
        done = ran(sys.executable, BASE_DIR / "manage.py", *command, **own)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "bereit" not in done.stdout
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture(scope="module")
def served_with_backup(tmp_path_factory) -> ServerProcess:
    """A laptop that served before, with a club of its own and a backup."""
    laptop = laptop_served_once(tmp_path_factory.mktemp("trouble") / "used")
    (laptop.folder / "alive").write_text("1790000000")
    add_club(laptop, "Unser Verein")
    back_up(laptop)
    (laptop.folder / STATUS_FILE).unlink()  # it remembers where this folder is
    return laptop


@pytest.fixture
def used(served_with_backup, tmp_path: Path) -> ServerProcess:
    """Such a laptop of the test's own."""
    return Laptop(shutil.copytree(served_with_backup.folder, tmp_path / "used"))


HARMS = {
    "header": lambda data: b"\0" * 100 + data[100:],
    "truncated": lambda data: data[: len(data) // 3],
    "page": lambda data: data[:8192] + b"\xff" * 4096 + data[12288:],
    "text": lambda data: b"Das ist ein Brief und keine Datenbank. " * 500,
    "empty": lambda data: b"",
    "gone": None,
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_or_missing_database_is_said_with_the_way_back(used, harm) -> None:
    """Beside an old secret, an empty one is no new laptop."""
    (backup,) = (used.folder / "backups").glob("*.zip")
    path = used.folder / "krru.sqlite3"
    data = path.read_bytes()
    for side in ("", "-wal", "-shm"):
        Path(f"{path}{side}").unlink(missing_ok=True)
    harmed = HARMS[harm] and HARMS[harm](data)
    if harmed is not None:
        path.write_bytes(harmed)

    said = refused(used)

    assert ("fehlt oder ist leer" if not harmed else "ist beschädigt") in said
    assert f"python3 start.py restore {backup}" in said
    assert not path.exists() or path.read_bytes() == (harmed or b"")
    used.manage("restore", str(backup))
    assert "Unser Verein" in names(used)


@pytest.mark.parametrize("secret", [b"", b"  \n", "schlüssel".encode(), b"\xff\xfe\0"])
def test_an_unusable_secret_is_said(tmp_path, secret) -> None:
    (tmp_path / "secret.key").write_bytes(secret)
    with pytest.raises(Trouble, match="ist leer oder beschädigt"):
        secret_key(tmp_path)


def test_after_a_damage_to_all_it_starts_with_a_backup_and_a_new_secret(used) -> None:
    (backup,) = (used.folder / "backups").glob("*.zip")
    (used.folder / "krru.sqlite3").write_bytes(b"Das ist ein Brief und keine Datenbank. " * 500)
    (used.folder / "secret.key").rename(used.folder / "secret.alt")
    used.manage("restore", str(backup))

    with used:
        assert "KRRU ist bereit" in used.log
    assert "Unser Verein" in names(used)


@pytest.mark.parametrize("name", ["", "secret.key", "krru.sqlite3"])
def test_a_file_or_folder_where_the_other_is_needed_is_said(used, name) -> None:
    path = used.folder / name
    if not name:
        shutil.rmtree(path)
        path.write_text("eine Datei")
        said = refused(ServerProcess(path))
        shows(said, "ist eine Datei, gebraucht wird ein Ordner", "KRRU_DATA")
        return
    path.unlink()
    path.mkdir()
    assert f"{path} ist ein Ordner, gebraucht wird eine Datei" in refused(used)


def test_what_cannot_be_written_names_the_file_and_what_helps(tmp_path, monkeypatch) -> None:
    static, secret = tmp_path / "static", tmp_path / "secret.key"
    monkeypatch.setenv("KRRU_STATIC", str(static))
    said = sentence_of(PermissionError(13, "no", str(static / ".lock")))
    shows(said, "python3 start.py manage prepare", "KRRU_STATIC", but=("KRRU_DATA",))
    for number in (13, 1):
        said = sentence_of(PermissionError(number, "no", str(secret)))
        assert said.startswith(f"{secret} lässt sich nicht lesen oder schreiben")
        assert "sudo chown -R" in said
    assert sentence_of(KeyError("a bug")) is None


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place that takes no folder")
@pytest.mark.parametrize("setting", ["KRRU_STATIC", "KRRU_DATA"])
def test_a_folder_that_cannot_be_made_is_said(used, setting) -> None:
    said = refused(Laptop(used.folder, {setting: "/proc/nowhere/folder"}))

    assert "Den Ordner /proc/nowhere/folder gibt es nicht, und er lässt sich nicht anlegen" in said
    assert f"Mit {setting} einen anderen wählen" in said
    assert sentence_of(FileNotFoundError(2, "no", str(used.folder / "x"))) is None, "it is a bug"


def test_the_line_that_helps_can_be_copied(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "Poker am Freitag"
    (folder / "backups").mkdir(parents=True)
    backup = folder / "backups" / "krru-c1b3f2-n000007-20261122-114518-upgrade.zip"
    backup.touch()
    monkeypatch.setenv("KRRU_DATA", str(folder))

    assert f"„python3 start.py restore '{backup}'“." in too_new("0.2.0")
    assert f"„sudo chown -R $USER '{folder}'“." in sentence_of(PermissionError(13, "no", "/x"))


def test_a_command_says_no_without_the_name_of_a_class(used) -> None:
    done = used.manage("verifylog", "--backups", str(used.folder / "nowhere"), check=False)

    assert done.returncode == 1
    assert done.stderr.strip() == f"Den Ordner {used.folder / 'nowhere'} gibt es nicht."


def test_a_read_only_disk_and_a_full_one_are_said(used, tmp_path) -> None:
    place = tmp_path / "stick"
    with small_disk(place, "8m"):
        data = shutil.copytree(used.folder, place / "data")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        said = refused(ServerProcess(data))
        shows(said, "Der Datenträger ist nur lesbar", "KRRU_DATA")
        subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)
        fill(place / "filler")

        assert "ist voll. Platz schaffen" in refused(ServerProcess(data))


def fill(path: Path) -> None:
    """Write until there is no room left."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(descriptor, b"x" * 4096):
            pass
    except OSError:
        os.close(descriptor)


NOBODY = 65534


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="starts as somebody else")
@pytest.mark.parametrize("what", ["folder", "secret.key", "krru.sqlite3"])
def test_what_belongs_to_another_user_is_said(used, what, tmp_path_factory) -> None:
    try:
        subprocess.run([sys.executable, "-c", "import django"], user=NOBODY, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the environment is not for others")
    place = Path("/tmp") / f"krru-trouble-{os.getpid()}-{what}"
    shutil.copytree(used.folder, place)
    try:
        if what != "folder":
            for path in (place, *place.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
            os.chown(place / what, 0, 0)
            (place / what).chmod(0o600 if what == "secret.key" else 0o644)
        said = refused(ServerProcess(place), user=NOBODY)
    finally:
        shutil.rmtree(place)

    shows(said, "Die Berechtigung fehlt", "sudo chown -R")


def test_a_wrong_setting_is_said(tmp_path) -> None:
    said = refused(Laptop(tmp_path / "data", {"KRRU_MAIL_URL": "mail.example.org"}))
    assert said.startswith("Eine Einstellung stimmt nicht: KRRU_MAIL_URL ist keine Adresse")


@pytest.mark.parametrize("url", ["irgendwo", "postgres://", "mysql://krru:geheim@127.0.0.1/krru"])
def test_what_is_no_database_is_refused_without_telling_it(url) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL ist keine Adresse") as refusal:
        database_of(url, Path())
    assert "geheim" not in str(refusal.value)


def test_a_database_server_that_is_away_is_said_without_its_password(tmp_path) -> None:
    url = f"postgres://krru:geheim@127.0.0.1:{free_port()}/krru"

    said = refused(ServerProcess(tmp_path / "data", {"DATABASE_URL": url}))

    shows(said, "antwortet nicht (dort nimmt niemand Verbindungen an). Nachsehen", but=("geheim",))


def test_an_old_program_does_not_start_on_newer_data(used) -> None:
    upgrade = used.manage("shell", "--no-imports", "-c", UPGRADE).stdout.strip().splitlines()[-1]
    with closing(sqlite3.connect(used.folder / "krru.sqlite3")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('tournaments', '9999_from_tomorrow', '2030-01-01')"
        )
        database.commit()

    said = refused(used)

    shows(said, "von einer neueren Version", f"python3 start.py restore {upgrade}")
    done = used.manage("directorlink", check=False)
    assert done.returncode == 1
    assert "von einer neueren Version" in done.stderr
    used.manage("restore", upgrade)
    with used:
        assert "Unser Verein" in names(used)


UPGRADE = "from krru.backups import backup_before_upgrade; print(backup_before_upgrade())"
