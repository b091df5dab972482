"""Data folders that earlier programs left, and how their rows and tables compare with today's."""

import lzma
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from krru.data.folder import BASE_DIR, DATABASE_FILE, SECRET_FILE
from tests.warm import Laptop

FOLDER = BASE_DIR / "fixtures" / "releases"
# Of 0.2.0, and of the last state before its migrations were put together.
MOVED_ON = ("0.2.0", "5019049f")

# Names that Django gives by itself, which carry the history of a table.
GIVEN = re.compile(r".*(_[0-9a-f]{8}\w*|_pkey|_key|_check)|fk_.*|__\w+__|sqlite_autoindex_.*")

Row = dict[str, Any]
Rows = dict[str, dict[Any, Row]]


def folder_of(release: str, folder: Path) -> Laptop:
    """Make the data folder of an earlier program, for the present one to start on."""
    folder.mkdir(mode=0o700)
    shutil.copy(FOLDER / "secret.txt", folder / SECRET_FILE)
    stored = lzma.decompress((FOLDER / f"{release}.sql.xz").read_bytes()).decode()
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        database.executescript(stored)
    return Laptop(folder)


def asked(server: Laptop, statement: str) -> list[tuple[Any, ...]]:
    """Return what a question to the database of a folder finds."""
    with closing(sqlite3.connect(server.folder / DATABASE_FILE)) as database:
        return database.execute(statement).fetchall()


@contextmanager
def opened(name: str, **settings: object) -> Iterator[BaseDatabaseWrapper]:
    """Open a database beside that of the test."""
    connections.settings[name] = {**connection.settings_dict, "OPTIONS": {}, **settings}
    connections[name].connect()
    try:
        yield connections[name]
    finally:
        connections[name].close()
        del connections[name], connections.settings[name]


def opened_file(name: str, file: Path) -> Any:
    """Open a file of SQLite beside the database of the test, whatever that is."""
    return opened(name, ENGINE="django.db.backends.sqlite3", NAME=file)


def models_of_then(database: BaseDatabaseWrapper) -> Any:
    """Return the models at the state that a database names."""
    return MigrationExecutor(database)._create_project_state(with_applied_migrations=True).apps


def rows_of(database: BaseDatabaseWrapper, models: Any = apps) -> Rows:
    """Return every column of every row, by table and key."""
    return {
        model._meta.db_table: {
            row[model._meta.pk.attname]: row
            for row in model._base_manager.using(database.alias).values()
        }
        for model in models.get_models(include_auto_created=True)
    }


def rows_expected(before: Rows) -> Rows:
    """Return what becomes of rows: what is new has the default of its model."""
    return {
        model._meta.db_table: {
            key: {
                field.attname: row[field.attname] if field.attname in row else field.get_default()
                for field in model._meta.local_concrete_fields
            }
            for key, row in before.get(model._meta.db_table, {}).items()
        }
        for model in apps.get_models(include_auto_created=True)
    }


def gone_from(before: Rows) -> set[str]:
    """Return the tables and columns that held something and are not among today's."""
    now = {
        model._meta.db_table: {field.attname for field in model._meta.local_concrete_fields}
        for model in apps.get_models(include_auto_created=True)
    }
    held = {table: next(iter(rows.values())).keys() for table, rows in before.items() if rows}
    return (held.keys() - now.keys()) | {
        f"{table}.{column}" for table in held.keys() & now for column in held[table] - now[table]
    }


def tables_of(database: BaseDatabaseWrapper) -> dict[str, tuple[Any, ...]]:
    """Return the columns, constraints and indexes of each table, with the names they were given."""
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
                        "" if GIVEN.fullmatch(name) else name,
                        sorted(each["columns"]), each["primary_key"], each["unique"],
                        each["foreign_key"] or (), each["check"], each["index"],
                    )
                    for name, each in look.get_constraints(cursor, table).items()
                ),
                _conditions_of(database, cursor, table),
            )
            for table in look.table_names(cursor)
        }  # fmt: skip


def _conditions_of(database: BaseDatabaseWrapper, cursor: Any, table: str) -> list[str]:
    """Return the conditions of partial indexes in the words of SQL, and how much is checked."""
    if database.vendor == "postgresql":
        cursor.execute(
            "SELECT indexdef FROM pg_indexes WHERE tablename = %s"
            " UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype = 'c' AND conrelid = %s::regclass",
            [table, table],
        )
        said = [sql for (sql,) in cursor.fetchall()]
        return sorted(sql.partition(" WHERE ")[2] or sql.partition("CHECK")[2] for sql in said)
    cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s AND sql <> ''", [table])
    said = [sql for (sql,) in cursor.fetchall()]
    checks = sum(sql.count("CHECK") for sql in said if sql.startswith("CREATE TABLE"))
    return [str(checks), *sorted(sql.partition(" WHERE ")[2] for sql in said)]
