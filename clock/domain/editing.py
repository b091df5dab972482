"""Edit a schedule: keep begun levels, and list the changes. Stores nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace

from clock.domain.schedule import numbered
from clock.domain.values import Level

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
    return _begun(before, begun) == _begun(after, begun)


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


def _begun(levels: Sequence[Level], begun: Collection[int]) -> list[Level]:
    return [_plain(level) for level in levels if level.id in begun]


def _plain(level: Level) -> Level:
    return replace(level, number=None, added_at=None)
