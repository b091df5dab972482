"""The announcement of closing time, its last level and its end. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import get_current_timezone, localtime

from clock.selectors import clock_levels, clock_state
from tournaments.event.domain.closing import closes_at, closing_typed, end_of_level, is_past
from tournaments.models import ClosingCall, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Closing time as announced.

    :param number: Of the last level that is played; None if the schedule has it no longer.
    :param is_over: Whether that level is over: stacks are to be counted.
    :param ends_at: When it will be, as far as that can be told.
    """

    number: int | None
    is_over: bool
    ends_at: datetime | None


def closing_of(event: Event, now: datetime) -> Closing | None:
    """Return the announced closing time; None without one."""
    row = ClosingCall.objects.live().filter(event=event).first()
    if row is None:
        return None
    levels, state = clock_levels(event.clock), clock_state(event.clock, now)
    here = next((at for at, level in enumerate(levels) if level.id == row.level_id), None)
    is_over = is_past(levels, state, row.level_id)
    return Closing(
        number=None if here is None else levels[here].number,
        is_over=is_over,
        ends_at=None if is_over or here is None else end_of_level(levels, state, here, now),
    )


def event_closes_at(event: Event) -> datetime | None:
    """Return when the hall must be empty on this evening; None if not set."""
    closing = closing_typed(event.closing_time)
    if closing is None:
        return None
    local = localtime(event.starts_at).replace(tzinfo=None)
    return closes_at(local, closing).replace(tzinfo=get_current_timezone())
