"""Until when somebody may still enter: the end of a level, or of a break. Pure positions."""

from __future__ import annotations

from collections.abc import Sequence

from clock.domain import Level, LevelKind


def breaks_in(levels: Sequence[Level]) -> int:
    """Return how many breaks a schedule has."""
    return sum(level.kind is LevelKind.BREAK for level in levels)


def last_late_position(levels: Sequence[Level], *, level: int = 0, pause: int = 0) -> int | None:
    """Return the position in the schedule with whose end late registration ends, None if never.

    With `pause` it is that break, counted from 1, or the last one where the schedule has fewer;
    else the level of play with number `level`, or the last one. 0 means neither.

    >>> from datetime import timedelta
    >>> play = [Level(id=n, kind=LevelKind.PLAY, number=n, duration=timedelta(minutes=20),
    ...               small_blind=1, big_blind=2) for n in (1, 2, 3)]
    >>> rest = Level(id=9, kind=LevelKind.BREAK, duration=timedelta(minutes=10))
    >>> schedule = [*play[:2], rest, play[2]]
    >>> last_late_position(schedule, level=2), last_late_position(schedule, pause=1)
    (1, 2)
    >>> last_late_position(schedule, level=9), last_late_position(schedule)
    (3, None)
    >>> last_late_position(play, pause=1)
    """
    if pause:
        breaks = [at for at, row in enumerate(levels) if row.kind is LevelKind.BREAK]
        return breaks[:pause][-1] if breaks else None
    found = [at for at, row in enumerate(levels) if row.number is not None and row.number <= level]
    return found[-1] if found else None
