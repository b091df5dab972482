"""What a schedule comes to before it is chosen, and which values a new tournament begins with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from clock.models import Clock, ScheduleTemplate
from clock.selectors import clock_levels
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A schedule from a beginning on. What cannot be foreseen (levels of hands) is None."""

    levels: int
    starting_stack: int
    duration: timedelta | None = None
    last_level_at: datetime | None = None
    ends_at: datetime | None = None


def plan_of(template: ScheduleTemplate, level_minutes: int, begins_at: datetime | None) -> Plan:
    """Return what playing every level of a template comes to."""
    rows = list(template.levels.values_list("kind", "minutes", "hands"))
    levels = sum(kind == "play" for kind, _, _ in rows)
    if not rows or any(minutes is None and hands for _, minutes, hands in rows):
        return Plan(levels=levels, starting_stack=template.starting_stack)
    lasting = [timedelta(minutes=minutes or level_minutes) for _, minutes, _ in rows]
    duration = sum(lasting, timedelta())
    ends_at = begins_at + duration if begins_at else None
    return Plan(
        levels=levels,
        starting_stack=template.starting_stack,
        duration=duration,
        last_level_at=ends_at - lasting[-1] if ends_at else None,
        ends_at=ends_at,
    )


def level_minutes_of(clock: Clock) -> int | None:
    """Return how many minutes most levels of play last; None when they are counted in hands."""
    lasting = [level.duration for level in clock_levels(clock) if not level.is_break]
    minutes = Counter(int(span.total_seconds() // 60) for span in lasting if span)
    return minutes.most_common(1)[0][0] if minutes else None


def event_latest() -> Event | None:
    """Return the tournament planned last that is no sample: a new one begins with its values."""
    return (
        Event.objects.select_related("clock")
        .filter(is_sample=False)
        .order_by("-starts_at", "-pk")
        .first()
    )
