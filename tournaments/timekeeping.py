"""What becomes of a step of the computer's clock: decided once, for all processes of a computer.

Where the server's time follows the step, the clocks that run are corrected in the same transaction,
so that the time left in the hall stays what it is. A computer that slept is no step: its boot clock
went on as well, and so did the evening.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from clock.domain import TOLERANCE, time_step
from clock.models import TimeBase
from clock.realtime import hub
from clock.servertime import ServerTime, boot_id, server_time
from krru.observing.alive import ALIVE_FILE, presence
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.clock import clock_correct
from tournaments.models import Event

logger = logging.getLogger(__name__)

# An evening on which nothing was written down for so long holds back nobody's time.
LONGEST_SILENCE = timedelta(hours=12)


def time_watch() -> None:
    """Follow the computer's clock, and note that the server runs: every second, by one thread."""
    time_follow()
    presence.file = settings.KRRU_DATA / ALIVE_FILE
    presence.note(server_time.now())


def time_follow(time: ServerTime = server_time, boot: str | None = None) -> None:
    """Decide about a step of the computer's clock, if there is one. Cheap when there is none.

    The first of several processes writes it down; the others find that done.
    """
    if not time.is_unsettled():
        _note_drift(time, boot or boot_id())
        return
    with transaction.atomic():
        row = _row(time, boot or boot_id())
        own, wall = row.zero_at + time.boot(), time.wall()
        step = time_step(own, wall, _written_at(own, started=True))
        # Before the clocks that are corrected: screens get the new time first.
        transaction.on_commit(lambda: _take(time, row))
        if step:
            logger.warning("Die Uhr des Rechners wurde gestellt: %+.1f s.", step.total_seconds())
            _step(row, own, step)


def _note_drift(time: ServerTime, boot: str) -> None:
    """Write down what the two clocks have drifted apart, lest a restart takes it for a step."""
    zero_at = time.drifted()
    if zero_at is None:
        return
    near = {"zero_at__gt": zero_at - TOLERANCE, "zero_at__lt": zero_at + TOLERANCE}
    TimeBase.objects.filter(boot_id=boot, **near).update(zero_at=zero_at)
    row = TimeBase.objects.filter(boot_id=boot).first()
    if row is not None:
        time.take(row.zero_at, row.highest_at)


def present_of_server() -> datetime:
    """Return the present time as a server of this computer has it: for commands that ask once."""
    time = ServerTime()
    time_follow(time)
    return time.now()


def _row(time: ServerTime, boot: str) -> TimeBase:
    """Return what the time rests on, locked; after the computer's start it is the wall clock."""
    row = TimeBase.objects.select_for_update().filter(boot_id=boot).first()
    if row is not None:
        return row
    wall = time.wall()
    begun, latest = _written_at(wall, started=True), _written_at(wall, started=False)
    now = max(wall, begun or wall)
    highest_at = latest if latest is not None and latest > now else None
    made, _ = TimeBase.objects.get_or_create(
        boot_id=boot, defaults={"zero_at": now - time.boot(), "highest_at": highest_at}
    )
    return made


def _written_at(own: datetime, *, started: bool) -> datetime | None:
    """Return when the last thing was written down, of all evenings that go on around `own`."""
    events = Event.objects.filter(
        ended_by=None,
        cancelled_by=None,
        log_recorded_at__gt=own - LONGEST_SILENCE,
        log_recorded_at__lte=own + LONGEST_SILENCE,
    )
    if started:
        events = events.filter(started_by__isnull=False)
    latest: datetime | None = events.aggregate(latest=Max("log_recorded_at"))["latest"]
    return latest


def _step(row: TimeBase, own: datetime, step: timedelta) -> None:
    """Go on from `own + step`, and correct every clock that runs; others have nothing to lose."""
    row.zero_at += step
    if step < timedelta():
        row.highest_at = max(own, row.highest_at or own)
    row.save(update_fields=["zero_at", "highest_at"])
    for event in Event.objects.filter(
        started_by__isnull=False, ended_by=None, cancelled_by=None
    ).order_by("pk"):
        try:
            clock_correct(Command(event=event, by=SYSTEM, at=own + step), step=step)
        except Refused as refusal:
            logger.info("%s: %s", event.slug, refusal)


def _take(time: ServerTime, row: TimeBase) -> None:
    if time.take(row.zero_at, row.highest_at):
        hub.tell_time()
