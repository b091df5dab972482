"""Group commit: what many threads ask for at once is done by one of them for all.

Whoever comes while nothing is under way begins at once, alone; whoever comes meanwhile waits, and
is done together with the others who wait, in the order in which they came. So a rush costs one
transaction for many instead of one for each. Only in a rush is there a moment's wait for company:
for as many as came together the last time, or 30 ms.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST = 64
PATIENCE_S = 0.03


class _Handed(Generic[Item, Result]):
    """One thing handed in, and what came of it."""

    __slots__ = ("answer", "has_answer", "item", "ready")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.answer: Result | Exception
        self.has_answer = False
        self.ready = threading.Event()

    def give(self, answer: Result | Exception) -> None:
        self.answer, self.has_answer = answer, True


class Gathering(Generic[Item, Result]):
    """Hands items over to `carry_out`, many at a time, from one thread at a time.

    :param carry_out: Returns for each item, in their order, what came of it: a result, or the
        exception that its caller gets. If it raises, nothing may have happened; each item is then
        tried again by itself.
    :param most: The most items in one go.
    :param patience_s: How long whoever leads waits, in a rush, for as many as came the last time.
    """

    def __init__(
        self,
        carry_out: Callable[[Sequence[Item]], Sequence[Result | Exception]],
        most: int = MOST,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._carry_out = carry_out
        self._most = most
        self._patience_s = patience_s
        self._company = 1
        self._lock = threading.Lock()
        self._more = threading.Condition(self._lock)
        self._waiting: deque[_Handed[Item, Result]] = deque()
        self._is_led = False

    def hand_in(self, item: Item) -> Result:
        """Return what came of an item, once it is done.

        :raises Exception: What `carry_out` has for this item.
        """
        handed: _Handed[Item, Result] = _Handed(item)
        with self._lock:
            self._waiting.append(handed)
            if len(self._waiting) >= self._company:
                self._more.notify()
            leads, self._is_led = not self._is_led, True
        if not leads:
            handed.ready.wait()
        if not handed.has_answer:
            self._lead()
        if isinstance(handed.answer, Exception):
            raise handed.answer
        return handed.answer

    def _lead(self) -> None:
        """Do what waits, the caller's own among it, and let the next of those who came lead."""
        with self._lock:
            if self._company > 1:
                self._more.wait_for(
                    lambda: len(self._waiting) >= self._company, timeout=self._patience_s
                )
            many = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
            self._company = len(many)
        try:
            self._answer(many)
        finally:
            with self._lock:
                successor = self._waiting[0] if self._waiting else None
                self._is_led = successor is not None
            for handed in many:
                if not handed.has_answer:  # the leading thread itself is being ended
                    handed.give(RuntimeError("The thread that carried this out was ended."))
                handed.ready.set()
            if successor is not None:
                successor.ready.set()

    def _answer(self, many: Sequence[_Handed[Item, Result]]) -> None:
        try:
            answers = self._carry_out([handed.item for handed in many])
        except Exception as problem:
            if len(many) == 1:
                many[0].give(problem)
            else:
                for handed in many:
                    self._answer([handed])
        else:
            for handed, answer in zip(many, answers, strict=True):
                handed.give(answer)
