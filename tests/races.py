"""Evenings on which chips leave play."""

from dataclasses import replace
from datetime import timedelta

from clock.domain import Level, LevelKind
from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.event.services.clock import clock_next_level, clock_pause
from tournaments.event.services.schedule.edit import schedule_edit

MINUTE = timedelta(minutes=1)


def with_race(event, *values, at=1):
    """Let these chips leave in a break of ten minutes after the first level of twenty."""
    levels = clock_levels(event.clock)
    pause = Level(id=-1, kind=LevelKind.BREAK, duration=10 * MINUTE, colour_up=values)
    rest = [replace(row, small_blind=25, big_blind=50, big_bet=100) for row in levels[1:]]
    call_service(
        schedule_edit,
        event=f.fresh(event),
        by=SYSTEM,
        at=f.after(at),
        levels=[levels[0], pause, *rest],
        based_on=[row.id for row in levels],
    )
    return f.fresh(event)


def in_race(event, *values):
    """Stand in the break in which these chips leave, whatever time it is."""
    event = with_race(event, *values)
    for minute, service in ((2, clock_pause), (3, clock_next_level)):
        call_service(service, event=event, by=SYSTEM, at=f.after(minute))
    return f.fresh(event)
