"""The state of a clock at an instant. The same function exists in static/clock/clock.js."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clock.domain.advance import ends_at, exists, is_over, left_in, position_of, settled
from clock.domain.values import Anchor, ClockState, Level, LevelKind


def state_from(anchor: Anchor, levels: Sequence[Level], now: datetime) -> ClockState:
    """Return the state of the clock at `now`.

    A boundary belongs to the level that begins there. The last level holds at zero. An instant
    before the anchor shows the anchor itself. Levels added after `now` do not exist yet. A clock
    with a planned start runs from that instant, even if the start is not yet logged.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> minutes = lambda n: timedelta(minutes=n)
    >>> levels = [Level(id=1, number=1, duration=minutes(20), big_blind=2),
    ...           Level(id=2, number=2, duration=minutes(20), big_blind=4)]
    >>> running = Anchor(level_id=1, running_since=noon, has_started=True)
    >>> state = state_from(running, levels, noon + minutes(15))
    >>> state.level.big_blind, state.remaining, state.is_last
    (2, datetime.timedelta(seconds=300), False)
    >>> state_from(running, levels, noon + minutes(20)).level.big_blind
    4
    >>> state_from(running, levels, noon + minutes(90)).remaining
    datetime.timedelta(0)

    :raises ValueError: If the schedule does not hold the anchor's level.
    """
    anchor = started_by_itself(anchor, now)
    here, index = settled(anchor, levels, position_of(levels, anchor.level_id), now)
    level = levels[index]
    remaining = left_in(level, here)
    following = _following(levels, index, now)
    next_change_at = None
    stops = here.stops_after_break and level.is_break
    if here.running_since is not None and following is not None and not stops:
        next_change_at = ends_at(
            level, here.running_since, here.elapsed, here.hands, is_running=True
        )
    next_break, time_to_break = _break_after(levels, index, remaining, now)
    return ClockState(
        level=level,
        index=index,
        elapsed=here.elapsed,
        remaining=remaining,
        hands=here.hands,
        is_running=here.running_since is not None,
        has_started=here.has_started,
        level_began_at=here.began_at,
        next_level=following,
        next_change_at=next_change_at,
        next_break=next_break,
        time_to_break=time_to_break,
        last_hands=here.last_hands,
        is_waiting=stops
        and here.running_since is None
        and following is not None
        and is_over(level, here.elapsed),
    )


def started_by_itself(anchor: Anchor, now: datetime) -> Anchor:
    """Start the anchor at its planned instant if that has come."""
    starts_at = anchor.starts_at
    if starts_at is None or anchor.has_started or now < starts_at:
        return anchor
    return replace(anchor, running_since=starts_at, has_started=True, began_at=starts_at)


def _following(levels: Sequence[Level], index: int, now: datetime) -> Level | None:
    """Return the next level, if it exists at `now`."""
    return levels[index + 1] if exists(levels, index + 1, now) else None


def _break_after(
    levels: Sequence[Level], index: int, remaining: timedelta | None, now: datetime
) -> tuple[Level | None, timedelta | None]:
    """Return the next break and the clock's time until it; None if a level has no duration."""
    time = remaining
    for level in levels[index + 1 :]:
        if level.added_at is not None and level.added_at > now:
            break
        if level.kind is LevelKind.BREAK:
            return level, time
        if time is not None:
            time = None if level.duration is None else time + level.duration
    return None, None
