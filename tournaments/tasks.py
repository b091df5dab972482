"""Work that is due at an instant: woken by the schedule, stamped with the instant it was due."""

from __future__ import annotations

import logging

from celery import shared_task

from clock.servertime import server_time
from tournaments.access import SYSTEM
from tournaments.domain.errors import Refused
from tournaments.selectors.clockwork import (
    CALL_BEFORE,
    events_to_call,
    events_to_start,
    was_planned,
)
from tournaments.services.clock import clock_start
from tournaments.services.start_call import start_called

logger = logging.getLogger(__name__)


@shared_task
def clocks_start() -> None:
    """Start the clocks that were to start by themselves: at the instant planned, however late.

    The screens have started by then. A second run finds nothing to do.
    """
    now = server_time.now()
    for event in events_to_start(now):
        try:
            clock_start(event=event, by=SYSTEM, at=event.starts_at, recorded_at=now)
        except Refused as refusal:
            logger.info("Die Uhr von %s startet nicht von selbst: %s", event.slug, refusal)


@shared_task
def starts_call() -> None:
    """Write down the five-minute calls that are due: the screens have made them by themselves."""
    now = server_time.now()
    for event in events_to_call(now):
        due_at = event.starts_at - CALL_BEFORE
        if not was_planned(event, due_at):
            continue
        made = {"by": SYSTEM, "at": due_at, "recorded_at": now}
        try:
            start_called(event=event, **made, starts_at=event.starts_at)
        except Refused as refusal:
            logger.info("%s: %s", event.slug, refusal)
