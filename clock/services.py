"""Write a clock's rows: copied schedules, one appended action at a time. Makes no decisions.

The caller holds the lock of the clock's owner in a transaction: two actions appended at once would
get the same sequence number.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import transaction

from clock import domain
from clock.domain import ActionKind, span_ms
from clock.domain.values import STATED
from clock.models import Clock, ClockAction, Level, ScheduleTemplate, TemplateLevel
from clock.selectors import (
    action_from_row,
    action_rows,
    clock_levels,
    clock_plan,
    rows_left_out,
    template_levels,
)


def clock_create(
    *,
    template: ScheduleTemplate,
    level_minutes: int | None = None,
    breaks: Mapping[int, int] | None = None,
) -> Clock:
    """Create a clock with a copy of a template's levels.

    `breaks` are minutes by the number of the level of play before.
    """
    levels = template_levels(template, level_minutes, breaks)
    return clock_from_levels(schedule_name=template.name, levels=levels)


@transaction.atomic
def clock_from_levels(
    *, schedule_name: str, levels: Iterable[domain.Level], is_edited: bool = False
) -> Clock:
    clock = Clock.objects.create(schedule_name=schedule_name, is_edited=is_edited)
    Level.objects.bulk_create(
        _level_row(clock, position, level) for position, level in enumerate(levels)
    )
    return clock


def _level_row(clock: Clock, position: int, level: domain.Level, **own: Any) -> Level:
    return Level(
        clock=clock,
        position=position,
        kind=level.kind.value,
        duration_ms=None if level.duration is None else span_ms(level.duration),
        hands=level.hands,
        colour_up=list(level.colour_up),
        is_unplanned=level.is_unplanned,
        rest_of_id=level.rest_of,
        **{name: getattr(level, name) for name in STATED},
        **own,
    )


def levels_replace(
    *,
    clock: Clock,
    levels: Sequence[domain.Level],
    at: datetime,
    recorded_at: datetime | None = None,
    is_edited: bool = True,
) -> ClockAction:
    """Replace the clock's schedule from `at` on, keeping equal rows in the same place.

    The new action records the clock's position; earlier actions belong to the earlier rows. The
    level of the clock keeps its place.
    """
    old = clock_levels(clock)
    rows = action_rows(clock)
    held = max(_to_the_millisecond(at), rows[-1].at) if rows else _to_the_millisecond(at)
    anchor = domain.anchor_of([action_from_row(row) for row in rows], old)
    anchor = domain.anchor_settled(anchor, old, held)
    index = min(next(n for n, row in enumerate(old) if row.id == anchor.level_id), len(levels) - 1)
    kept = {
        n for n, (a, b) in enumerate(zip(old, levels, strict=False)) if domain.same_content(a, b)
    }
    action = _append_stated(clock, domain.edited(anchor, held, anchor.level_id), recorded_at or at)
    gone = [row.id for n, row in enumerate(old) if n not in kept]
    Level.objects.filter(pk__in=gone).update(removed_by=action)
    Level.objects.bulk_create(
        _level_row(clock, n, level, added_by=action, added_at=held)
        for n, level in enumerate(levels)
        if n not in kept
    )
    clock.is_edited = is_edited
    clock.save(update_fields=["is_edited"])
    if index not in kept:
        action.level = Level.objects.get(clock=clock, position=index, removed_by__isnull=True)
        action.save(update_fields=["level"])
    return action


def action_append(
    *,
    clock: Clock,
    kind: ActionKind,
    at: datetime,
    shift: timedelta | None = None,
    level_id: int | None = None,
    elapsed: timedelta | None = None,
    recorded_at: datetime | None = None,
    **restored: Any,
) -> ClockAction:
    """Append one action. Its instant is not before the last one's, in whole milliseconds.

    Browsers count in milliseconds, so finer instants would differ from their display. `restored`
    are further columns: those of RESTORED and EDITED, last_hands, stops_after_break, undoes.
    """
    last = ClockAction.objects.filter(clock=clock).order_by("-sequence").first()
    held = _to_the_millisecond(at)
    return ClockAction.objects.create(
        clock=clock,
        sequence=last.sequence + 1 if last else 1,
        kind=kind.value,
        at=max(held, last.at) if last else held,
        recorded_at=recorded_at or at,
        shift_ms=None if shift is None else span_ms(shift),
        level_id=level_id,
        elapsed_ms=None if elapsed is None else span_ms(elapsed),
        **restored,
    )


def action_undo(*, clock: Clock, action: ClockAction, at: datetime) -> ClockAction:
    """Append the action that puts the clock where it would be at `at` without `action`.

    Only the latest can be undone, so that later actions keep their basis. The display at instants
    before `at` stays. The undo of an undo restores its action.

    :raises ValueError: If it is not the clock's latest action.
    """
    rows = action_rows(clock)
    if not rows or rows[-1].pk != action.pk:
        raise ValueError("Only the latest action of a clock can be undone.")
    held = max(_to_the_millisecond(at), action.at)
    undoing = ClockAction(pk=0, undoes_id=action.pk)
    left_out = rows_left_out([*rows, undoing]) - {len(rows)}
    actions = [action_from_row(row) for row in rows]
    anchor = domain.anchor_without(actions, clock_levels(clock), left_out, held)
    return _append_stated(clock, domain.restoring(anchor, held), at, undoes=action)


def _append_stated(
    clock: Clock, action: domain.ClockAction, recorded_at: datetime, **own: Any
) -> ClockAction:
    """Append an action with the clock's full position."""
    own |= {each.name: getattr(action, each.name) for each in fields(action)} | {"shift": None}
    return action_append(clock=clock, recorded_at=recorded_at, **own)


