"""SQL that Django does not write, or only slowly."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from django.core.exceptions import EmptyResultSet
from django.db import connection, connections, models, transaction
from django.db.models.sql import UpdateQuery

# Whether changes run beside each other and lock rows. On SQLite they do not.
LOCKS_ROWS: bool = connection.features.has_select_for_update


def wait_for_turn(what: str, key: int) -> None:
    """Wait until no other change holds this turn, and hold it until commit.

    Changes lock in one order, so that they never wait in a ring: the club, events by their key,
    people and tickets, the turn of the hall, that of the drawers, a drawer, the receipts' count.
    """
    if LOCKS_ROWS:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [crc32(what.encode()) >> 1, key])


def update_returning(
    rows: models.QuerySet[Any], values: dict[str, Any], column: str = "id"
) -> list[int]:
    """Update these rows and return their keys, or another column after it, in one statement."""
    query: Any = rows.query.chain(UpdateQuery)
    query.add_update_values(values)
    query.clear_ordering(force=True)
    query.clear_select_clause()
    try:
        sql, params = query.get_compiler(rows.db).as_sql()
    except EmptyResultSet:
        return []
    with (
        transaction.mark_for_rollback_on_error(rows.db),
        connections[rows.db].cursor() as cursor,
    ):
        cursor.execute(f"{sql} RETURNING {column}", params)
        return [value for (value,) in cursor.fetchall()]


def which_refer(columns: Sequence[tuple[type[models.Model], str]], key: int) -> tuple[bool, ...]:
    """Tell of each column of a table whether it refers to a key, in one statement.

    Django takes fifty times as long to write it.
    """
    quoted = connection.ops.quote_name
    asked = ", ".join(
        f"EXISTS(SELECT 1 FROM {quoted(model._meta.db_table)} WHERE {quoted(column)} = %s)"  # noqa: S608
        for model, column in columns
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {asked}", [key] * len(columns))
        return tuple(map(bool, cursor.fetchone()))


def leave_no_copy() -> None:
    """Truncate the write-ahead log after data were deleted.

    With `secure_delete` SQLite overwrites deleted data, but its write-ahead log still holds them.
    An open reader keeps the log until the next call.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
