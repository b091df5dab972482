"""Levels, what was done to a clock, and what it shows at an instant.

Pure: nothing here knows Django, the database or the present time. The clock is never ticked: the
actions fold to an anchor (`fold`), and what is shown is a function of the anchor, the levels and
the instant asked about (`state`).
"""

from clock.domain.fold import anchor_at, anchor_of, anchor_without, restoring
from clock.domain.schedule import (
    LevelProblem,
    breaks_every,
    next_level_id,
    numbered,
    previous_level_id,
    validate_levels,
    with_breaks,
)
from clock.domain.state import state_from
from clock.domain.values import (
    MOST_EXTRA,
    ActionKind,
    Anchor,
    ClockAction,
    ClockState,
    Level,
    LevelKind,
)
from clock.domain.wire import anchor_as_json, instant_ms, level_as_json, span_ms

__all__ = [
    "MOST_EXTRA",
    "ActionKind",
    "Anchor",
    "ClockAction",
    "ClockState",
    "Level",
    "LevelKind",
    "LevelProblem",
    "anchor_as_json",
    "anchor_at",
    "anchor_of",
    "anchor_without",
    "breaks_every",
    "instant_ms",
    "level_as_json",
    "next_level_id",
    "numbered",
    "previous_level_id",
    "restoring",
    "span_ms",
    "state_from",
    "validate_levels",
    "with_breaks",
]
