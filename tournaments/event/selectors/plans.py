"""Estimates of a schedule before its choice, and the initial values of a new tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.domain import Level
from clock.models import ScheduleTemplate
from clock.selectors import clock_plan, clock_plan_begun, template_levels
from tournaments.event.selectors.level_words import breaks_in_words
from tournaments.event.selectors.schedule import LevelLine, lines_foreseen
from tournaments.models import Action, Event


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
    level_minutes: int | None,
    begins_at: datetime | None,
    breaks: Mapping[int, int] | None = None,
    starting_stack: int | None = None,
) -> Plan:
    """Return the estimate of playing every level of a template.

    :param breaks: Minutes, by the number of the level that a break follows.
    :param starting_stack: Other chips than the template's.
    """
    levels = template_levels(template, level_minutes, breaks)
    lines = lines_foreseen(levels, begins_at)
    last = lines[-1] if lines else None
    last_level_at = last.begins_at if last else None
    length = last.level.duration if last else None
    return Plan(
        levels=sum(not level.is_break for level in levels),
        starting_stack=starting_stack or template.starting_stack,
        lines=lines,
        breaks=breaks_in_words(levels),
        last_level_at=last_level_at,
        ends_at=last_level_at + length if last_level_at and length else None,
    )


def breaks_after(levels: Iterable[Level]) -> dict[int, int]:
    """Return a plan's breaks: minutes by the number of the level before."""
    found, number = {}, 0
    for level in levels:
        if level.is_break and number and level.duration:
            found[number] = int(level.duration.total_seconds() // 60)
        number = level.number or number
    return found


def level_minutes_of(levels: Iterable[Level]) -> int | None:
    """Return the usual minutes of a plan's level of play; None if counted in hands."""
    lasting = [level.duration for level in levels if not level.is_break]
    minutes = Counter(int(span.total_seconds() // 60) for span in lasting if span)
    return minutes.most_common(1)[0][0] if minutes else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedPlan:
    """A tournament's schedule for another evening."""

    levels: tuple[Level, ...]
    name: str
    is_edited: bool


def plan_to_copy(event: Event, *, as_changed: bool = False) -> CopiedPlan:
    """Return the plan as it was at the start, or as changed since; breaks pressed are in neither.

    The log knows its name at the start, and whether it was an edited one.
    """
    levels, name = clock_plan(event.clock), event.schedule_name
    begun = event.started_by
    if as_changed or begun is None:
        return CopiedPlan(levels=levels, name=name, is_edited=event.clock.is_edited)
    later = Action.objects.filter(event=event, sequence__gt=begun.sequence).order_by("sequence")
    edit = later.filter(payload__has_key="was_edited").first()
    named = later.filter(text__data__has_key="schedule_before").select_related("text").first()
    return CopiedPlan(
        levels=clock_plan_begun(event.clock),
        name=named.text.data["schedule_before"] if named else name,
        is_edited=edit.payload["was_edited"] if edit else event.clock.is_edited,
    )


def event_latest(*, with_tournament: bool = False) -> Event | None:
    """Return the latest planned evening except samples: a new one copies its values."""
    rows = Event.objects.select_related("clock").filter(is_sample=False)
    rows = rows.exclude(kind=Event.Kind.CASH_GAME) if with_tournament else rows
    return rows.order_by("-starts_at", "-pk").first()
