"""Advance from one level to the next: shared by folding and by `state`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from clock.domain.values import ZERO, Anchor, Level


def position_of(levels: Sequence[Level], level_id: int) -> int:
    """Return the index of the level in the schedule.

    :raises ValueError: If the schedule does not hold it.
    """
    for index, level in enumerate(levels):
        if level.id == level_id:
            return index
    raise ValueError(f"The schedule has no level {level_id}.")


def ends_at(
    level: Level, since: datetime, elapsed: timedelta, hands: int, *, is_running: bool
) -> datetime | None:
    """Return the end of the level, None if it does not end by itself.

    `since` is the instant of the elapsed time and the hands.
    """
    if level.duration is None:
        is_full = level.hands is not None and hands >= level.hands
        return since if is_full else None
    if is_running:
        return since + (level.duration - elapsed if elapsed else level.duration)
    return since if elapsed >= level.duration else None


def settled(
    anchor: Anchor, levels: Sequence[Level], index: int, at: datetime
) -> tuple[Anchor, int]:
    """Return the anchor advanced to `at`, and the index of its level.

    A level ends at its deadline and not at `at`, so that delays never add up. A boundary belongs to
    the level that begins there. Without a next level the last one holds at its end, until a level
    is added. Before the anchor no time passes. The level stays during last hands, and at the end of
    a break if the clock stops there.
    """
    since = anchor.running_since
    is_running = since is not None
    if since is None:
        since = at
    at = max(at, since)
    reached, since = _reached(anchor, levels, index, since, at)
    if not is_running and reached == index:
        return anchor, index
    level, has_moved = levels[reached], reached != index
    elapsed = ZERO if has_moved else anchor.elapsed
    stands = not is_running
    if is_running:
        elapsed += at - since
        if level.duration is not None and elapsed >= level.duration:
            elapsed = level.duration
            stops = anchor.stops_after_break and level.is_break
            stands = stops and exists(levels, reached + 1, at)
    # Written out: `replace` would take most of the time, and screens ask often.
    return Anchor(
        level_id=level.id,
        elapsed=elapsed,
        running_since=None if stands else at,
        hands=0 if has_moved else anchor.hands,
        has_started=anchor.has_started,
        began_at=(since if is_running else None) if has_moved else anchor.began_at,
        last_hands=anchor.last_hands,
        stops_after_break=anchor.stops_after_break,
        starts_at=anchor.starts_at,
    ), reached


def _reached(
    anchor: Anchor, levels: Sequence[Level], index: int, since: datetime, at: datetime
) -> tuple[int, datetime]:
    """Return the index of the level at `at`, and the start of its time.

    Plain values instead of an anchor for each level passed.
    """
    if anchor.last_hands is not None:
        return index, since
    elapsed, hands, stops = anchor.elapsed, anchor.hands, anchor.stops_after_break
    is_running = anchor.running_since is not None
    level = levels[index]
    for following in levels[index + 1 :]:
        if stops and level.is_break:
            break
        end = ends_at(level, since, elapsed, hands, is_running=is_running)
        if end is None:
            break
        begins = end if following.added_at is None else max(end, following.added_at)
        if begins > at:
            break
        index, since, elapsed, hands, level = index + 1, begins, ZERO, 0, following
    return index, since


def is_over(level: Level, elapsed: timedelta) -> bool:
    """Tell whether the level is a finished break."""
    return level.is_break and level.duration is not None and elapsed >= level.duration


def exists(levels: Sequence[Level], index: int, at: datetime) -> bool:
    """Tell whether there is a level at this index that existed at `at`."""
    if index >= len(levels):
        return False
    added_at = levels[index].added_at
    return added_at is None or added_at <= at


def left_in(level: Level, anchor: Anchor) -> timedelta | None:
    """Return the time left in the level; None without a duration."""
    return None if level.duration is None else max(level.duration - anchor.elapsed, ZERO)
