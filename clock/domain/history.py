"""Past displays of a clock, through all edits of its schedule."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from clock.domain.anchor import anchor_of, levels_begun, state_from
from clock.domain.schedule import numbered
from clock.domain.values import STATED, ZERO, ActionKind, Anchor, ClockAction, ClockState, Level


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
        return next(self.states([at]))

    def states(self, instants: Iterable[datetime]) -> Iterator[ClockState]:
        """Yield the states at these instants, in order of time.

        :raises ValueError: As `anchor_of`.
        """
        known = -1
        for at in instants:
            done = self._done(at)
            if len(done) != known:
                known, levels = len(done), self.levels(at)
                anchor = anchor_of(done, levels)
            yield state_from(anchor, levels, at)

    def anchor(self, at: datetime) -> Anchor:
        """Return the anchor at `at`.

        :raises ValueError: As `anchor_of`.
        """
        return anchor_of(self._done(at), self.levels(at))

    def played(
        self,
        since: datetime,
        until: datetime,
        counts: Callable[[Level], bool] = lambda level: not level.is_break,
    ) -> timedelta:
        """Return how long the clock ran in levels of play between two instants.

        :param counts: Which levels count, in place of all but breaks.

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
            if state.is_running and counts(state.level):
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


# --- Edit a schedule: keep begun levels, and list the changes


OWN = ("id", "number", "added_at")
CONTENT = tuple(field.name for field in fields(Level) if field.name not in OWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleChange:
    """One change of a row: `what` is added, removed, changed or moved.

    `index` is the row in the new schedule, for a removed one in the old; `names` are the changed
    values.
    """

    what: str
    level: Level
    index: int
    names: tuple[str, ...] = ()


def keeps_begun(
    before: Sequence[Level], after: Sequence[Level], *, begun: Collection[int], index: int | None
) -> bool:
    """Tell whether an edit keeps all begun levels.

    All rows up to the clock's level (at `index`, None before the start) stay the same. A begun
    level further on keeps its content and its order.

    >>> levels = [Level(id=1, big_blind=2), Level(id=2, big_blind=4), Level(id=3, big_blind=8)]
    >>> keeps_begun(levels, [levels[0], levels[2]], begun={1}, index=0)
    True
    >>> keeps_begun(levels, [levels[1], levels[0], levels[2]], begun={1}, index=0)
    False
    """
    fixed = 0 if index is None else index + 1
    if [_plain(level) for level in after[:fixed]] != [_plain(level) for level in before[:fixed]]:
        return False
    one, other = (
        [_plain(level) for level in levels if level.id in begun] for levels in (before, after)
    )
    return one == other


def schedule_changes(before: Sequence[Level], after: Sequence[Level]) -> list[ScheduleChange]:
    """Return the changes from `before` to `after`: the same id means the same row.

    Of two swapped rows, the one that moved against the order counts as moved.

    >>> levels = [Level(id=1), Level(id=2), Level(id=3)]
    >>> [(change.what, change.index) for change in schedule_changes(levels, levels[::2])]
    [('removed', 1)]
    >>> [(change.what, change.index) for change in schedule_changes(levels, levels[::-1])]
    [('moved', 1), ('moved', 2)]
    """
    old, new = numbered(before), numbered(after)
    positions = {level.id: index for index, level in enumerate(old)}
    kept = {level.id for level in new}
    changes = [
        ScheduleChange(what="removed", level=level, index=index)
        for index, level in enumerate(old)
        if level.id not in kept
    ]
    furthest = -1
    for index, level in enumerate(new):
        position = positions.get(level.id)
        if position is None:
            changes.append(ScheduleChange(what="added", level=level, index=index))
            continue
        names = tuple(
            name for name in CONTENT if getattr(level, name) != getattr(old[position], name)
        )
        if names:
            changes.append(ScheduleChange(what="changed", level=level, index=index, names=names))
        if position < furthest:
            changes.append(ScheduleChange(what="moved", level=level, index=index))
        furthest = max(furthest, position)
    return changes


def same_content(one: Level, other: Level) -> bool:
    """Tell whether two rows are equal apart from their ids."""
    return all(getattr(one, name) == getattr(other, name) for name in CONTENT)


def _plain(level: Level) -> Level:
    return replace(level, number=None, added_at=None)


# --- Anchor and levels as numbers for the browser: milliseconds, and instants since 1970


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def span_ms(span: timedelta) -> int:
    """Return a duration in whole milliseconds, rounded down.

    >>> span_ms(timedelta(minutes=20))
    1200000
    """
    return span // MILLISECOND


def instant_ms(at: datetime) -> int:
    """Return an instant in whole milliseconds since 1970, rounded down.

    >>> instant_ms(datetime(2026, 1, 1, tzinfo=UTC))
    1767225600000
    """
    return span_ms(at - EPOCH)


def instant_of(ms: int) -> datetime:
    """Return the instant of a number from `instant_ms`.

    >>> instant_of(1767225600000).isoformat()
    '2026-01-01T00:00:00+00:00'
    """
    return EPOCH + ms * MILLISECOND


def anchor_as_json(anchor: Anchor) -> dict[str, Any]:
    """Return the anchor as JSON for clock.js.

    >>> anchor_as_json(Anchor(level_id=3))["since"] is None
    True
    """
    return {
        "level": anchor.level_id,
        "elapsed": span_ms(anchor.elapsed),
        "since": _ms_or_none(anchor.running_since),
        "hands": anchor.hands,
        "started": anchor.has_started,
        "began": _ms_or_none(anchor.began_at),
        "last_hands": anchor.last_hands,
        "stops": anchor.stops_after_break,
        "starts": _ms_or_none(anchor.starts_at),
    }


def level_as_json(level: Level) -> dict[str, Any]:
    """Return a level as JSON for clock.js.

    >>> level_as_json(Level(id=3, duration=timedelta(minutes=1)))["duration"]
    60000
    """
    return {
        "id": level.id,
        "kind": level.kind.value,
        "duration": None if level.duration is None else span_ms(level.duration),
        "hands": level.hands,
        "number": level.number,
        **{name: getattr(level, name) for name in STATED},
        "colour_up": list(level.colour_up),
        "added": _ms_or_none(level.added_at),
    }


def _ms_or_none(at: datetime | None) -> int | None:
    return None if at is None else instant_ms(at)
