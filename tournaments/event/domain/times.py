"""Durations of a level, typed and shown."""

from __future__ import annotations

import re
from datetime import timedelta

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
