"""Whether the server's time follows the computer's clock when somebody has set that one."""

from __future__ import annotations

from datetime import datetime, timedelta

from clock.domain.values import ZERO

TOLERANCE = timedelta(seconds=2)
"""How far the computer's clock may be off before it counts as set."""

MILLISECOND = timedelta(milliseconds=1)


def time_step(own: datetime, wall: datetime, written_at: datetime | None) -> timedelta:
    """Return by how much the server's time `own` is to step, in whole milliseconds; zero for not.

    It follows the computer's clock `wall` forward at once, and back only as far as nothing was
    written down later: the log never goes back. Until then it goes on by itself, ahead of the
    computer's clock, but never behind what was written down last.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> hour, minute = timedelta(hours=1), timedelta(minutes=1)
    >>> time_step(noon, noon + hour, noon - minute) == hour
    True
    >>> time_step(noon, noon - hour, noon - minute)
    datetime.timedelta(0)
    >>> time_step(noon, noon - minute, noon - hour) == -minute
    True
    >>> time_step(noon, noon - hour, noon + minute) == minute
    True
    """
    target = wall
    if written_at is not None and written_at > wall:
        target = max(own, written_at)
    step = (target - own) // MILLISECOND * MILLISECOND
    return step if abs(step) > TOLERANCE else ZERO
