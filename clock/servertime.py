"""The server's time: the computer's clock, but never backwards while the server runs.

Every edge takes the present time from here. In commands, and before `begin`, it is the computer's
clock.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

TOLERANCE = timedelta(seconds=2)
"""A larger step back of the computer's clock counts as set back."""


def wall_clock() -> datetime:
    return timezone.now()


def running_for() -> timedelta:
    return timedelta(seconds=time.monotonic())


class ServerTime:
    """The present time of one process. `wall` can be set, `ran` cannot."""

    def __init__(
        self,
        wall: Callable[[], datetime] = wall_clock,
        ran: Callable[[], timedelta] = running_for,
    ) -> None:
        self.wall, self.ran = wall, ran
        self._last: tuple[datetime, timedelta] | None = None

    def begin(self, written_at: datetime | None) -> None:
        """Go on from the last recorded time, if the computer's clock is behind it."""
        wall = self.wall()
        self._last = max(wall, written_at or wall), self.ran()

    def now(self) -> datetime:
        """Return the present time. It goes on normally after the clock was set back."""
        wall, ran, last = self.wall(), self.ran(), self._last
        if last is None:
            return wall
        own = last[0] + (ran - last[1])
        if wall < own - TOLERANCE:
            return own
        self._last = wall, ran
        return wall

    def ahead(self) -> timedelta:
        """Return how far the time is ahead of a computer's clock that was set back."""
        return self.now() - self.wall()


server_time = ServerTime()
