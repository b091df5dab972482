"""Events and people that many tests begin with: made by the services once, then by their rows.

A running event of twelve takes the services 450 statements, of which 115 write. `prepared` notes
what a maker wrote and what it returned. Called again with the same arguments and upon the same
rows, the maker writes the same rows and returns the same values.

Which rows there are is known by a path: a test begins with an empty database, and every prepared
maker is a step from there. The path is lost as soon as anything else writes, until the next test.
A maker then runs as if it were not prepared. So it does under changed settings, and on PostgreSQL
in a test that commits, where other connections write. PostgreSQL counts on after a rollback, so
there every test begins with its sequences at one.

`tests/test_prepared.py` shows that the rows written again are those that the services wrote.
"""

import pickle
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from django.conf import UserSettingsHolder, settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils.translation import get_language

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
Changes = tuple[int, int] | None
SAVEPOINT = re.compile(r'(ROLLBACK TO )?SAVEPOINT "?(\w+)')


@dataclass(frozen=True, slots=True)
class Written:
    """A statement that wrote. `row` is the number of the row it inserted.

    On PostgreSQL the statement holds its parameters, and `row` is whatever it returned.
    """

    sql: str
    parameters: Any
    is_many: bool
    row: Any

    def again(self) -> bool:
        """Write the same, and tell whether it became the same row."""
        run = connection.connection.executemany if self.is_many else connection.connection.execute
        return run(self.sql, self.parameters).lastrowid == self.row or self.row is None


def write_again(written: list[Written]) -> bool:
    """Write the same, and tell whether it became the same rows."""
    if connection.vendor == "sqlite":
        return all(one.again() for one in written)
    if not written:
        return True
    found = []
    try:
        with connection.connection.cursor() as cursor:
            # All at once: each by itself is a way to the server and back.
            cursor.execute(";".join(one.sql for one in written))
            for _one in written:
                found.append(cursor.fetchall() if cursor.description else None)
                cursor.nextset()
    except connection.Database.Error:
        return False
    return found == [one.row for one in written]


@dataclass(slots=True)
class Step:
    """What a maker wrote and returned, and the steps that were taken from there."""

    written: list[Written] = field(default_factory=list)
    returned: bytes = b""
    further: dict[Hashable, "Step"] = field(default_factory=dict)


class Path:
    """Where the running test stands; `changes` tells whether anything else has written since."""

    def __init__(self) -> None:
        self.beginning = Step()
        self.here: Step | None = None
        self.changes: Changes = None
        self.is_noting = False
        self.writes = 0

    def begin(self, *, commits: bool = False) -> None:
        """Stand on an empty database."""
        is_known = connection.vendor == "sqlite" or not commits
        self.here = self.beginning if is_known else None
        if connection.vendor == "postgresql":
            _count_from_one()
        self.changes = _changes() if is_known else None

    def position(self) -> Step | None:
        """Return the step whose rows the database holds now, None if that is not known."""
        is_usual = not self.is_noting and not isinstance(settings._wrapped, UserSettingsHolder)
        if self.here is not None and is_usual and self.changes != _changes():
            self.here = None
        return self.here if is_usual else None

    def take(self, step: Step) -> bool:
        """Write what a step wrote. False if the rows are others than those it was noted upon."""
        with transaction.atomic():
            if write_again(step.written):
                self.here, self.changes = step, _changes()
                return True
            transaction.set_rollback(True)
        # Rows are numbered anew from here, after tests that committed.
        self.beginning, self.here = Step(), None
        return False

    def note(self, make: Callable[[], Any]) -> tuple[Step, Any]:
        """Run a maker and return what it did as a step, and its value itself."""
        step, self.is_noting = Step(), True
        try:
            with transaction.atomic(), connection.execute_wrapper(_noting(step.written)):
                made = make()
                step.returned, self.changes = pickle.dumps(made), _changes()
        finally:
            self.is_noting = False
        self.here = step
        return step, made


PATH = Path()


def prepared(maker: Callable[..., Any]) -> Callable[..., Any]:
    """Have a maker of rows run once for the same arguments upon the same rows."""

    @wraps(maker)
    def make(*args: Any, **own: Any) -> Any:
        position = PATH.position()
        if position is None:
            return maker(*args, **own)
        key = (make, get_language(), _key(args), _key(own))
        step = position.further.get(key)
        if step is not None and PATH.take(step):
            return pickle.loads(step.returned)
        if PATH.here is None:
            return maker(*args, **own)
        position.further[key], made = PATH.note(lambda: maker(*args, **own))
        return made

    return make


def _changes() -> Changes:
    """Return what is another whenever this connection, or another one, has written."""
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        if _counting not in connection.execute_wrappers:
            connection.execute_wrappers.append(_counting)
        return PATH.writes, 0
    (others,) = connection.connection.execute("PRAGMA data_version").fetchone()
    return connection.connection.total_changes, others


def _counting(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
    """Count what may have written, and what took it back."""
    PATH.writes += not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "SET"))
    return execute(sql, parameters, many, context)


def _count_from_one() -> None:
    """Give rows the numbers they would have in an empty database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(quote_ident(sequencename)::regclass, 1, false) FROM pg_sequences"
            " WHERE last_value IS NOT NULL AND sequencename <> 'django_migrations_id_seq'"
        )


def _key(value: Any) -> Hashable:
    """Return what is equal for equal arguments; a row is known by its number."""
    if isinstance(value, dict):
        return tuple((name, _key(one)) for name, one in sorted(value.items()))
    if isinstance(value, list | tuple):
        return tuple(_key(one) for one in value)
    return type(value), value.pk if isinstance(value, Model) else value


def _noting(written: list[Written]) -> Callable[..., Any]:
    """Return a wrapper of statements that notes what stays written."""
    marks: dict[str, int] = {}

    def run(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        result = execute(sql, parameters, many, context)
        if found := SAVEPOINT.match(sql):
            if found[1]:
                del written[marks[found[2]] :]
            marks[found[2]] = len(written)
        elif sql.startswith(WRITES) and connection.vendor == "postgresql":
            written.extend(_composed(sql, parameters, many, context["cursor"].cursor))
        elif sql.startswith(WRITES):
            plain = sql.replace("%s", "?").replace("%%", "%") if parameters is not None else sql
            is_insert = sql.startswith("INSERT") and not many
            row = context["cursor"].lastrowid if is_insert else None
            written.append(Written(plain, parameters or (), many, row))
        return result

    return run


def _composed(sql: str, parameters: Any, many: bool, cursor: Any) -> list[Written]:
    """Return statements of PostgreSQL with their parameters in them."""
    row = None
    if cursor.description and not many:
        row = cursor.fetchall()
        cursor.scroll(0, mode="absolute")
    each = parameters if many else [parameters]
    return [Written(connection.ops.compose_sql(sql, one), (), False, row) for one in each]
