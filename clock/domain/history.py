"""Past displays of a clock, through all edits of its schedule."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from clock.domain.anchor import anchor_of, levels_begun
from clock.domain.state import state_from
from clock.domain.values import ZERO, ActionKind, ClockAction, ClockState, Level


@dataclass(frozen=True, slots=True)
class Past:
    """All actions on a clock, and its schedules: the first and one after each edit.

    A past instant shows what the screens showed then: without later actions, and with actions
    undone later.
    """

    actions: tuple[ClockAction, ...]
    schedules: tuple[tuple[Level, ...], ...]

    def levels(self, at: datetime) -> tuple[Level, ...]:
        """Return the schedule at `at`."""
        return self.schedules[sum(_is_edit(action) for action in self._done(at))]

    def state(self, at: datetime) -> ClockState:
        """Return the state of the clock at `at`.

        >>> from datetime import UTC, timedelta
        >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        >>> short, long = timedelta(minutes=10), timedelta(minutes=20)
        >>> before = (Level(id=1, duration=long), Level(id=2, duration=long))
        >>> after = (Level(id=1, duration=long), Level(id=3, duration=short))
        >>> started = ClockAction(kind=ActionKind.STARTED, at=noon)
        >>> edit = ClockAction(kind=ActionKind.EDITED, at=noon + short, level_id=1,
        ...                    elapsed=short, is_running=True, began_at=noon)
        >>> past = Past((started, edit), (before, after))
        >>> [past.state(noon + wait).next_level.id for wait in (short / 2, short)]
        [2, 3]

        :raises ValueError: As `anchor_of`.
        """
        levels = self.levels(at)
        return state_from(anchor_of(self._done(at), levels), levels, at)

    def played(self, since: datetime, until: datetime) -> timedelta:
        """Return how long the clock ran in levels of play between two instants.

        >>> from datetime import UTC
        >>> from clock.domain.values import LevelKind
        >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        >>> minutes = lambda n: timedelta(minutes=n)
        >>> levels = (Level(id=1, duration=minutes(20)),
        ...           Level(id=2, kind=LevelKind.BREAK, duration=minutes(15)),
        ...           Level(id=3, duration=minutes(20)))
        >>> past = Past((ClockAction(kind=ActionKind.STARTED, at=noon),), (levels,))
        >>> past.played(noon + minutes(18), noon + minutes(38))
        datetime.timedelta(seconds=300)

        :raises ValueError: As `anchor_of`.
        """
        total, at = ZERO, since
        while at < until:
            state = self.state(at)
            changes = [action.at for action in self.actions if action.at > at]
            if state.next_change_at is not None and state.next_change_at > at:
                changes.append(state.next_change_at)
            following = min([until, *changes])
            if state.is_running and not state.level.is_break:
                total += following - at
            at = following
        return total

    def begun(self, now: datetime, left_out: Collection[int] = ()) -> frozenset[int]:
        """Return the levels begun under any schedule.

        `left_out` are the indexes of undone actions: they were shown, but not played.
        """
        edits = [number for number, action in enumerate(self.actions) if _is_edit(action)]
        ends = [*edits, len(self.actions)]
        begun: set[int] = set()
        for levels, first, end in zip(self.schedules, [0, *edits], ends, strict=True):
            done = [self.actions[n] for n in range(first, end) if n not in left_out]
            until = self.actions[end].at if end < len(self.actions) else now
            begun |= levels_begun(done, levels, until)
        return frozenset(begun)

    def _done(self, at: datetime) -> list[ClockAction]:
        return [action for action in self.actions if action.at <= at]


def _is_edit(action: ClockAction) -> bool:
    return action.kind is ActionKind.EDITED
