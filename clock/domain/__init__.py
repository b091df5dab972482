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
    state_from,
)
from clock.domain.history import (
    Past,
    ScheduleChange,
    anchor_as_json,
    instant_ms,
    instant_of,
    keeps_begun,
    level_as_json,
    same_content,
    schedule_changes,
    span_ms,
)
from clock.domain.schedule import (
    LevelProblem,
    as_planned,
    breaks_every,
    cut_by,
    numbered,
    smallest_chips,
    spelled_out,
    validate_levels,
    with_breaks,
)
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
    "MOST_EXTRA", "ActionKind", "Anchor", "AnteKind", "ClockAction", "ClockState", "Level",
    "LevelKind", "LevelProblem", "LimitKind", "Past", "ScheduleChange", "anchor_as_json",
    "anchor_of", "anchor_settled", "anchor_without", "as_planned", "breaks_every", "cut_by",
    "edited", "instant_ms", "instant_of", "keeps_begun", "level_as_json", "levels_begun",
    "numbered", "restoring", "same_content", "schedule_changes", "smallest_chips", "span_ms",
    "spelled_out", "state_from", "validate_levels", "with_breaks",
]  # fmt: skip
