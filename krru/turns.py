"""Turns: who waits for something that one thread at a time may do gets it in the order of coming.

A plain lock wakes waiting threads in no order, and SQLite's own write lock lets them ask again and
again: in a rush somebody always comes in between, and one who waits may wait for seconds.
"""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType


class Turns:
    """A lock that is first come, first served. A thread that has it may take it again."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[tuple[int, threading.Event]] = deque()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> None:
        me, mine = threading.get_ident(), threading.Event()
        with self._guard:
            if self._owner in (None, me):
                self._owner, self._depth = me, self._depth + 1
                return
            self._waiting.append((me, mine))
        mine.wait()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._owner = None
            if self._waiting:
                self._owner, theirs = self._waiting.popleft()
                self._depth = 1
                theirs.set()


writing = Turns()
