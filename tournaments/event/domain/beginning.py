"""The usual beginning of an evening, and its length. Pure.

All times are local: an evening keeps its hour when the clocks change.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

EVENING_HOUR = 19
TOO_LATE_FOR_TODAY_HOUR = 17


def next_evening(now: datetime) -> datetime:
    """Return this evening, or tomorrow's if it is late.

    >>> str(next_evening(datetime(2026, 11, 27, 16, 59)))
    '2026-11-27 19:00:00'
    >>> str(next_evening(datetime(2026, 11, 27, 17)))
    '2026-11-28 19:00:00'
    """
    late = timedelta(days=now.hour >= TOO_LATE_FOR_TODAY_HOUR)
    return (now + late).replace(hour=EVENING_HOUR, minute=0, second=0, microsecond=0)


def week_after(begins: datetime, today: date) -> datetime:
    """Return the same weekday and time, after that evening and after today.

    >>> str(week_after(datetime(2026, 11, 20, 19, 30), date(2026, 11, 27)))
    '2026-12-04 19:30:00'
    """
    weeks = max(1, (today - begins.date()).days // 7 + 1)
    return begins + timedelta(days=7 * weeks)


def lasting(begins: time, ends: time) -> timedelta:
    """Return the time from the beginning to the end, which may be after midnight.

    >>> str(lasting(time(19), time(0, 30)))
    '5:30:00'
    """
    span = timedelta(hours=ends.hour - begins.hour, minutes=ends.minute - begins.minute)
    return span % timedelta(days=1)
