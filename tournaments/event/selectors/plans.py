"""Estimates of a schedule before its choice, and the initial values of a new tournament."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from clock.domain import Level, breaks_every, cut_by
from clock.models import ScheduleTemplate
from clock.selectors import (
    clock_levels,
    clock_plan,
    clock_plan_begun,
    clock_plan_played,
    template_levels,
)
from tournaments.event.domain.picture import Bar, bars_of, played_until
from tournaments.event.domain.planning.blind_steps import end_of
from tournaments.event.selectors.level_words import breaks_in_words
from tournaments.event.selectors.schedule import LevelLine, lines_foreseen
from tournaments.models import Action, Event

# The minutes of a level that people choose.
USUAL_MINUTES = (5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60)
TO_FIVE = 300
USUAL_BREAK_EVERY, USUAL_BREAK_MINUTES = 4, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A schedule with its times. Unknown values (levels of hands) are None.

    :param lines: The rows that are played, by the model of the planner.
    :param ends_at: When it is over by that model; without it after the last level.
    """

    levels: int
    starting_stack: int
    lines: Sequence[LevelLine] = ()
    bars: Sequence[tuple[Bar, LevelLine]] = ()
    breaks: str = ""
    minutes: int | None = None
    depth: int = 0
    ends_at: datetime | None = None


def plan_of(
    levels: Sequence[Level], stack: int, begins_at: datetime | None, players: int = 0
) -> Plan:
    """Return the estimate of an evening with these levels.

    :param players: How many play; 0: unknown, and all levels are played.
    """
    lasts = _lasts(levels, players * stack)
    played = played_until(levels, lasts)
    lines = lines_foreseen(played, begins_at)
    first = next((level.unit for level in levels if level.unit), 0)
    ends_at = None
    if begins_at and lasts:
        rounded = round((begins_at + lasts).timestamp() / TO_FIVE) * TO_FIVE
        ends_at = datetime.fromtimestamp(rounded, begins_at.tzinfo)
    return Plan(
        levels=sum(not level.is_break for level in played),
        starting_stack=stack,
        lines=lines,
        bars=list(zip(bars_of(played), lines, strict=False)),
        breaks=breaks_in_words(played),
        minutes=level_minutes_of(levels),
        depth=stack // first if first else 0,
        ends_at=ends_at,
    )


def _lasts(levels: Sequence[Level], chips: int) -> timedelta | None:
    """Return how long it takes, by the planner's model or until the last level is over."""
    spans = [level.duration for level in levels]
    if not all(spans):
        return None
    whole = sum(filter(None, spans), timedelta())
    return min(whole, (chips and end_of(levels, chips).expected) or whole)


def usual_breaks(
    template: ScheduleTemplate, every: int = USUAL_BREAK_EVERY, minutes: int = USUAL_BREAK_MINUTES
) -> dict[int, int]:
    """Return breaks of so many minutes after every so many levels, unless the template has some."""
    kinds = Counter(template.levels.values_list("kind", flat=True))
    after = breaks_every(every, kinds["play"]) if every and not kinds["break"] else ()
    return dict.fromkeys(after, minutes)


def minutes_for(
    template: ScheduleTemplate, breaks: Mapping[int, int], lasts: timedelta, players: int
) -> int:
    """Return the minutes of a level with which an evening lasts nearest to this long."""

    def missed(minutes: int) -> timedelta:
        levels = template_levels(template, minutes, breaks)
        chips = players * template.starting_stack
        return abs((_lasts(levels, chips) or timedelta()) - lasts)

    return min(USUAL_MINUTES, key=missed)


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
    """Return the plan as it was at the start, or as it was played, with the breaks pressed.

    The log knows its name at the start, and whether it was an edited one.
    """
    name, is_edited, begun = event.schedule_name, event.clock.is_edited, event.started_by
    if as_changed or begun is None:
        levels = clock_plan_played(event.clock) if as_changed else clock_plan(event.clock)
        is_other = len(levels) != len(clock_plan(event.clock))
        return CopiedPlan(levels=levels, name=name, is_edited=is_edited or is_other)
    later = Action.objects.filter(event=event, sequence__gt=begun.sequence).order_by("sequence")
    edit = later.filter(payload__has_key="was_edited").first()
    named = later.filter(text__data__has_key="schedule_before").select_related("text").first()
    return CopiedPlan(
        levels=clock_plan_begun(event.clock),
        name=named.text.data["schedule_before"] if named else name,
        is_edited=edit.payload["was_edited"] if edit else is_edited,
    )


def breaks_pressed(event: Event) -> list[datetime]:
    """Return when breaks were pressed that cut a level."""
    levels = clock_levels(event.clock)
    at = [level.added_at for index, level in enumerate(levels) if cut_by(levels, index)]
    return [one for one in at if one]


def event_latest() -> Event | None:
    """Return the latest planned evening except samples."""
    return _to_copy().first()


MOST_LOOKED_AT = 40


def events_to_copy() -> list[Event]:
    """Return the latest evening of each name, the latest first."""
    found: dict[str, Event] = {}
    for event in _to_copy()[:MOST_LOOKED_AT]:
        found.setdefault(event.name, event)
    return list(found.values())


def _to_copy() -> QuerySet[Event]:
    rows = Event.objects.select_related("clock", "club").filter(is_sample=False)
    return rows.order_by("-starts_at", "-pk")
