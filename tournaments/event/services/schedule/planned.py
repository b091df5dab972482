"""Give a tournament the schedule planned from a wish."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import Level
from clock.services import clock_from_levels
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.services.lifecycle import refuse_other_schedule, schedule_give
from tournaments.event.services.names import LONGEST_NAME
from tournaments.event.services.schedule.edit import refuse_if_wrong

SCHEDULE_PLANNED = Kind(
    "event.schedule_planned",
    lazy("Blindplan geplant: %(schedule)s"),
    Group.EVENT,
    sets_schedule=True,
)


@service(SCHEDULE_PLANNED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK)
def event_schedule_plan(
    change: Change, *, levels: Sequence[Level], name: str, starting_stack: int
) -> None:
    """Use these levels for the tournament, only before its start; the old clock is kept."""
    refuse_other_schedule(change.event, starting_stack)
    refuse_if_wrong(levels)
    if not 1 <= starting_stack <= MOST_CHIPS:
        raise Refused(_("Ein Startstapel hat mindestens einen Chip."), code="bad_stack")
    clock = clock_from_levels(schedule_name=name[:LONGEST_NAME], levels=levels)
    schedule_give(change, clock, name=clock.schedule_name, starting_stack=starting_stack)
