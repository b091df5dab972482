"""Fold the actions on a clock into its anchor, without regard to its display."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clock.domain.schedule import ends_at, exists, is_over, left_in, position_of, settled
from clock.domain.values import (
    MOST_EXTRA,
    ZERO,
    ActionKind,
    Anchor,
    ClockAction,
    ClockState,
    Level,
    LevelKind,
)

# --- The state of a clock at an instant. The same function exists in static/clock/clock.js


def state_from(anchor: Anchor, levels: Sequence[Level], now: datetime) -> ClockState:
    """Return the state of the clock at `now`.

    A boundary belongs to the level that begins there. The last level holds at zero. An instant
    before the anchor shows the anchor itself. Levels added after `now` do not exist yet. A clock
    with a planned start runs from that instant, even if the start is not yet logged.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> minutes = lambda n: timedelta(minutes=n)
    >>> levels = [Level(id=1, number=1, duration=minutes(20), big_blind=2),
    ...           Level(id=2, number=2, duration=minutes(20), big_blind=4)]
    >>> running = Anchor(level_id=1, running_since=noon, has_started=True)
    >>> state = state_from(running, levels, noon + minutes(15))
    >>> state.level.big_blind, state.remaining, state.is_last
    (2, datetime.timedelta(seconds=300), False)
    >>> state_from(running, levels, noon + minutes(20)).level.big_blind
    4
    >>> state_from(running, levels, noon + minutes(90)).remaining
    datetime.timedelta(0)

    :raises ValueError: If the schedule does not hold the anchor's level.
    """
    anchor = started_by_itself(anchor, now)
    here, index = settled(anchor, levels, position_of(levels, anchor.level_id), now)
    level = levels[index]
    remaining = left_in(level, here)
    following = levels[index + 1] if exists(levels, index + 1, now) else None
    next_change_at = None
    stops = here.stops_after_break and level.is_break
    if here.running_since is not None and following is not None and not stops:
        next_change_at = ends_at(
            level, here.running_since, here.elapsed, here.hands, is_running=True
        )
    next_break, time_to_break = _break_after(levels, index, remaining, now)
    return ClockState(
        level=level,
        index=index,
        elapsed=here.elapsed,
        remaining=remaining,
        hands=here.hands,
        is_running=here.running_since is not None,
        has_started=here.has_started,
        level_began_at=here.began_at,
        next_level=following,
        next_change_at=next_change_at,
        next_break=next_break,
        time_to_break=time_to_break,
        last_hands=here.last_hands,
        is_waiting=stops
        and here.running_since is None
        and following is not None
        and is_over(level, here.elapsed),
    )


def started_by_itself(anchor: Anchor, now: datetime) -> Anchor:
    """Start the anchor at its planned instant if that has come."""
    starts_at = anchor.starts_at
    if starts_at is None or anchor.has_started or now < starts_at:
        return anchor
    return replace(anchor, running_since=starts_at, has_started=True, began_at=starts_at)


def _break_after(
    levels: Sequence[Level], index: int, remaining: timedelta | None, now: datetime
) -> tuple[Level | None, timedelta | None]:
    """Return the next break and the clock's time until it; None if a level has no duration."""
    time = remaining
    for level in levels[index + 1 :]:
        if level.added_at is not None and level.added_at > now:
            break
        if level.kind is LevelKind.BREAK:
            return level, time
        if time is not None:
            time = None if level.duration is None else time + level.duration
    return None, None


