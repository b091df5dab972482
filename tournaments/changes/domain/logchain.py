"""The hash chain over the log, to find any later change of an entry.

It hashes ids, kinds and numbers. Names and free text are kept elsewhere, so that they can be erased
and the chain still verifies; text that could be one is refused here. The chain cannot reveal
entries cut off at its end: keep its newest hash apart for that.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

GENESIS = ""  # the predecessor of the first entry
HEAD_DIGITS = 16

FACT_DIGITS = 32

_WORD = re.compile(r"[\w.:@/+=-]{0,128}", re.ASCII)

# The key of a fact and its non-empty columns.
FactRow = tuple[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One stored entry of the log. Times are whole milliseconds since 1970, UTC."""

    sequence: int
    kind: str
    at_ms: int
    recorded_at_ms: int
    payload: dict[str, Any]
    hash: str


def entry_hash(  # noqa: PLR0917 - the order is that of the array that is hashed
    previous: str,
    sequence: int,
    kind: str,
    at_ms: int,
    recorded_at_ms: int,
    payload: dict[str, Any],
) -> str:
    """Return the hash of one entry, in hexadecimal.

    It is the SHA-256 of the JSON array [previous, sequence, kind, at_ms, recorded_at_ms, payload],
    written in ASCII without spaces and with the keys of objects in order. A payload holds whole
    numbers, true, false, null, lists and objects of these, and words of at most 128 ASCII letters,
    digits and `_ . : @ / + = -`.

    >>> entry_hash("", 1, "clock.started", 0, 0, {"level": 3})[:16]
    'b493fe0a9ac1dc20'

    :raises ValueError: If the payload holds a float, a free text, or anything else.
    """
    _check(payload)
    text = json.dumps(
        [previous, sequence, kind, at_ms, recorded_at_ms, payload],
        ensure_ascii=True,
        separators=(",", ":"),
        sort_keys=True,
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def facts_hash(rows: Iterable[FactRow]) -> str:
    """Return the hash over facts of one table, in hexadecimal.

    It is the first half of the SHA-256 of a JSON array of [key, columns], in the order of the keys,
    written in ASCII without spaces and with the names of columns in order. Empty columns are left
    out, so a column added by a later version changes no hash.

    >>> facts_hash([(7, {"seat": 4, "table_id": 1})])
    'e2075b49a072dd085d02cd4460c8a384'
    >>> facts_hash([(8, {}), (7, {})]) == facts_hash([(7, {}), (8, {})])
    True
    """
    text = json.dumps(
        sorted(rows, key=lambda row: row[0]),
        ensure_ascii=True,
        separators=(",", ":"),
        sort_keys=True,
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:FACT_DIGITS]


def facts_hashes(tables: Mapping[str, Iterable[FactRow]]) -> dict[str, str]:
    return {name: facts_hash(rows) for name, rows in tables.items()}


def head_of(hash_of_entry: str) -> str:
    """Return the head of a chain as shown to people: its first digits, in groups of four.

    >>> head_of("3f2a91bc07de55a1ffff")
    '3f2a 91bc 07de 55a1'
    """
    digits = hash_of_entry[:HEAD_DIGITS]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def verify(rows: Iterable[LogRow]) -> int | None:
    """Return the first broken sequence number of the chain, or None if it is whole.

    Rows come in order, from number 1. A missing, doubled, altered or misplaced row is a break; the
    result is the number expected there.

    >>> one = LogRow(sequence=1, kind="a", at_ms=0, recorded_at_ms=0, payload={},
    ...              hash=entry_hash("", 1, "a", 0, 0, {}))
    >>> verify([one]) is None, verify([one, one])
    (True, 2)
    """
    previous = GENESIS
    for expected, row in enumerate(rows, start=1):
        if row.sequence != expected or row.hash != _hash_of(row, previous):
            return expected
        previous = row.hash
    return None


def _hash_of(row: LogRow, previous: str) -> str | None:
    try:
        return entry_hash(
            previous, row.sequence, row.kind, row.at_ms, row.recorded_at_ms, row.payload
        )
    except ValueError:
        return None  # invalid content, never written by the program


def _check(value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"No key of the log: {key!r}")
            _check(key)
            _check(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check(item)
    elif isinstance(value, str):
        if not _WORD.fullmatch(value):
            raise ValueError(f"No word of the log: {value!r}")
    elif value is not None and not isinstance(value, int):
        raise ValueError(f"Neither id, kind nor number: {value!r}")
