"""Waking the streams of one topic: a few in each turn of the loop, and a rest when it was much.

However often something changes, the loop has three quarters of its time for everything else: for
streams that are being opened, and for pages; and the proxy, which has as much to do with each word
as the loop, keeps up. What changes meanwhile is told together in the next round. A few changes one
after the other are told at once: time that was not used is saved, up to a second. No rest is longer
than a second, so that a slow round does not keep the next change from the phones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

# Waking 10,000 streams in one turn of the loop would keep every other request waiting for 130 ms.
# Fifty take some 3 ms, after which connections that wait are taken.
WOKEN_A_TURN = 50
# How much of its time the loop spends on rounds when changes never end, and how much it saves.
SHARE = 0.25
MOST_SAVED_S = 1.0
LONGEST_REST_S = 1.0


class Wakeable(Protocol):
    """What a round wakes."""

    def wake(self) -> None: ...


class Rounds:
    """The rounds of one topic, in the running loop.

    :param streams: Tells whom a round is to wake when it begins.
    """

    def __init__(self, streams: Callable[[], Iterable[Wakeable]]) -> None:
        self._streams = streams
        self._is_due = self._is_busy = False
        self._began_at = self._reckoned_at = 0.0
        self._saved_s = MOST_SAVED_S

    def wake(self) -> None:
        """Wake all, at once or as soon as the round before and its rest are over."""
        self._is_due = True
        if not self._is_busy:
            self._begin()

    def forget(self) -> None:
        """Begin anew: the loop that a round ran in is gone."""
        self._is_due = self._is_busy = False
        self._reckoned_at, self._saved_s = 0.0, MOST_SAVED_S

    def _begin(self) -> None:
        self._is_due, self._is_busy = False, True
        self._began_at = asyncio.get_running_loop().time()
        self._turn(list(self._streams()), 0)

    def _turn(self, streams: Sequence[Wakeable], done: int) -> None:
        for stream in streams[done : done + WOKEN_A_TURN]:
            stream.wake()
        done += WOKEN_A_TURN
        loop = asyncio.get_running_loop()
        if done < len(streams):
            loop.call_soon(self._turn, streams, done)
        else:
            # After those that were woken last.
            loop.call_soon(self._rest)

    def _rest(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        earned_s = SHARE * (now - self._reckoned_at)
        self._saved_s = min(MOST_SAVED_S, self._saved_s + earned_s) - (now - self._began_at)
        self._reckoned_at = now
        if self._saved_s >= 0:
            self._go_on()
            return
        rest_s = min(-self._saved_s / SHARE, LONGEST_REST_S)
        # What a longest rest does not make up for is forgiven.
        self._saved_s = -rest_s * SHARE
        loop.call_later(rest_s, self._go_on)

    def _go_on(self) -> None:
        self._is_busy = False
        if self._is_due:
            self._begin()
