"""A data folder of an earlier release under the present program: moved on, shown, proven, restored.

`fixtures/releases/make.py` made each of them, under the program of its release. What migrations
come to is compared with the tables that a new installation, and the tests, make from the models.
"""

import lzma
import re
import shutil
import sqlite3
import urllib.request
from contextlib import contextmanager

import pytest
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from krru.data.folder import BASE_DIR, DATABASE_FILE, SECRET_FILE
from tests.laptops import laptop_with_tables
from tests.warm import Laptop

pytestmark = pytest.mark.sqlite_only
FOLDER = BASE_DIR / "fixtures" / "releases"
RELEASES = sorted(FOLDER.glob("*.sql.xz"))


EVENTS = "SELECT id, name, rules FROM tournaments_event ORDER BY id"


@pytest.fixture(params=RELEASES, ids=lambda path: path.name[: -len(".sql.xz")])
def moved_on(request, tmp_path):
    """A server on the folder of that release, started once, and the events that were there."""
    folder = tmp_path / "release"
    folder.mkdir(mode=0o700)
    shutil.copy(FOLDER / "secret.txt", folder / SECRET_FILE)
    database = sqlite3.connect(folder / DATABASE_FILE)
    database.executescript(lzma.decompress(request.param.read_bytes()).decode())
    database.close()
    server = Laptop(folder)
    before = asked(server, EVENTS)
    server.start()
    yield server, before
    server.stop()


def asked(server, statement):
    database = sqlite3.connect(server.folder / DATABASE_FILE)
    try:
        return database.execute(statement).fetchall()
    finally:
        database.close()


def tables_of(database):
    """Return the columns and the constraints of each table; names of indexes carry its history."""
    look = database.introspection
    with database.cursor() as cursor:
        return {
            table: (
                sorted(
                    (column.name, column.type_code, column.null_ok, str(column.default))
                    for column in look.get_table_description(cursor, table)
                ),
                sorted(
                    (
                        sorted(each["columns"]), each["primary_key"], each["unique"],
                        each["foreign_key"] or (), each["check"], each["index"],
                    )
                    for each in look.get_constraints(cursor, table).values()
                ),
                conditions_of(cursor, table),
            )
            for table in look.table_names(cursor)
        }  # fmt: skip


def conditions_of(cursor, table):
    """Return the conditions of partial indexes and what is checked, in the words of SQL."""
    rows = cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s", [table]).fetchall()
    said = [sql.partition(" WHERE ")[2] for (sql,) in rows if sql and " WHERE " in sql]
    checks = [sql.count("CHECK") for (sql,) in rows if sql and sql.startswith("CREATE TABLE")]
    return sorted(said), checks


@contextmanager
def opened(name, file):
    """Open a database beside that of the test."""
    connections.settings[name] = {**connection.settings_dict, "NAME": file, "OPTIONS": {}}
    connections[name].connect()
    yield connections[name]
    connections[name].close()
    del connections[name], connections.settings[name]


@pytest.mark.django_db
def test_an_installation_goes_on_under_the_present_program(moved_on, tmp_path) -> None:
    """One test: which process runs another is a matter of luck, and moving on takes its time."""
    server, before = moved_on
    every_page_names_its_evening(server)
    server.stop()
    assert before
    assert asked(server, EVENTS) == before
    assert server.manage("verifylog", check=False).returncode == 0
    for table in ("clock_scheduletemplate", "tournaments_rulepreset", "tournaments_chipset"):
        assert not asked(server, f"SELECT * FROM {table} WHERE revision IS NULL")
    assert not migrations_due(server)
    with opened("migrated", server.folder / DATABASE_FILE) as migrated:
        migrations_come_to_the_tables_of_the_models(migrated)
        a_new_laptop_has_the_same_tables_and_counts_as_migrated(migrated, tmp_path)
    the_backup_made_before_moving_on_can_be_put_back(server)


def every_page_names_its_evening(server):
    home = page(server, "/")
    for slug, name, is_sample in asked(
        server, "SELECT slug, name, is_sample FROM tournaments_event"
    ):
        # A sample to come stands beside real evenings for the staff alone.
        assert is_sample or f"/t/{slug}/" in home
        assert name in page(server, f"/t/{slug}/")
        assert name in page(server, f"/t/{slug}/ergebnis/")


def migrations_come_to_the_tables_of_the_models(migrated):
    found, expected = tables_of(migrated), tables_of(connection)
    assert len(expected) > 50
    assert found.keys() == expected.keys()
    for table in expected:
        assert found[table] == expected[table], table


def a_new_laptop_has_the_same_tables_and_counts_as_migrated(migrated, tmp_path):
    file = laptop_with_tables(tmp_path / "data").folder / "krru.sqlite3"
    with opened("new", file) as database:
        assert tables_of(database) == tables_of(migrated)
        done = [set(MigrationRecorder(one).applied_migrations()) for one in (database, migrated)]
        assert done[0] == done[1]


def migrations_due(server) -> list[str]:
    return re.findall(r"^ \[ \]", server.manage("showmigrations").stdout, re.MULTILINE)


def the_backup_made_before_moving_on_can_be_put_back(server):
    (file,) = (server.folder / "backups").glob("*.zip")

    done = server.manage("restore", str(file), check=False)

    assert done.returncode == 0, done.stderr
    assert not migrations_due(server)
    assert server.manage("verifylog", check=False).returncode == 0


def page(server, path: str) -> str:
    with urllib.request.urlopen(f"{server.url}{path}", timeout=30) as answer:
        return answer.read().decode()
