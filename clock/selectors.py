"""Loads a clock's rows and returns domain values. Reads only, and never the present time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from clock import domain
from clock.domain import Anchor, ClockState
from clock.models import Clock, ClockAction, Level


def clock_levels(clock: Clock) -> tuple[domain.Level, ...]:
    """Return the clock's schedule in its order."""
    return levels_from_rows(Level.objects.filter(clock=clock).order_by("position"))


def clock_actions(clock: Clock) -> tuple[domain.ClockAction, ...]:
    """Return everything done to the clock, in its order."""
    return tuple(action_from_row(row) for row in action_rows(clock))


def clock_anchor(clock: Clock) -> Anchor:
    """Return what the actions come to: two queries, however long the evening."""
    return domain.anchor_of(clock_actions(clock), clock_levels(clock))


def clock_state(clock: Clock, now: datetime) -> ClockState:
    """Return what the clock shows at `now`, which may be past: later actions are left out."""
    levels = clock_levels(clock)
    return domain.state_from(domain.anchor_at(clock_actions(clock), levels, now), levels, now)


def clock_payload(clock: Clock, now: datetime) -> dict[str, Any]:
    """Return all a screen needs to run by itself: schedule, anchor, and the server's time."""
    levels = clock_levels(clock)
    anchor = domain.anchor_of(clock_actions(clock), levels)
    return {
        "now": domain.instant_ms(now),
        "anchor": domain.anchor_as_json(anchor),
        "levels": [domain.level_as_json(level) for level in levels],
    }


def anchor_payload(clock: Clock) -> dict[str, Any]:
    """Return the anchor as a push carries it."""
    return domain.anchor_as_json(clock_anchor(clock))


def action_rows(clock: Clock) -> list[ClockAction]:
    return list(ClockAction.objects.filter(clock=clock).order_by("sequence"))


def rows_left_out(rows: Collection[ClockAction]) -> set[int]:
    """Return the positions of the rows that an undo must not play again.

    Those are the compensations themselves, and what is undone by one that is in force. (The undo
    of an undo puts the action back.)
    """
    undoing = {row.undoes_id: row for row in rows if row.undoes_id is not None}

    def is_in_force(row: ClockAction) -> bool:
        by = undoing.get(row.pk)
        return by is None or not is_in_force(by)

    return {
        index for index, row in enumerate(rows) if row.undoes_id is not None or not is_in_force(row)
    }


def levels_from_rows(rows: Iterable[Level]) -> tuple[domain.Level, ...]:
    return tuple(domain.numbered([_level_from_row(row) for row in rows]))


def _level_from_row(row: Level) -> domain.Level:
    return domain.Level(
        id=row.pk,
        kind=domain.LevelKind(row.kind),
        duration=None if row.duration_ms is None else timedelta(milliseconds=row.duration_ms),
        hands=row.hands,
        small_blind=row.small_blind,
        big_blind=row.big_blind,
        big_bet=row.big_bet,
        ante=row.ante,
        bring_in=row.bring_in,
        game=row.game,
        added_at=row.added_at,
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
    )
