"""The hours of an evening: its usual beginning and length, its closing time. Pure.

All times are local: an evening keeps its hour when the clocks change.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from clock.domain import ClockState, Level

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


# --- Closing time: the last level, and its end. Pure


AHEAD = 2
"""The number of levels of play after the level of the announcement."""
DAY = timedelta(days=1)


def last_level(levels: Sequence[Level], index: int) -> int | None:
    """Return the row of the last level to play; None if the schedule has too few left.

    An announcement during a break counts for the level before it.

    >>> from clock.domain import LevelKind
    >>> rows = [Level(id=1), Level(id=2, kind=LevelKind.BREAK), Level(id=3), Level(id=4)]
    >>> last_level(rows, 0), last_level(rows, 1), last_level(rows, 2)
    (3, 3, None)
    """
    play = [row for row, level in enumerate(levels) if row > index and not level.is_break]
    return play[AHEAD - 1] if len(play) >= AHEAD else None


def end_of_level(
    levels: Sequence[Level], state: ClockState, row: int, now: datetime
) -> datetime | None:
    """Return the end of a row if the clock runs on; None with a level by hands before.

    >>> from datetime import UTC
    >>> from clock.domain import Anchor, state_from
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> rows = [Level(id=row, duration=timedelta(minutes=20)) for row in (1, 2, 3)]
    >>> state = state_from(Anchor(level_id=1, running_since=noon, has_started=True), rows, noon)
    >>> end_of_level(rows, state, 2, noon)
    datetime.datetime(2026, 1, 1, 13, 0, tzinfo=datetime.timezone.utc)
    """
    rest = [state.remaining, *(level.duration for level in levels[state.index + 1 : row + 1])]
    lengths = [length for length in rest if length is not None]
    return now + sum(lengths, timedelta()) if len(lengths) == len(rest) else None


def is_past(state: ClockState, row: int | None) -> bool:
    """Tell whether a row of the schedule is over, or is there no longer.

    >>> from clock.domain import Anchor, state_from
    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> rows = [Level(id=row, duration=timedelta(minutes=20)) for row in (1, 2)]
    >>> begun = Anchor(level_id=1, running_since=noon, has_started=True)
    >>> early, late = (state_from(begun, rows, at) for at in (noon, noon + 2 * DAY))
    >>> is_past(early, 0), is_past(early, None), is_past(late, 0), is_past(late, 1)
    (False, True, True, True)
    """
    if row is None or state.index > row:
        return True
    return state.index == row and state.is_last and state.remaining == timedelta()


def closes_at(starts_at: datetime, closing: time) -> datetime:
    """Return the first such time of day after the start; both in the hall's time.

    >>> closes_at(datetime(2026, 1, 1, 19, 30), time(0, 30))
    datetime.datetime(2026, 1, 2, 0, 30)
    >>> closes_at(datetime(2026, 1, 1, 19, 30), time(23))
    datetime.datetime(2026, 1, 1, 23, 0)
    """
    found = starts_at.replace(hour=closing.hour, minute=closing.minute, second=0, microsecond=0)
    return found if found > starts_at else found + DAY


def closing_typed(text: str) -> time | None:
    """Parse a stored time of day, "23:30"; None for other text.

    >>> closing_typed("23:30"), closing_typed("24:00"), closing_typed("")
    (datetime.time(23, 30), None, None)
    """
    hour, _colon, minute = text.partition(":")
    if len(text) != len("23:30") or not (hour + minute).isascii():
        return None
    try:
        return time(int(hour), int(minute))
    except ValueError:
        return None
