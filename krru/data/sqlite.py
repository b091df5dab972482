"""Extras for SQLite beyond the settings."""

from django.db import connection


def leave_no_copy() -> None:
    """Truncate the write-ahead log after data were deleted.

    With `secure_delete` SQLite overwrites deleted data, but its write-ahead log still holds them.
    An open reader keeps the log until the next call.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
