"""Cache of the rows read for one page, shared by its parts.

The parts of a page ask the same of an event and its clock: players left, free seats, the clock's
state. `snapshot` marks rows fetched for display; `read_once` functions keep their answers with
these rows. Rows locked by a service are never marked: they change meanwhile, so each read is fresh.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.db.models import Model

_KEPT = "_kept_of_snapshot"
Row = TypeVar("Row", bound=Model)
Further = ParamSpec("Further")
Answer = TypeVar("Answer")
Read = Callable[Concatenate[Row, Further], Answer]


def snapshot(*rows: Model) -> None:
    """Cache reads of these rows from now on; for a request without changes."""
    for row in rows:
        row.__dict__.setdefault(_KEPT, {})


def is_snapshot(row: Model) -> bool:
    return _KEPT in row.__dict__


def read_once(read: Read[Row, Further, Answer]) -> Read[Row, Further, Answer]:
    """Cache a function's answer per snapshot; the answer is shared and must not be changed."""

    @wraps(read)
    def run(row: Row, /, *further: Further.args, **named: Further.kwargs) -> Answer:
        kept = row.__dict__.get(_KEPT)
        key = (read, *further, *sorted(named.items()))
        if kept is None or any(isinstance(value, list) for value in further):
            return read(row, *further, **named)
        if key not in kept:
            kept[key] = read(row, *further, **named)
        answer: Answer = kept[key]
        return answer

    return run
