"""Raw SQL, cached per table.

Django builds an INSERT of eighty columns slower than the database runs it. Django's own fields
convert the values. No signals are sent: none are used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

Row = TypeVar("Row", bound=models.Model)
Convert = Callable[[Any], Any]
KNOWN = "krru_tables"


@dataclass(frozen=True, slots=True)
class Table:
    """Cached SQL and converters of a model's table on one connection."""

    select: str
    insert: str
    names: tuple[str, ...]
    written: tuple[Any, ...]
    converts: tuple[tuple[int, Convert], ...]


def select(model: type[Row], condition: str, values: Sequence[Any]) -> list[Row]:
    """Return the rows that meet a condition in SQL.

    :param condition: All that comes after `WHERE`.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    table = _table(model, connection)
    with connection.cursor() as cursor:
        cursor.execute(table.select + condition, values)
        found = cursor.fetchall()
    rows = []
    for one in found:
        row = list(one)
        for index, convert in table.converts:
            row[index] = convert(row[index])
        rows.append(model.from_db(DEFAULT_DB_ALIAS, table.names, row))
    return rows


def ask(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a query and return its raw rows."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def do(sql: str, values: Sequence[Any]) -> None:
    """Run a statement without a result."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(sql, values)


def can_insert(row: models.Model) -> bool:
    """Tell whether a row is new and has plain values only."""
    meta = row._meta
    if row.pk is not None or meta.parents or meta.db_returning_fields != [meta.pk]:
        return False
    return not any(hasattr(value, "resolve_expression") for value in vars(row).values())


def insert(row: models.Model) -> None:
    """Insert a new row and set its primary key."""
    connection = connections[DEFAULT_DB_ALIAS]
    table = _table(type(row), connection)
    row._prepare_related_fields_for_save(operation_name="save")  # type: ignore[attr-defined]
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in table.written
    ]
    with transaction.mark_for_rollback_on_error(connection.alias), connection.cursor() as cursor:
        cursor.execute(table.insert, values)
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def update(row: models.Model, names: Iterable[str]) -> None:
    """Update these fields of a row.

    :raises DatabaseError: It is not there any more.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    quote, meta = connection.ops.quote_name, row._meta
    fields: list[Any] = [meta.get_field(name) for name in names]
    row._prepare_related_fields_for_save("save", fields)  # type: ignore[attr-defined]
    sets = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    key: Any = meta.pk
    sql = f"UPDATE {quote(meta.db_table)} SET {sets} WHERE {quote(key.column)} = %s"  # noqa: S608
    values = [
        field.get_db_prep_save(field.pre_save(row, add=False), connection) for field in fields
    ]
    with transaction.mark_for_rollback_on_error(connection.alias), connection.cursor() as cursor:
        cursor.execute(sql, [*values, row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError("The row is not there any more.")


def _table(model: type[models.Model], connection: BaseDatabaseWrapper) -> Table:
    """Return the cached SQL of a table. Kept with the connection, as it holds converters."""
    known: dict[type[models.Model], Table] = vars(connection).setdefault(KNOWN, {})
    if model not in known:
        known[model] = _read(model, connection)
    return known[model]


def _read(model: type[models.Model], connection: BaseDatabaseWrapper) -> Table:
    quote, meta = connection.ops.quote_name, model._meta
    fields: list[Any] = list(meta.concrete_fields)
    key: Any = meta.pk
    written = tuple(field for field in fields if field is not key)
    name = quote(meta.db_table)
    told = ", ".join(quote(field.column) for field in fields)
    into = ", ".join(quote(field.column) for field in written)
    marks = ", ".join(["%s"] * len(written))
    converts = [
        (index, partial(_convert, found, field.get_col(meta.db_table), connection))
        for index, field in enumerate(fields)
        if (found := _converters(field, connection))
    ]
    return Table(
        select=f"SELECT {told} FROM {name} WHERE ",  # noqa: S608
        insert=f"INSERT INTO {name} ({into}) VALUES ({marks}) RETURNING {quote(key.column)}",  # noqa: S608
        names=tuple(field.attname for field in fields),
        written=written,
        converts=tuple(converts),
    )


def _converters(field: Any, connection: BaseDatabaseWrapper) -> list[Callable[..., Any]]:
    column = field.get_col(field.model._meta.db_table)
    return [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]


def _convert(
    converters: list[Callable[..., Any]], column: Any, connection: BaseDatabaseWrapper, value: Any
) -> Any:
    for convert in converters:
        value = convert(value, column, connection)
    return value
