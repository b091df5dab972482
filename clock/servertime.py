"""The server's time: the computer's clock, until somebody sets that one.

A clock that runs since the computer was started, and counts its sleep, tells that the other was
set. From then on the server's time runs by it, evenly, until what is to become of the step has been
decided (`clock.domain.time_step`, `tournaments.timekeeping`). Every edge that needs the present
asks here. Before the first decision, and in commands that take none, the computer's clock holds.
"""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from django.utils import timezone

from clock.domain import TOLERANCE

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def wall_clock() -> datetime:
    return timezone.now()


def _boot_clock() -> int | None:
    """Return the system's clock that counts sleep, None where there is none apart."""
    if sys.platform == "darwin":
        return time.CLOCK_MONOTONIC_RAW
    return getattr(time, "CLOCK_BOOTTIME", None)


def since_boot() -> timedelta:
    """Return for how long the computer has been on, asleep or awake."""
    clock = _boot_clock()
    ns = time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)
    return timedelta(microseconds=ns // 1000)


@cache
def boot_id() -> str:
    """Return what names this start of the computer; of this process, where nothing does."""
    try:
        return BOOT_ID.read_text("ascii").strip()
    except OSError:
        return uuid.uuid4().hex


class ServerTime:
    """The present, as one process knows it. `wall` and `boot` read the computer's two clocks."""

    def __init__(
        self,
        wall: Callable[[], datetime] = wall_clock,
        boot: Callable[[], timedelta] = since_boot,
    ) -> None:
        self.wall, self.boot = wall, boot
        self._zero_at: datetime | None = None
        self._noted_zero_at: datetime | None = None
        self._highest_at: datetime | None = None

    def now(self) -> datetime:
        """Return the present time. It asks no database."""
        wall, own = self.wall(), self._own()
        return wall if own is None or abs(wall - own) <= TOLERANCE else own

    def is_unsettled(self) -> bool:
        """Tell whether a step may have to be decided: the clocks differ, or the time went back."""
        own = self._own()
        if own is None or abs(self.wall() - own) > TOLERANCE:
            return True
        return self._highest_at is not None and own < self._highest_at

    def take(self, zero_at: datetime, highest_at: datetime | None) -> bool:
        """Take what was decided: the time at which the boot clock was zero, how far it had come.

        Tell whether that moved a time that was known before.
        """
        has_moved = self._zero_at is not None and abs(self._zero_at - zero_at) > TOLERANCE
        self._zero_at = self._noted_zero_at = zero_at
        self._highest_at = highest_at
        return has_moved

    def drifted(self) -> datetime | None:
        """Keep to the wall clock: it and the boot clock drift apart, by a second in some hours.

        Return when it was zero if others should know, because it has come to a second since.
        """
        if self._zero_at is None or self._noted_zero_at is None or self.is_unsettled():
            return None
        self._zero_at = self.wall() - self.boot()
        if abs(self._zero_at - self._noted_zero_at) <= TOLERANCE / 2:
            return None
        return self._zero_at

    def ahead(self) -> timedelta:
        """Return how far the time is ahead of the computer's clock, which was set back."""
        return self.now() - self.wall()

    def _own(self) -> datetime | None:
        return None if self._zero_at is None else self._zero_at + self.boot()


server_time = ServerTime()
