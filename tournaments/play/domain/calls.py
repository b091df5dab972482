"""A player on the clock: duration, phases and possible outcomes.

Two procedures, not one with other numbers (KRRU 3.0; TDA 2024 29). No timer runs: the start
determines every later instant, on the server and on the phone.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.event.domain.rules import ClockCallRule


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTimes:
    """The instants of the phases; a phase that does not occur has no length."""

    thinking_from: datetime
    counting_from: datetime
    ends_at: datetime


def call_times(rule: ClockCallRule, began_at: datetime, *, has_watch: bool = False) -> CallTimes:
    """Return the instants of the phases (KRRU 3.0; TDA 2024 29).

    With `has_watch` the time before a call is allowed is counted first.

    >>> from datetime import UTC
    >>> from tournaments.event.domain.rules import CLOCK_CALLS
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> seconds = lambda at: round((at - noon).total_seconds())
    >>> [seconds(call_times(CLOCK_CALLS["krru"], noon, has_watch=watch).ends_at)
    ...  for watch in (False, True)]
    [10, 40]
    >>> times = call_times(CLOCK_CALLS["tda"], noon)
    >>> seconds(times.counting_from), seconds(times.ends_at)
    (25, 30)
    """
    watch = rule.allowed_after_seconds if has_watch else 0
    thinking_from = began_at + timedelta(seconds=watch)
    counting_from = thinking_from + timedelta(seconds=rule.thinking_seconds)
    return CallTimes(
        thinking_from=thinking_from,
        counting_from=counting_from,
        ends_at=counting_from + timedelta(seconds=rule.countdown_seconds),
    )


def outcomes_at_zero(rule: ClockCallRule) -> tuple[str, ...]:
    """Return the possible outcomes after time has run out.

    KRRU 3.0: the hand is dead. TDA 2024 29: it is dead when a bet is faced, else it is a check.

    >>> from tournaments.event.domain.rules import CLOCK_CALLS
    >>> outcomes_at_zero(CLOCK_CALLS["tda"])
    ('dead', 'check')
    """
    return ("dead", "check") if rule.checks_when_unbet else ("dead",)
