"""The schedule of a poster: every level with its expected time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Sum

from clock import models as clock_models
from clock.domain import Level, anchor_of, state_from
from clock.selectors import clock_actions, clock_levels, clock_plan
from tournaments.event.selectors.level_words import game_of, posted_of, shows_bets, stakes_of
from tournaments.models import Event

USUAL_EVENING, LONGEST_EVENING = timedelta(hours=4), timedelta(hours=8)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelLine:
    """One row of the schedule; `begins_at` is None if past or unknown.

    `is_earliest`: it may begin later, as the clock waits before it. `shows_big_bet` is that of the
    event's limit.
    """

    level: Level
    begins_at: datetime | None
    shows_big_bet: bool = False
    is_earliest: bool = False
    is_past: bool = False
    is_now: bool = False

    @property
    def minutes(self) -> int | None:
        length = self.level.duration
        return None if length is None else round(length / timedelta(minutes=1))

    @property
    def stakes(self) -> str:
        return stakes_of(self.level, shows_big_bet=self.shows_big_bet)

    @property
    def posted(self) -> list[str]:
        return posted_of(self.level)

    @property
    def game(self) -> str:
        return game_of(self.level)


def schedule_lines(event: Event, now: datetime) -> list[LevelLine]:
    """Return all levels with times, from the planned start or from the started clock.

    For a stopped clock, the times assume that it goes on at once. After a break with a waiting
    clock they are the earliest possible.
    """
    levels = clock_levels(event.clock)
    anchor = anchor_of(clock_actions(event.clock), levels)
    stops = anchor.stops_after_break
    line = partial(LevelLine, shows_big_bet=shows_bets(event))
    if not event.has_started:
        begins_at = None if event.is_over else max(event.starts_at, now)
        return lines_foreseen(levels, begins_at, stops=stops, line=line)
    state = state_from(anchor, levels, now)
    past = [line(level=level, begins_at=None, is_past=True) for level in levels[: state.index]]
    current = line(level=state.level, begins_at=state.level_began_at, is_now=not event.is_over)
    ends_at = None if state.remaining is None or event.is_over else now + state.remaining
    waits = stops and state.level.is_break
    rest = levels[state.index + 1 :]
    following = lines_foreseen(rest, ends_at, stops=stops, is_earliest=waits, line=line)
    return [*past, current, *following]


def lines_foreseen(
    levels: Sequence[Level],
    begins_at: datetime | None,
    *,
    stops: bool = False,
    is_earliest: bool = False,
    line: Callable[..., LevelLine] = LevelLine,
) -> list[LevelLine]:
    """Return the rows in sequence, the first at `begins_at`.

    :param stops: Whether the clock waits at the end of a break until it is started.
    """
    lines = []
    for level in levels:
        lines.append(line(level=level, begins_at=begins_at, is_earliest=is_earliest))
        is_earliest = is_earliest or (stops and level.is_break)
        if begins_at is not None:
            begins_at = None if level.duration is None else begins_at + level.duration
    return lines


def level_minutes(event: Event) -> int | None:
    """Return the planned minutes of a level of play; None if different or counted in hands."""
    lengths = {level.duration for level in clock_plan(event.clock) if not level.is_break}
    length = lengths.pop() if len(lengths) == 1 else None
    return None if length is None else round(length / timedelta(minutes=1))


def event_lasts(event: Event) -> timedelta:
    """Return an event's longest duration by its schedule, for a calendar."""
    lengths = [level.duration for level in clock_levels(event.clock)]
    known = sum((length for length in lengths if length is not None), timedelta())
    return min(known, LONGEST_EVENING) or USUAL_EVENING


def events_last(events: Sequence[Event]) -> dict[int, timedelta]:
    """Return the longest durations of many events (one query)."""
    clocks = [event.clock_id for event in events]
    rows = clock_models.Level.objects.filter(clock__in=clocks, removed_by=None).order_by()
    sums = rows.values("clock").annotate(ms=Sum("duration_ms"))
    known = {row["clock"]: timedelta(milliseconds=row["ms"] or 0) for row in sums}
    return {
        event.pk: min(known.get(event.clock_id, timedelta()), LONGEST_EVENING) or USUAL_EVENING
        for event in events
    }