def anchor_of(actions: Iterable[ClockAction], levels: Sequence[Level]) -> Anchor:
    """Fold the actions, in order of sequence, into an anchor.

    Elapsed time is clamped to the level at every action, not only at the end: an hour spent
    standing at the end of the last level does not count. Starting a running clock or pausing a
    standing one changes nothing. An edit of the schedule records the clock's position, so actions
    before the last edit are not folded: they belong to a former schedule.

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
    anchor, index, rest = _beginning(actions, levels)
    for action in rest:
        anchor, index = settled(anchor, levels, index, _until(action))
        anchor, index = _after(anchor, levels, index, action)
    return anchor


def levels_begun(
    actions: Iterable[ClockAction], levels: Sequence[Level], now: datetime
) -> frozenset[int]:
    """Return the levels begun since the start under the present schedule.

    A skipped level has not begun.

    >>> from datetime import UTC, timedelta
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> levels = [Level(id=number, duration=timedelta(minutes=20)) for number in (1, 2, 3)]
    >>> actions = [ClockAction(kind=ActionKind.STARTED, at=noon),
    ...            ClockAction(kind=ActionKind.JUMPED, at=noon, level_id=3)]
    >>> sorted(levels_begun(actions, levels, noon))
    [1, 3]

    :raises ValueError: As `anchor_of`.
    """
    begun: set[int] = set()
    anchor, index, rest = _beginning(actions, levels)
    for action in [*rest, None]:
        before = index
        anchor, index = settled(anchor, levels, index, _until(action) if action else now)
        if anchor.has_started:
            begun.update(level.id for level in levels[before : index + 1])
        if action:
            anchor, index = _after(anchor, levels, index, action)
    return frozenset(begun)


def _beginning(
    actions: Iterable[ClockAction], levels: Sequence[Level]
) -> tuple[Anchor, int, Sequence[ClockAction]]:
    """Return the start of the fold and the actions after it."""
    rest = list(actions)
    for number in range(len(rest) - 1, -1, -1):
        edit = rest[number]
        if edit.kind is ActionKind.EDITED:
            return *_stated(edit, levels), rest[number + 1 :]
    return Anchor(level_id=levels[0].id), 0, rest


def _until(action: ClockAction) -> datetime:
    """Return the end of time before an action: a step of the server's clock takes no time."""
    return action.at - action.shift if action.kind is ActionKind.CORRECTED else action.at


def _stated(action: ClockAction, levels: Sequence[Level]) -> tuple[Anchor, int]:
    """Return the anchor set by an edit, and the index of its level."""
    if action.level_id is None:
        raise ValueError("The action names no level.")
    index = position_of(levels, action.level_id)
    return Anchor(
        level_id=action.level_id,
        elapsed=_held(action.elapsed, levels[index]),
        running_since=action.at if action.is_running else None,
        hands=action.hands,
        has_started=action.has_started,
        began_at=action.began_at,
        last_hands=action.last_hands,
        stops_after_break=action.stops_after_break,
    ), index


def anchor_without(
    actions: Sequence[ClockAction],
    levels: Sequence[Level],
    indexes: int | Collection[int],
    now: datetime,
) -> Anchor:
    """Return the anchor at `now` without these actions (by index).

    Used by undo: without a wrong pause of two minutes the clock is two minutes further, as if it
    had run on. It must be started to go on.

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
    return anchor_settled(anchor_of(kept, levels), levels, now)


def restoring(anchor: Anchor, at: datetime) -> ClockAction:
    """Return the action that sets the clock to the anchor at `at`.

    A new fact: earlier instants stay as shown. The anchor must be settled to `at`, as
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
        began_at=anchor.began_at,
        last_hands=anchor.last_hands,
        stops_after_break=anchor.stops_after_break,
    )


def edited(anchor: Anchor, at: datetime, level_id: int) -> ClockAction:
    """Return the action that continues from this anchor with another schedule at `at`.

    `level_id` is the id of the anchor's level there. The anchor must be settled to `at`.
    """
    return replace(restoring(anchor, at), kind=ActionKind.EDITED, level_id=level_id)


def anchor_settled(anchor: Anchor, levels: Sequence[Level], at: datetime) -> Anchor:
    """Return the anchor settled to `at`.

    :raises ValueError: If the schedule does not hold the anchor's level.
    """
    return settled(anchor, levels, position_of(levels, anchor.level_id), at)[0]


