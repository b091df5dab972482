"""Taps delayed on a phone without a connection: their time, and doubts about it.

A phone uses its own clock and knows its offset from the server's. Its time of a tap is used only
without any doubt; otherwise a person is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

# A phone's clock with a larger error cannot be trusted at all.
LARGEST_OFFSET = timedelta(hours=1)
# Measurements vary and answers arrive out of order, so this much is corrected without asking.
SLACK = timedelta(minutes=2)


class Doubt(StrEnum):
    """Reasons to doubt the time of a tap."""

    NEVER_COMPARED = "never_compared"
    CLOCK_WAS_SET = "clock_was_set"
    HOURS_OFF = "hours_off"
    IMPOSSIBLE = "impossible"


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

    `earliest` is the phone's last action known to the server.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> minutes = lambda count: timedelta(minutes=count)
    >>> tap = Tap(at=nine, offset=timedelta(seconds=-3))
    >>> doubt_about(tap, earliest=nine - minutes(5), now=nine + minutes(10)) is None
    True
    >>> str(doubt_about(tap, earliest=nine + minutes(5), now=nine + minutes(10)))
    'impossible'
    >>> str(doubt_about(Tap(at=nine, offset=minutes(180)), earliest=None, now=nine))
    'hours_off'
    """
    if tap.offset is None:
        return Doubt.NEVER_COMPARED
    if abs(tap.offset) > LARGEST_OFFSET:
        return Doubt.HOURS_OFF
    if tap.was_set:
        return Doubt.CLOCK_WAS_SET
    if tap.at > now + SLACK or (earliest is not None and tap.at < earliest - SLACK):
        return Doubt.IMPOSSIBLE
    return None


def instant_clamped(at: datetime, *, earliest: datetime | None, now: datetime) -> datetime:
    """Clamp an instant between the phone's last known action and the present time.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> second = timedelta(seconds=1)
    >>> instant_clamped(nine + second, earliest=None, now=nine) == nine
    True
    >>> instant_clamped(nine - second, earliest=nine, now=nine + second) == nine
    True
    """
    return min(at if earliest is None else max(at, earliest), now)
