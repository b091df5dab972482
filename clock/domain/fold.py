"""From what was done to a clock to its anchor. Nothing here asks what is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clock.domain.values import MOST_EXTRA, ActionKind, Anchor, ClockAction, Level
from clock.domain.walk import position_of, settled


def anchor_of(actions: Iterable[ClockAction], levels: Sequence[Level]) -> Anchor:
    """Return what the actions, in their order of sequence, come to.

    Elapsed time is held within the level's bounds at every action, not only at the end: a clock
    that stood at the end of its last level for an hour owes nobody that hour. Starting a running
    clock and pausing a standing one change nothing.

    >>> from datetime import UTC, timedelta
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> levels = [Level(id=7, duration=timedelta(minutes=20)),
    ...           Level(id=8, duration=timedelta(minutes=20))]
    >>> started = ClockAction(kind=ActionKind.STARTED, at=noon)
    >>> paused = ClockAction(kind=ActionKind.PAUSED, at=noon + timedelta(minutes=25))
    >>> anchor = anchor_of([started, paused], levels)
    >>> anchor.level_id, anchor.elapsed, anchor.running_since
    (8, datetime.timedelta(seconds=300), None)

    :raises ValueError: If there are no levels, or an action names one that is not there.
    """
    if not levels:
        raise ValueError("The schedule has no levels.")
    anchor, index = Anchor(level_id=levels[0].id), 0
    for action in actions:
        anchor, index = settled(anchor, levels, index, action.at)
        anchor, index = _after(anchor, levels, index, action)
    return anchor


def anchor_at(actions: Iterable[ClockAction], levels: Sequence[Level], at: datetime) -> Anchor:
    """Return the anchor that held at a past instant: actions later than it are left out.

    :raises ValueError: As `anchor_of`.
    """
    return anchor_of([action for action in actions if action.at <= at], levels)


def anchor_without(
    actions: Sequence[ClockAction],
    levels: Sequence[Level],
    indexes: int | Collection[int],
    now: datetime,
) -> Anchor:
    """Return where the clock would be at `now`, had these actions (by position) not been.

    What undo restores: after a wrong pause of two minutes the clock is two minutes further, as if
    it had run on; to go on from where it stood, it is started.

    >>> from datetime import UTC, timedelta
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> levels = [Level(id=7, duration=timedelta(minutes=20))]
    >>> started = ClockAction(kind=ActionKind.STARTED, at=noon)
    >>> paused = ClockAction(kind=ActionKind.PAUSED, at=noon + timedelta(minutes=3))
    >>> anchor_without([started, paused], levels, 1, noon + timedelta(minutes=5)).elapsed
    datetime.timedelta(seconds=300)

    :raises ValueError: As `anchor_of`.
    """
    left_out = {indexes} if isinstance(indexes, int) else set(indexes)
    kept = [action for index, action in enumerate(actions) if index not in left_out]
    anchor = anchor_of(kept, levels)
    return settled(anchor, levels, position_of(levels, anchor.level_id), now)[0]


def restoring(anchor: Anchor, at: datetime) -> ClockAction:
    """Return the action that puts the clock where the anchor has it, at `at`.

    A new fact: instants before `at` keep what they showed. The anchor must be settled to `at`, as
    `anchor_without` returns it.
    """
    return ClockAction(
        kind=ActionKind.RESTORED,
        at=at,
        level_id=anchor.level_id,
        elapsed=anchor.elapsed,
        is_running=anchor.running_since is not None,
        hands=anchor.hands,
        has_started=anchor.has_started,
    )


def _after(
    anchor: Anchor, levels: Sequence[Level], index: int, action: ClockAction
) -> tuple[Anchor, int]:
    """Return the anchor, settled to the action's instant, after the action, and its position."""
    match action.kind:
        case ActionKind.STARTED:
            return _started(anchor, action.at), index
        case ActionKind.PAUSED:
            return replace(anchor, running_since=None), index
        case ActionKind.ADJUSTED:
            return _adjusted(anchor, levels[index], action), index
        case ActionKind.HAND_COUNTED:
            return _hand_counted(anchor, levels[index]), index
        case ActionKind.JUMPED:
            return _moved(anchor, levels, action, is_running=anchor.running_since is not None)
    moved, index = _moved(anchor, levels, action, is_running=action.is_running)
    return replace(moved, has_started=action.has_started, hands=action.hands), index


def _started(anchor: Anchor, at: datetime) -> Anchor:
    if anchor.running_since is not None:
        return anchor
    began_at = anchor.began_at or at
    return replace(anchor, running_since=at, has_started=True, began_at=began_at)


def _adjusted(anchor: Anchor, level: Level, action: ClockAction) -> Anchor:
    """Change the elapsed time. Taken beyond its end a level ends now; a level of hands has none."""
    if level.duration is None:
        return anchor
    return replace(anchor, elapsed=_held(anchor.elapsed + action.shift, level))


def _hand_counted(anchor: Anchor, level: Level) -> Anchor:
    """Count one hand of a level of hands, running or not; before the start nobody plays any."""
    if level.duration is not None or level.hands is None or not anchor.has_started:
        return anchor
    return replace(anchor, hands=min(anchor.hands + 1, level.hands))


def _moved(
    anchor: Anchor, levels: Sequence[Level], action: ClockAction, *, is_running: bool
) -> tuple[Anchor, int]:
    """Put the clock into a level. The level begins anew only if it is another one."""
    if action.level_id is None:
        raise ValueError("The action names no level.")
    index = position_of(levels, action.level_id)
    running_since = max(action.at, anchor.running_since or action.at) if is_running else None
    began_at = anchor.began_at if anchor.level_id == action.level_id else None
    return Anchor(
        level_id=action.level_id,
        elapsed=_held(action.elapsed, levels[index]),
        running_since=running_since,
        has_started=anchor.has_started,
        began_at=began_at or running_since,
    ), index


def _held(elapsed: timedelta, level: Level) -> timedelta:
    """Return the elapsed time within the level's bounds."""
    elapsed = max(elapsed, -MOST_EXTRA)
    return elapsed if level.duration is None else min(elapsed, level.duration)
