"""Empties the database after a test that committed, and counts from one again.

Django's own flush asks every table for everything, and writes down the permissions anew, which
nothing here reads: half a second a test.
"""

from functools import cache

from django.db import connection, transaction
from django.test import TransactionTestCase


def install() -> None:
    """Have all tests that commit end this way."""
    TransactionTestCase._fixture_teardown = lambda _test: empty()


def empty() -> None:
    """Delete all rows. References are checked in the end, so the order does not matter."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_which_hold_rows())
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        if connection.vendor == "sqlite":
            cursor.execute("UPDATE sqlite_sequence SET seq = 0 WHERE name <> 'django_migrations'")


@cache
def _which_hold_rows() -> str:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    quoted = {table: connection.ops.quote_name(table) for table in tables}
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {name})" for table, name in quoted.items()
    )
