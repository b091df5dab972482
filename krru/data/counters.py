"""Counters in a small SQLite file, as a cache of Django: a restart forgets no limit.

Nothing waits for the disk. A power cut may break the file: then it begins anew.
"""

import sqlite3
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import BaseCache

SCHEMA = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;
CREATE TABLE IF NOT EXISTS counter (name TEXT PRIMARY KEY, count INTEGER, until REAL);
"""
# Django makes a cache for each thread; the file has one connection.
_lock = threading.Lock()


@cache
def _database(path: str) -> sqlite3.Connection:
    try:
        return _opened(path)
    except sqlite3.DatabaseError:
        for end in ("", "-wal", "-shm"):
            Path(path + end).unlink(missing_ok=True)
        return _opened(path)


def _opened(path: str) -> sqlite3.Connection:
    opened = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    opened.executescript(SCHEMA)
    if opened.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError(path)
    return opened


class FileCounters(BaseCache):
    """Counters that expire, by name. LOCATION is the file."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._path = str(location)

    def add(self, key: str, value: int, timeout: Any = 0, version: int | None = None) -> bool:
        """Begin a counter, unless there is one."""
        self._run("DELETE FROM counter WHERE until <= ?", time.time())
        row = "INSERT OR IGNORE INTO counter VALUES (?, ?, ?)"
        return self._run(row, key, value, time.time() + timeout).rowcount == 1

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return a counter."""
        row = "SELECT count FROM counter WHERE name = ? AND until > ?"
        found = self._run(row, key, time.time()).fetchone()
        return found[0] if found else default

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Raise a counter, and return it.

        :raises ValueError: There is none.
        """
        self._run("UPDATE counter SET count = count + ? WHERE name = ?", delta, key)
        found = self.get(key)
        if found is None:
            raise ValueError(key)
        return int(found)

    def clear(self) -> None:
        """Forget all counters."""
        self._run("DELETE FROM counter")

    def _run(self, statement: str, *given: Any) -> sqlite3.Cursor:
        with _lock:
            return _database(self._path).execute(statement, given)