def _after(
    anchor: Anchor, levels: Sequence[Level], index: int, action: ClockAction
) -> tuple[Anchor, int]:
    """Apply an action to an anchor settled to its instant. Return the anchor and its index."""
    match action.kind:
        case ActionKind.STARTED:
            return _started(anchor, levels, index, action.at)
        case ActionKind.JUMPED:
            return _moved(anchor, levels, action, is_running=anchor.running_since is not None)
        case ActionKind.RESTORED:
            moved, index = _moved(anchor, levels, action, is_running=action.is_running)
            return replace(
                moved,
                has_started=action.has_started,
                hands=action.hands,
                last_hands=action.last_hands,
                stops_after_break=action.stops_after_break,
            ), index
        case ActionKind.HAND_COUNTED:
            return _hand_counted(anchor, levels[index]), index
    return _in_level(anchor, levels[index], action), index


def _in_level(anchor: Anchor, level: Level, action: ClockAction) -> Anchor:
    """Apply an action that keeps the clock in its level, if it has any effect now."""
    match action.kind:
        case ActionKind.PAUSED:
            return replace(anchor, running_since=None)
        case ActionKind.ADJUSTED if level.duration is not None:
            # Past its end a level ends now; a level of hands has none.
            return replace(anchor, elapsed=_held(anchor.elapsed + action.shift, level))
        case ActionKind.LAST_HANDS_SET if anchor.has_started:
            return replace(anchor, running_since=None, last_hands=action.last_hands)
        case ActionKind.CORRECTED if anchor.running_since is not None:
            # The server's time stepped: a standing clock needs no shift.
            since = anchor.running_since + action.shift
            began_at = None if anchor.began_at is None else anchor.began_at + action.shift
            return replace(anchor, running_since=since, began_at=began_at)
        case ActionKind.BREAK_STOP_SET:
            return replace(anchor, stops_after_break=action.stops_after_break)
    return anchor


def _started(
    anchor: Anchor, levels: Sequence[Level], index: int, at: datetime
) -> tuple[Anchor, int]:
    """Start the clock. This ends last hands, and a finished break."""
    if anchor.running_since is not None:
        return anchor, index
    stops = anchor.stops_after_break and is_over(levels[index], anchor.elapsed)
    if stops and exists(levels, index + 1, at):
        index += 1
        anchor = replace(anchor, level_id=levels[index].id, elapsed=ZERO, hands=0, began_at=None)
    began_at = anchor.began_at or at
    started = replace(
        anchor, running_since=at, has_started=True, began_at=began_at, last_hands=None
    )
    return started, index


def _hand_counted(anchor: Anchor, level: Level) -> Anchor:
    """Count one hand of a level of hands, running or not, but not before the start.

    One of the last hands counts as such only: the level's own hands stay.
    """
    if anchor.last_hands is not None:
        return replace(anchor, last_hands=max(anchor.last_hands - 1, 0))
    if level.duration is not None or level.hands is None or not anchor.has_started:
        return anchor
    return replace(anchor, hands=min(anchor.hands + 1, level.hands))


def _moved(
    anchor: Anchor, levels: Sequence[Level], action: ClockAction, *, is_running: bool
) -> tuple[Anchor, int]:
    """Move the clock to a level, which restarts only if it is another one."""
    if action.level_id is None:
        raise ValueError("The action names no level.")
    index = position_of(levels, action.level_id)
    running_since = max(action.at, anchor.running_since or action.at) if is_running else None
    began_at = anchor.began_at if anchor.level_id == action.level_id else None
    return replace(
        anchor,
        level_id=action.level_id,
        elapsed=_held(action.elapsed, levels[index]),
        running_since=running_since,
        hands=0,
        began_at=began_at or running_since,
    ), index


def _held(elapsed: timedelta, level: Level) -> timedelta:
    """Clamp the elapsed time to the level's bounds."""
    elapsed = max(elapsed, -MOST_EXTRA)
    return elapsed if level.duration is None else min(elapsed, level.duration)
