"""How a level gives way to the next: the one step that folding and asking share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clock.domain.values import ZERO, Anchor, Level


def position_of(levels: Sequence[Level], level_id: int) -> int:
    """Return where the level stands in the schedule, from 0.

    :raises ValueError: If the schedule does not hold it.
    """
    for index, level in enumerate(levels):
        if level.id == level_id:
            return index
    raise ValueError(f"The schedule has no level {level_id}.")


def ends_at(
    level: Level, since: datetime, elapsed: timedelta, hands: int, *, is_running: bool
) -> datetime | None:
    """Return when the level has run out, None if it does not by itself.

    `since` is the instant at which the elapsed time and the hands hold.
    """
    if level.duration is None:
        is_full = level.hands is not None and hands >= level.hands
        return since if is_full else None
    if is_running:
        return since + (level.duration - elapsed)
    return since if elapsed >= level.duration else None


def settled(
    anchor: Anchor, levels: Sequence[Level], index: int, at: datetime
) -> tuple[Anchor, int]:
    """Return the anchor moved on to `at`, and the position of its level.

    A level that has run out gives way at its deadline, not at `at`, so that lateness never adds up;
    a boundary belongs to the level that begins at it. Where no further level exists yet, the last
    one holds at its end, and gives way when a level is added. Before the anchor no time passes.
    """
    is_running = anchor.running_since is not None
    at = max(at, anchor.running_since or at)
    reached, since = _reached(anchor, levels, index, at)
    level = levels[reached]
    if reached != index:
        began_at = since if is_running else None
        anchor = Anchor(
            level_id=level.id,
            running_since=began_at,
            has_started=anchor.has_started,
            began_at=began_at,
        )
    if not is_running:
        return anchor, reached
    elapsed = anchor.elapsed + (at - since)
    if level.duration is not None:
        elapsed = min(elapsed, level.duration)
    return replace(anchor, elapsed=elapsed, running_since=at), reached


def _reached(
    anchor: Anchor, levels: Sequence[Level], index: int, at: datetime
) -> tuple[int, datetime]:
    """Return the position of the level in which `at` lies, and since when its time counts.

    Plain values instead of an anchor for each level passed: screens and pages ask often.
    """
    since, elapsed, hands = anchor.running_since or at, anchor.elapsed, anchor.hands
    is_running = anchor.running_since is not None
    for following in levels[index + 1 :]:
        end = ends_at(levels[index], since, elapsed, hands, is_running=is_running)
        if end is None:
            break
        begins = end if following.added_at is None else max(end, following.added_at)
        if begins > at:
            break
        index, since, elapsed, hands = index + 1, begins, ZERO, 0
    return index, since


def left_in(level: Level, anchor: Anchor) -> timedelta | None:
    """Return the clock's time left in the level, None if it has no duration."""
    return None if level.duration is None else max(level.duration - anchor.elapsed, ZERO)
