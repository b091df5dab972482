"""What SQLite needs to be told beyond the settings."""

from django.db import connection


def leave_no_copy() -> None:
    """Have the journal's old pages thrown away after something was erased.

    With `secure_delete` SQLite writes over what it deletes; until then its write-ahead log still
    holds it. A reader in the middle of a page keeps it until the next time.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
