"""Events and people that many tests begin with: made by the services once, then by their rows.

A running event of twelve takes the services 450 statements, of which 115 write. `prepared` notes
what a maker wrote and what it returned. Called again with the same arguments and upon the same
rows, the maker writes the same rows and returns the same values: 36 ms of processor less a test,
two minutes of the whole run. `tests/test_prepared.py` shows that the rows are the same.

Which rows there are is known by a path: a test begins with an empty database, and every prepared
maker is a step from there. The path is lost as soon as anything else writes, until the next test.
A maker then runs as if it were not prepared. So it does under changed settings, and on PostgreSQL.
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
SAVEPOINT = re.compile(r'(ROLLBACK TO )?SAVEPOINT "?(\w+)')
# A statement, its parameters, and whether it was given many of them.
Written = tuple[str, Any, bool]


@dataclass(slots=True)
class Step:
    """What a maker wrote and returned, and the steps that were taken from there."""

    written: list[Written] = field(default_factory=list)
    returned: bytes = b""
    further: dict[Hashable, "Step"] = field(default_factory=dict)

    def take(self) -> Any:
        """Write the same rows and return the same value."""
        with transaction.atomic():
            for sql, parameters, is_many in self.written:
                run = (
                    connection.connection.executemany if is_many else connection.connection.execute
                )
                run(sql, parameters)
        return pickle.loads(self.returned)


class Path:
    """Where the running test stands; `changes` tells whether anything else has written since."""

    def __init__(self) -> None:
        self.beginning = Step()
        self.here: Step | None = None
        self.changes: tuple[int, int] = (0, 0)
        self.is_noting = False

    def begin(self) -> None:
        """Stand on an empty database."""
        self.stand_on(self.beginning if connection.vendor == "sqlite" else None)

    def stand_on(self, step: Step | None) -> None:
        """Note which rows the database holds now."""
        self.here, self.changes = step, _changes() if step else (0, 0)

    def position(self) -> Step | None:
        """Return the step whose rows the database holds now, None if that is not known."""
        if self.is_noting or isinstance(settings._wrapped, UserSettingsHolder):
            return None
        if self.here is not None and self.changes != _changes():
            self.here = None
        return self.here

    def note(self, step: Step, make: Callable[[], Any]) -> Any:
        """Run a maker, note what it did in a step, and return its value."""
        self.is_noting = True
        try:
            with transaction.atomic(), connection.execute_wrapper(_noting(step.written)):
                made = make()
        finally:
            self.is_noting = False
        step.returned = pickle.dumps(made)
        return made


PATH = Path()


def prepared(maker: Callable[..., Any]) -> Callable[..., Any]:
    """Have a maker of rows run once for the same arguments upon the same rows."""

    @wraps(maker)
    def make(*args: Any, **own: Any) -> Any:
        position = PATH.position()
        if position is None:
            return maker(*args, **own)
        key = (make, get_language(), _key(args), _key(own))
        if step := position.further.get(key):
            made = step.take()
        else:
            step = Step()
            made = PATH.note(step, lambda: maker(*args, **own))
            position.further[key] = step
        PATH.stand_on(step)
        return made

    return make


def _changes() -> tuple[int, int]:
    """Return what is another whenever this connection, or another one, has written."""
    connection.ensure_connection()
    (others,) = connection.connection.execute("PRAGMA data_version").fetchone()
    return connection.connection.total_changes, others


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
        elif sql.startswith(WRITES):
            plain = sql.replace("%s", "?").replace("%%", "%") if parameters is not None else sql
            written.append((plain, parameters or (), many))
        return result

    return run
