"""The end of late registration: of a level, or of a break. Pure positions."""

import re
from collections.abc import Sequence
from datetime import timedelta

from clock.domain import Level

# --- Durations of a level, typed and shown


_TYPED = re.compile(r"(\d{1,3})|(\d{1,3})[:.,]([0-5]\d)|(\d{1,2}):([0-5]\d):([0-5]\d)", re.ASCII)
_SIXTY = 60


def seconds_typed(text: str) -> int | None:
    """Parse typed minutes, with seconds or hours, into seconds; None if unclear.

    >>> [seconds_typed(text) for text in ("12", "12:30", " 7.05 ", "1:05:00")]
    [720, 750, 425, 3900]
    >>> [seconds_typed(text) for text in ("", "abc", "-5", "12:75", "1:90:00", "12:3")]
    [None, None, None, None, None, None]
    """
    found = _TYPED.fullmatch(text.strip())
    if found is None:
        return None
    alone, minutes, seconds, *long = (int(part or 0) for part in found.groups())
    hours, more_minutes, more_seconds = long
    return (hours * _SIXTY + alone + minutes + more_minutes) * _SIXTY + seconds + more_seconds


def time_in_words(span: timedelta) -> str:
    """Return a duration as on a clock.

    >>> time_in_words(timedelta(minutes=12, seconds=5))
    '12:05'
    >>> time_in_words(timedelta(hours=1, seconds=9))
    '1:00:09'
    """
    minutes, seconds = divmod(int(span.total_seconds()), _SIXTY)
    hours, minutes = divmod(minutes, _SIXTY)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def breaks_planned(levels: Sequence[Level]) -> list[int]:
    """Return the number of the level before each planned break, in order.

    >>> from clock.domain import LevelKind
    >>> pressed = Level(id=2, kind=LevelKind.BREAK, is_unplanned=True)
    >>> breaks_planned([pressed, Level(id=1, number=1), Level(id=3, kind=LevelKind.BREAK)])
    [1]
    """
    found, number = [], 0
    for level in levels:
        number = level.number or number
        if level.is_planned_break:
            found.append(number)
    return found


def last_late_position(levels: Sequence[Level], *, level: int = 0, pause: int = 0) -> int | None:
    """Return the index of the last level with late registration, None without any.

    With `pause` it is that planned break, from 1, or the last one if there are fewer; else the
    level of play with number `level`, or the last one. 0 means neither.

    >>> from datetime import timedelta
    >>> from clock.domain import LevelKind
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
        breaks = [at for at, row in enumerate(levels) if row.is_planned_break]
        return breaks[:pause][-1] if breaks else None
    found = [at for at, row in enumerate(levels) if row.number is not None and row.number <= level]
    return found[-1] if found else None
