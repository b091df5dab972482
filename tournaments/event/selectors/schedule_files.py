"""A club's blind schedule as a file. Reads only."""

from __future__ import annotations

from clock.models import STATED, ScheduleTemplate
from tournaments.event.domain.schedule_files import ScheduleFile


def schedule_as_file(row: ScheduleTemplate) -> ScheduleFile:
    """Return a schedule as file content."""
    return ScheduleFile(
        name=row.name,
        starting_stack=row.starting_stack,
        level_minutes=row.level_minutes,
        levels=[
            {
                "kind": level.kind,
                "minutes": level.minutes,
                "hands": level.hands,
                "colour_up": level.colour_up,
                **{name: getattr(level, name) for name in STATED},
            }
            for level in row.levels.order_by("position")
        ],
    )
