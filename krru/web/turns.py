"""Whose turn it is to be answered: staff first, among strangers one address after another.

One phone that asks without end waits behind itself and nobody else. What decides is the address
for strangers and the device for staff. Nothing here is shared between threads: all of it runs in
the server's loop.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sender:
    """Who asks. One that is not bounded may have every place, as this machine may."""

    name: str
    is_staff: bool = False
    is_bounded: bool = True


# A hall behind one router asks for less at once.
MOST_WAITING = 600
# However busy staff are, a stranger begins so often in each pool.
STRANGER_EVERY_S = 0.25


class Overrun(Exception):
    """So many requests of one sender wait already that no more are taken."""


class Staff:
    """How many requests of staff are being answered, in all pools together."""

    def __init__(self) -> None:
        self.running = 0
        self.pools: list[Turns] = []

    def count(self, more: int) -> None:
        """One begins or ends; after the last, strangers go on everywhere."""
        self.running += more
        if not self.running:
            for turns in self.pools:
                turns.go_on()


class Turns:
    """So many places: `guests` of them for strangers, `each` at most for one sender at a time.

    All threads share one interpreter: while staff are answered a stranger begins only now and then.
    """

    def __init__(self, places: int, *, guests: int, each: int, staff: Staff) -> None:
        self._places, self._guests, self._each = places, guests, each
        self._busy = staff
        staff.pools.append(self)
        self._running: Counter[Sender] = Counter()
        self._guests_running = 0
        self._guest_began = 0.0
        # Whose turn is next stands first: who had one goes to the end.
        self._staff: dict[Sender, deque[asyncio.Future[None]]] = {}
        self._strangers: dict[Sender, deque[asyncio.Future[None]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Return how many wait for their turn."""
        return sum(map(len, (*self._staff.values(), *self._strangers.values())))

    @asynccontextmanager
    async def turn(self, sender: Sender) -> AsyncIterator[None]:
        """Wait for a place, and give it back in the end.

        :raises Overrun: too much of this sender waits.
        """
        waiting = self._line_of(sender).setdefault(sender, deque())
        if len(waiting) >= MOST_WAITING and sender.is_bounded:
            raise Overrun
        ticket = asyncio.get_running_loop().create_future()
        waiting.append(ticket)
        self.go_on()
        self._look_again()
        try:
            await ticket
            yield
        finally:
            if ticket.cancel() or ticket.cancelled():
                self._forget(sender, ticket)
            else:
                self._count(sender, -1)
            self.go_on()

    def _line_of(self, sender: Sender) -> dict[Sender, deque[asyncio.Future[None]]]:
        return self._staff if sender.is_staff else self._strangers

    def go_on(self) -> None:
        """Let those begin whose turn it is."""
        while (sender := self._next()) is not None:
            line = self._line_of(sender)
            waiting = line.pop(sender)
            ticket = waiting.popleft()
            if waiting:
                line[sender] = waiting
            if not ticket.done():
                self._count(sender, 1)
                ticket.set_result(None)

    def _look_again(self) -> None:
        """Let a stranger in later: staff who are busy in other pools never end anything here."""
        if self._timer is None and self._strangers:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(STRANGER_EVERY_S, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.go_on()
        self._look_again()

    def _next(self) -> Sender | None:
        if self._running.total() >= self._places:
            return None
        lines = [self._staff]
        if self._lets_strangers_in():
            lines.append(self._strangers)
        return next((one for line in lines for one in line if self._has_room(one)), None)

    def _lets_strangers_in(self) -> bool:
        if not self._busy.running:
            return self._guests_running < self._guests
        is_long_ago = time.monotonic() - self._guest_began > STRANGER_EVERY_S
        return not self._guests_running and is_long_ago

    def _has_room(self, sender: Sender) -> bool:
        return not sender.is_bounded or self._running[sender] < self._each

    def _forget(self, sender: Sender, ticket: asyncio.Future[None]) -> None:
        line = self._line_of(sender)
        waiting = line.get(sender, deque())
        if ticket in waiting:
            waiting.remove(ticket)
        if not waiting:
            line.pop(sender, None)

    def _count(self, sender: Sender, more: int) -> None:
        self._running[sender] += more
        if not self._running[sender]:
            del self._running[sender]
        if sender.is_staff:
            self._busy.count(more)
            return
        self._guests_running += more
        if more > 0:
            self._guest_began = time.monotonic()
