"""Load a clock's rows as domain values. Reads only, and not the present time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from clock import domain
from clock.domain import Anchor, ClockState
from clock.domain.values import STATED
from clock.models import Clock, ClockAction, Level, LevelFields, ScheduleTemplate
from clock.snapshot import read_once


@read_once
def clock_levels(clock: Clock) -> tuple[domain.Level, ...]:
    """Return the clock's schedule in order."""
    rows = (row for row in _level_rows(clock) if row.removed_by_id is None)
    return tuple(domain.numbered([_level_of_clock(row) for row in rows]))


@read_once
def clock_plan(clock: Clock) -> tuple[domain.Level, ...]:
    """Return the planned schedule: without breaks added during play, and as new rows."""
    return _planned_rows(clock, clock_levels(clock))


@read_once
def clock_plan_begun(clock: Clock) -> tuple[domain.Level, ...]:
    """Return the planned schedule as it was at the first start; the present one before it."""
    rows = action_rows(clock)
    left_out = rows_left_out(rows)
    edits = 0
    for index, row in enumerate(rows):
        if row.kind == ClockAction.Kind.STARTED and index not in left_out:
            return _planned_rows(clock, clock_past(clock).schedules[edits])
        edits += row.kind == ClockAction.Kind.EDITED
    return clock_plan(clock)


def clock_plan_played(clock: Clock) -> tuple[domain.Level, ...]:
    """Return the present schedule for another evening, with the breaks added during play."""
    return _planned_rows(clock, clock_levels(clock), with_pressed=True)


def _planned_rows(
    clock: Clock, levels: tuple[domain.Level, ...], *, with_pressed: bool = False
) -> tuple[domain.Level, ...]:
    rows = {row.pk: _level_of_clock(row) for row in _level_rows(clock)}
    return tuple(domain.as_planned(levels, rows, with_pressed=with_pressed))


@read_once
def clock_actions(clock: Clock) -> tuple[domain.ClockAction, ...]:
    return tuple(action_from_row(row) for row in action_rows(clock))


@read_once
def clock_anchor(clock: Clock) -> Anchor:
    """Return the clock's anchor (two queries)."""
    return domain.anchor_of(clock_actions(clock), clock_levels(clock))


def clock_state(clock: Clock, now: datetime) -> ClockState:
    """Return the clock's state at `now`, or as shown at a past instant."""
    return clock_past(clock).state(now)


@read_once
def clock_past(clock: Clock) -> domain.Past:
    """Return the clock's past, for its state at any instant (two queries)."""
    rows, actions = _level_rows(clock), action_rows(clock)
    return domain.Past(tuple(action_from_row(row) for row in actions), _schedules(rows, actions))


def clock_begun(clock: Clock, now: datetime) -> frozenset[int]:
    """Return the levels begun, without undone ones."""
    return clock_past(clock).begun(now, rows_left_out(action_rows(clock)))


def clock_payload(clock: Clock, now: datetime, starts_at: datetime | None = None) -> dict[str, Any]:
    """Return the data for a screen's own clock: schedule, anchor, and the server's time.

    `starts_at` is set for a planned automatic start.
    """
    levels = clock_levels(clock)
    return _payload(domain.anchor_of(clock_actions(clock), levels), levels, now, starts_at)


def clock_told(clock: Clock, at: datetime, starts_at: datetime | None = None) -> dict[str, Any]:
    """Return the same data as they were at a past instant."""
    past = clock_past(clock)
    return _payload(past.anchor(at), past.levels(at), at, starts_at)


def _payload(
    anchor: Anchor, levels: Sequence[domain.Level], now: datetime, starts_at: datetime | None
) -> dict[str, Any]:
    return {
        "now": domain.instant_ms(now),
        "anchor": domain.anchor_as_json(_planned(anchor, starts_at)),
        "levels": [domain.level_as_json(level) for level in levels],
    }


