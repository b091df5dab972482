"""Work that is due at an instant: woken by the schedule, stamped with the instant it was due."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from tournaments.access import SYSTEM
from tournaments.domain.errors import Refused
from tournaments.selectors.clockwork import events_to_start
from tournaments.services.clock import clock_start

logger = logging.getLogger(__name__)


@shared_task
def clocks_start() -> None:
    """Start the clocks that were to start by themselves: at the instant planned, however late.

    The screens have started by then. A second run finds nothing to do.
    """
    now = timezone.now()
    for event in events_to_start(now):
        try:
            clock_start(event=event, by=SYSTEM, at=event.starts_at, recorded_at=now)
        except Refused as refusal:
            logger.info("Die Uhr von %s startet nicht von selbst: %s", event.slug, refusal)
