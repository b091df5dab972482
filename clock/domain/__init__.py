"""Levels, actions on a clock, and its state at an instant.

Pure: no Django, no database, no present time. The clock never ticks: the actions fold to an anchor
(`fold`), and `state` computes the display from the anchor, the levels and an instant.
"""

from clock.domain.anchor import (
    anchor_of,
    anchor_settled,
    anchor_without,
    edited,
    levels_begun,
    restoring,
)
from clock.domain.editing import ScheduleChange, keeps_begun, same_content, schedule_changes
from clock.domain.history import Past
from clock.domain.payload import anchor_as_json, instant_ms, instant_of, level_as_json, span_ms
from clock.domain.schedule import (
    LevelProblem,
    as_planned,
    breaks_every,
    cut_by,
    next_level_id,
    numbered,
    previous_level_id,
    smallest_chips,
    spelled_out,
    validate_levels,
    with_breaks,
)
from clock.domain.state import state_from
from clock.domain.values import (
    MOST_EXTRA,
    ActionKind,
    Anchor,
    AnteKind,
    ClockAction,
    ClockState,
    Level,
    LevelKind,
    LimitKind,
)

__all__ = [
    "MOST_EXTRA",
    "ActionKind",
    "Anchor",
    "AnteKind",
    "ClockAction",
    "ClockState",
    "Level",
    "LevelKind",
    "LevelProblem",
    "LimitKind",
    "Past",
    "ScheduleChange",
    "anchor_as_json",
    "anchor_of",
    "anchor_settled",
    "anchor_without",
    "as_planned",
    "breaks_every",
    "cut_by",
    "edited",
    "instant_ms",
    "instant_of",
    "keeps_begun",
    "level_as_json",
    "levels_begun",
    "next_level_id",
    "numbered",
    "previous_level_id",
    "restoring",
    "same_content",
    "schedule_changes",
    "smallest_chips",
    "span_ms",
    "spelled_out",
    "state_from",
    "validate_levels",
    "with_breaks",
]