def anchor_payload(clock: Clock, starts_at: datetime | None = None) -> dict[str, Any]:
    """Return the anchor for a push."""
    return domain.anchor_as_json(_planned(clock_anchor(clock), starts_at))


def _planned(anchor: Anchor, starts_at: datetime | None) -> Anchor:
    return anchor if anchor.has_started else replace(anchor, starts_at=starts_at)


@read_once
def action_rows(clock: Clock) -> list[ClockAction]:
    return list(ClockAction.objects.filter(clock=clock).order_by("sequence"))


@read_once
def _level_rows(clock: Clock) -> list[Level]:
    return list(Level.objects.filter(clock=clock).order_by("position"))


def _schedules(
    rows: Iterable[Level], actions: Iterable[ClockAction]
) -> tuple[tuple[domain.Level, ...], ...]:
    """Return the first schedule, and the one after each edit."""
    levels = [(row, _level_of_clock(row)) for row in rows]
    edits = [action.pk for action in actions if action.kind == ClockAction.Kind.EDITED]

    def is_there(row: Level, done: set[int]) -> bool:
        is_added = row.added_by_id is None or row.added_by_id in done
        return is_added and row.removed_by_id not in done

    found = []
    for count in range(len(edits) + 1):
        done = set(edits[:count])
        there = [level for row, level in levels if is_there(row, done)]
        found.append(tuple(domain.numbered(there)))
    return tuple(found)


def rows_left_out(rows: Collection[ClockAction]) -> set[int]:
    """Return the indexes of rows without effect.

    These are undos themselves, and actions undone by one in force. (The undo of an undo puts the
    action back.)
    """
    undoing = {row.undoes_id: row for row in rows if row.undoes_id is not None}

    def is_in_force(row: ClockAction) -> bool:
        by = undoing.get(row.pk)
        return by is None or not is_in_force(by)

    return {
        index for index, row in enumerate(rows) if row.undoes_id is not None or not is_in_force(row)
    }


def template_levels(
    template: ScheduleTemplate,
    level_minutes: int | None = None,
    breaks: Mapping[int, int] | None = None,
) -> list[domain.Level]:
    """Return a template's levels for a clock, numbered and with id 0.

    `breaks` are minutes by the number of the level of play before.
    """
    usual = level_minutes or template.level_minutes
    levels = []
    for row in template.levels.order_by("position"):
        minutes = usual if row.minutes is None and row.hands is None else row.minutes
        duration = None if minutes is None else timedelta(minutes=minutes)
        levels.append(_level_from_row(row, id=0, duration=duration))
    return domain.numbered(domain.with_breaks(levels, breaks or {}))


def _level_of_clock(row: Level) -> domain.Level:
    return _level_from_row(
        row,
        id=row.pk,
        duration=None if row.duration_ms is None else timedelta(milliseconds=row.duration_ms),
        added_at=row.added_at,
        is_unplanned=row.is_unplanned,
        rest_of=row.rest_of_id,
    )


def _level_from_row(row: LevelFields, **own: Any) -> domain.Level:
    stated = {name: getattr(row, name) for name in STATED}
    stated["ante_kind"] = domain.AnteKind(row.ante_kind)
    return domain.Level(
        kind=domain.LevelKind(row.kind),
        hands=row.hands,
        colour_up=tuple(row.colour_up),
        **stated,
        **own,
    )


def action_from_row(row: ClockAction) -> domain.ClockAction:
    return domain.ClockAction(
        kind=domain.ActionKind(row.kind),
        at=row.at,
        shift=timedelta(milliseconds=row.shift_ms or 0),
        level_id=row.level_id,
        elapsed=timedelta(milliseconds=row.elapsed_ms or 0),
        is_running=bool(row.is_running),
        hands=row.hands or 0,
        has_started=row.has_started is not False,
        began_at=row.began_at,
        last_hands=row.last_hands,
        stops_after_break=bool(row.stops_after_break),
    )
