"""Estimates of a schedule before its choice, and the initial values of a new tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.models import Clock, ScheduleTemplate
from clock.selectors import clock_plan, template_levels
from tournaments.event.selectors.level_words import breaks_in_words
from tournaments.event.selectors.schedule import LevelLine, lines_foreseen
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A schedule with its times. Unknown values (levels of hands) are None."""

    levels: int
    starting_stack: int
    lines: Sequence[LevelLine] = ()
    breaks: str = ""
    last_level_at: datetime | None = None
    ends_at: datetime | None = None


def plan_of(
    template: ScheduleTemplate,
    level_minutes: int,
    begins_at: datetime | None,
    breaks: Mapping[int, int] | None = None,
) -> Plan:
    """Return the estimate of playing every level of a template.

    :param breaks: Minutes, by the number of the level that a break follows.
    """
    levels = template_levels(template, level_minutes, breaks)
    lines = lines_foreseen(levels, begins_at)
    last = lines[-1] if lines else None
    last_level_at = last.begins_at if last else None
    length = last.level.duration if last else None
    return Plan(
        levels=sum(not level.is_break for level in levels),
        starting_stack=template.starting_stack,
        lines=lines,
        breaks=breaks_in_words(levels),
        last_level_at=last_level_at,
        ends_at=last_level_at + length if last_level_at and length else None,
    )


def breaks_after(clock: Clock) -> dict[int, int]:
    """Return a clock's planned breaks: minutes by the number of the level before."""
    found, number = {}, 0
    for level in clock_plan(clock):
        if level.is_break and number and level.duration:
            found[number] = int(level.duration.total_seconds() // 60)
        number = level.number or number
    return found


def level_minutes_of(clock: Clock) -> int | None:
    """Return the usual minutes of a level of play; None if counted in hands."""
    lasting = [level.duration for level in clock_plan(clock) if not level.is_break]
    minutes = Counter(int(span.total_seconds() // 60) for span in lasting if span)
    return minutes.most_common(1)[0][0] if minutes else None


def event_latest() -> Event | None:
    """Return the latest planned tournament except samples: a new one copies its values."""
    return (
        Event.objects.select_related("clock")
        .filter(is_sample=False)
        .order_by("-starts_at", "-pk")
        .first()
    )
