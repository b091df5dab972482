"""Migrations come to the tables that a new installation, and the tests, make from the models."""

from contextlib import contextmanager

import pytest
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from tests.laptops import laptop_with_tables
from tests.warm import Laptop

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]

# Django's own command: ours makes the tables of an empty database at once.
EVERY_MIGRATION = (
    "from django.core.management import call_command;"
    "from django.core.management.commands.migrate import Command;"
    "call_command(Command(), verbosity=0)"
)


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


@pytest.fixture(scope="module")
def migrated_file(tmp_path_factory):
    """Return a database that went through every migration, as one of the first release does."""
    laptop = Laptop(tmp_path_factory.mktemp("migrated"))
    laptop.manage("shell", "--no-imports", "-c", EVERY_MIGRATION)
    return laptop.folder / "krru.sqlite3"


@pytest.fixture
def migrated(migrated_file):
    with opened("migrated", migrated_file) as database:
        yield database


def test_migrations_come_to_the_tables_of_the_models(migrated):
    found, expected = tables_of(migrated), tables_of(connection)
    assert len(expected) > 50
    assert found.keys() == expected.keys()
    for table in expected:
        assert found[table] == expected[table], table


def test_a_new_laptop_has_the_same_tables_and_counts_as_migrated(migrated, tmp_path):
    file = laptop_with_tables(tmp_path / "data").folder / "krru.sqlite3"
    with opened("new", file) as database:
        assert tables_of(database) == tables_of(migrated)
        done = [set(MigrationRecorder(one).applied_migrations()) for one in (database, migrated)]
        assert done[0] == done[1]
