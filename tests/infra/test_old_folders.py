"""Data older than 0.2.0 are refused in one sentence, which names the way, and stay as they are."""

import ast
import json
import sqlite3
import zipfile
from contextlib import closing

import pytest

from krru.data.folder import BASE_DIR, DATABASE_FILE
from krru.data.releases import OF_0_1_0, Standing, standing
from tests.infra.laptops import back_up
from tests.infra.test_backups import changed
from tests.infra.test_trouble import refused
from tests.laptops import laptop_with_tables
from tests.releases import asked, folder_of

pytestmark = pytest.mark.sqlite_only

# Done in a folder of a checkout on the way from 0.1.0 to 0.2.0.
ON_THE_WAY = (
    ("clock", "0002_revisions"),
    ("clock", "0003_stakes"),
    ("tournaments", "0002_revisions"),
    ("tournaments", "0003_registration_owns_person"),
    ("tournaments", "0010_confirming"),
    ("tournaments", "0013_public"),
)
ROADS = pytest.mark.parametrize("besides", [(), ON_THE_WAY], ids=["0.1.0", "on the way"])
# What is said of a folder and of a backup that are of 0.1.0, and of a state on the way.
FOLDER, BACKUP = (
    [
        ("sind von Version 0.1.0,", "Erst Version 0.2.0 mit diesem Ordner starten"),
        ("Entwicklungsstand zwischen zwei Versionen", "Eine Sicherung von 0.2.0 oder später"),
    ],
    [
        ("ist von Version 0.1.0,", "Mit Version 0.2.0 zurückholen"),
        ("Entwicklungsstand zwischen zwei Versionen", "Eine von 0.2.0 oder einer späteren"),
    ],
)


def tables(server):
    named = ("SELECT * FROM sqlite_master", "SELECT * FROM django_migrations")
    return [asked(server, statement) for statement in named]


@ROADS
def test_an_old_folder_is_refused_and_left_alone(besides, tmp_path) -> None:
    server = folder_of("0.1.0", tmp_path / "data")
    with closing(sqlite3.connect(server.folder / DATABASE_FILE)) as database, database:
        done = "INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, '2026-11-23')"
        database.executemany(done, besides)
    before = tables(server)

    said = refused(server)

    for words in FOLDER[bool(besides)]:
        assert words in said
    for command in ("migrate", "verifylog"):
        told = server.manage(command, check=False)
        assert (told.returncode, told.stderr.strip()) == (1, said)
    assert not list(server.folder.glob("backups/*"))
    assert tables(server) == before


@ROADS
def test_an_old_backup_is_refused(besides, tmp_path) -> None:
    laptop = laptop_with_tables(tmp_path / "data")
    names = [f"{app}.{name}" for app, name in (*OF_0_1_0, *besides)]
    file = changed(back_up(laptop), tmp_path / "old.zip", version="0.1.0", migrations=names)

    done = laptop.manage("restore", str(file), check=False)

    assert done.returncode == 1
    for words in BACKUP[bool(besides)]:
        assert words in done.stderr
    assert not list(laptop.folder.glob("before-restore-*"))


def test_what_a_database_names_tells_its_release(tmp_path) -> None:
    laptop = laptop_with_tables(tmp_path / "data")
    with zipfile.ZipFile(back_up(laptop)) as archive:
        named = json.loads(archive.read("manifest.json"))["migrations"]
    now = {tuple(name.split(".")) for name in named}
    assert standing(now) is Standing.GOES_ON
    assert standing(()) is Standing.GOES_ON
    assert standing(now | {("tournaments", "9999_from_tomorrow")}) is Standing.NEWER
    for between in ("0012_door", "0064_added_chairs"):
        assert standing(now - {("tournaments", between)}) is Standing.BETWEEN
    assert standing(OF_0_1_0 - {("tournaments", "0007_hall")}) is Standing.OF_0_1_0
    # Of a checkout after 0.2.0, each of its migrations leads on.
    for last in ("0027_cash_face", "0029_cash_feeders"):
        later = {key for key in now if key[0] == "tournaments" and key[1] > last}
        assert standing(now - later) is Standing.GOES_ON


def test_no_migration_imports_what_goes_on() -> None:
    files = list(BASE_DIR.glob("*/migrations/0*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
            names = [name for name in names if not name.endswith(".migrations._making")]
            assert not {name.split(".")[0] for name in names} & {"clock", "krru", "tournaments", ""}
