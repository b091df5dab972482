"""What a page reads of its rows once, however many of its parts ask.

The parts of a page ask the same of an event and its clock: who is left, how full the tables are,
what the clock shows. `snapshot` marks rows that were fetched to be shown; answers of a `read_once`
function about them are kept with the rows. Rows that a service has locked are never marked: they
change meanwhile, and are read anew each time.
"""

from __future__ import annotations

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
    """Keep what is read of these rows from now on; for a request that changes nothing."""
    for row in rows:
        row.__dict__.setdefault(_KEPT, {})


def is_snapshot(row: Model) -> bool:
    return _KEPT in row.__dict__


def read_once(read: Read[Row, Further, Answer]) -> Read[Row, Further, Answer]:
    """Let a function read once of a snapshot; its answer is shared, and is not to be changed."""

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
