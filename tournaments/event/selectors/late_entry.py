"""The end of late registration as a time of day, if known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from clock.selectors import clock_levels, clock_state
from tournaments.event.domain.latecomers import time_until_end
from tournaments.event.selectors.event import event_last_late_position
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntry:
    """The end of late registration. `ends_at` is None while unknown.

    `is_open`: late registration is possible now; before the start it always is.
    """

    ends_at: datetime | None
    is_open: bool


def late_entry_of(event: Event, now: datetime) -> LateEntry:
    """Return the end of late registration if the clock runs as planned from now on.

    Without late registration it is the start. A stopped clock is assumed to go on at once, to
    stay on the safe side.
    """
    last = event_last_late_position(event)
    starts_at = max(event.starts_at, now)
    if not event.has_started:
        if last is None:
            return LateEntry(ends_at=starts_at, is_open=True)
        takes = time_until_end(clock_levels(event.clock), last)
        return LateEntry(ends_at=None if takes is None else starts_at + takes, is_open=True)
    state = clock_state(event.clock, now)
    if last is None or event.is_over or state.index > last:
        return LateEntry(ends_at=None, is_open=False)
    levels = clock_levels(event.clock)
    takes = time_until_end(levels, last, at=state.index, elapsed=state.elapsed)
    return LateEntry(ends_at=None if takes is None else now + takes, is_open=True)
