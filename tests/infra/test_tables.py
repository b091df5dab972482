"""Migrations come to the tables that tests make from the models."""

import pytest
from django.db import connection, connections

from tests.laptops import laptop_with_tables

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]


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


@pytest.fixture
def migrated(tmp_path):
    """Return a connection to the database of a laptop that was started once."""
    file = laptop_with_tables(tmp_path / "data").folder / "krru.sqlite3"
    connections.settings["migrated"] = {**connection.settings_dict, "NAME": file, "OPTIONS": {}}
    connections["migrated"].connect()
    yield connections["migrated"]
    connections["migrated"].close()
    del connections["migrated"], connections.settings["migrated"]


def test_migrations_come_to_the_tables_of_the_models(migrated):
    found, expected = tables_of(migrated), tables_of(connection)
    assert len(expected) > 50
    assert found.keys() == expected.keys()
    for table in expected:
        assert found[table] == expected[table], table