def _to_the_millisecond(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=at.microsecond // 1000 * 1000)


@transaction.atomic
def template_save(
    *,
    name: str,
    starting_stack: int,
    levels: Iterable[Mapping[str, Any]],
    level_minutes: int = 20,
    description: str = "",
    revision: int | None = None,
) -> ScheduleTemplate:
    """Save a template, replacing one of the same name. Clocks keep their copies.

    `revision` is that of the template's file; a club's own has none.
    """
    template, _ = ScheduleTemplate.objects.update_or_create(
        name=name,
        defaults={
            "starting_stack": starting_stack,
            "level_minutes": level_minutes,
            "description": description,
            "revision": revision,
        },
    )
    template.levels.all().delete()
    TemplateLevel.objects.bulk_create(
        TemplateLevel(template=template, position=position, **level)
        for position, level in enumerate(levels)
    )
    return template


def template_from_clock(
    clock: Clock, *, name: str, starting_stack: int, level_minutes: int
) -> ScheduleTemplate:
    """Save a clock's plan as a template of the club's own.

    Levels of play of `level_minutes` take the length chosen with the template.
    """

    def row(level: domain.Level) -> dict[str, Any]:
        minutes = None
        if level.duration is not None:
            minutes = max(round(level.duration / timedelta(minutes=1)), 1)
        is_usual = minutes == level_minutes and not level.is_break
        return {
            "kind": level.kind.value,
            "minutes": None if is_usual else minutes,
            "hands": level.hands,
            "colour_up": list(level.colour_up),
            **{stated: getattr(level, stated) for stated in STATED},
        }

    return template_save(
        name=name,
        starting_stack=starting_stack,
        level_minutes=level_minutes,
        levels=[row(level) for level in clock_plan(clock)],
    )


def schedules_load(file: Path) -> list[ScheduleTemplate]:
    """Save the new templates of a file like fixtures/schedules.json.

    New means an unused name, or a later revision from such a file. A club's own template, or one
    changed by hand, stays.
    """
    data = json.loads(file.read_text(encoding="utf-8"))
    revision = data["revision"]
    known = dict(ScheduleTemplate.objects.values_list("name", "revision"))
    return [
        template_save(**schedule, revision=revision)
        for schedule in data["schedules"]
        if is_due(revision, known, schedule["name"])
    ]


def is_due(revision: int, known: Mapping[str, int | None], name: str) -> bool:
    """Tell whether a shipped template is new under its name; a club's own has no revision."""
    if name not in known:
        return True
    stored = known[name]
    return stored is not None and stored < revision
