"""Taps delayed on a phone without a connection: their time, and doubts about it.

A phone uses its own clock and knows its offset from the server's. Its time of a tap is used only
without any doubt; otherwise a person is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

# A phone's clock with a larger error cannot be trusted at all.
LARGEST_OFFSET = timedelta(hours=1)
# Measurements vary and answers arrive out of order, so this much is corrected without asking.
SLACK = timedelta(minutes=2)
# A returned phone delivers its taps within this. Later it was in contact and kept them back.
RETURNING = timedelta(minutes=2)
# An answer lost in weak reception delays a tap of a phone in contact by this at most. It is more
# than the gap that starts a new span.
RESENT = timedelta(minutes=1)

# First and last contact of a device, without a gap between, in milliseconds.
Span = Sequence[int]


class Doubt(StrEnum):
    """Reasons to doubt the time of a tap."""

    NEVER_COMPARED = "never_compared"
    CLOCK_WAS_SET = "clock_was_set"
    HOURS_OFF = "hours_off"
    IMPOSSIBLE = "impossible"
    HEARD_SINCE = "heard_since"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """A phone's report of a delayed tap.

    `at` is the phone's time corrected by `offset`: the server's time minus the phone's as last
    measured, None if never. `was_set` means that the phone's clock was set in between.
    """

    at: datetime
    offset: timedelta | None
    was_set: bool = False


def doubt_about(tap: Tap, *, earliest: datetime | None, now: datetime) -> Doubt | None:
    """Return the doubt about the time of a tap, or None (house, "Offline taps").

    `earliest` is how far a tap of this phone reaches back.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> minutes = lambda count: timedelta(minutes=count)
    >>> tap = Tap(at=nine, offset=timedelta(seconds=-3))
    >>> doubt_about(tap, earliest=nine - minutes(5), now=nine + minutes(10)) is None
    True
    >>> str(doubt_about(tap, earliest=nine + minutes(5), now=nine + minutes(10)))
    'heard_since'
    >>> str(doubt_about(Tap(at=nine, offset=minutes(180)), earliest=None, now=nine))
    'hours_off'
    """
    if tap.offset is None:
        return Doubt.NEVER_COMPARED
    if abs(tap.offset) > LARGEST_OFFSET:
        return Doubt.HOURS_OFF
    if tap.was_set:
        return Doubt.CLOCK_WAS_SET
    if tap.at > now + SLACK:
        return Doubt.IMPOSSIBLE
    if earliest is not None and tap.at < earliest - SLACK:
        return Doubt.HEARD_SINCE
    return None


def last_heard(spans: Sequence[Span], now: datetime) -> datetime | None:
    """Return when a phone was last in contact before it could deliver a tap, None if unknown.

    Of a phone just returned that is the end of the span before.

    >>> from clock.domain import instant_of
    >>> minute = 60_000
    >>> now = instant_of(90 * minute)
    >>> told = lambda *spans: last_heard(spans, now).strftime("%H:%M")
    >>> told([0, 40 * minute])
    '00:40'
    >>> told([0, 40 * minute], [89 * minute, 90 * minute])
    '00:40'
    >>> told([0, 40 * minute], [60 * minute, 90 * minute])
    '01:29'
    >>> last_heard([[89 * minute, 90 * minute]], now) is None
    True
    """
    if not spans:
        return None
    begin, end = (datetime.fromtimestamp(ms / 1000, UTC) for ms in spans[-1])
    if now - end > RESENT:
        return end
    if now - begin > RETURNING:
        return now - RESENT
    return datetime.fromtimestamp(spans[-2][1] / 1000, UTC) if len(spans) > 1 else None


def instant_clamped(at: datetime, *, earliest: datetime | None, now: datetime) -> datetime:
    """Clamp an instant between the earliest a tap reaches back to and the present time.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> second = timedelta(seconds=1)
    >>> instant_clamped(nine + second, earliest=None, now=nine) == nine
    True
    >>> instant_clamped(nine - second, earliest=nine, now=nine + second) == nine
    True
    """
    return min(at if earliest is None else max(at, earliest), now)
