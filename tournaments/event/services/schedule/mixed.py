"""Turn a blind schedule into mixed games; saving it is an edit of the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from clock.domain import Level
from clock.selectors import clock_levels
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.games import Mix
from tournaments.event.domain.rotation import mixed_schedule
from tournaments.event.selectors.clock import rows_begun
from tournaments.event.selectors.schedule_problems import chip_values, obstacle_to_stud
from tournaments.models import Event


def schedule_mixed(event: Event, mix: Mix, hands: int | None, now: datetime) -> Sequence[Level]:
    """Return the event's schedule with a mix in the rows not yet begun.

    :raises Refused: When stud is among them and the tables are too large for it.
    """
    levels = clock_levels(event.clock)
    index, begun = rows_begun(event, now)
    fixed = 0 if index is None else index + 1
    unit = min(chip_values(event), default=1)
    if begun & {level.id for level in levels[fixed:]}:
        raise Refused(
            _("Eine spätere Stufe hat schon begonnen. Die Spiele bitte einzeln eintragen."),
            code="level_has_begun",
        )
    mixed = [*levels[:fixed], *mixed_schedule(levels[fixed:], mix, hands=hands, unit=unit)]
    if (obstacle := obstacle_to_stud(mixed, event.seats_per_table)) is not None:
        raise obstacle
    return mixed
