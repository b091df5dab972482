"""The five-minute call before the planned start. The screens make it; here it is logged.

It is logged with the instant it was due. If it was missed, the director can order it: the start is
planned again, and the screens call and count down.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from clock.domain import instant_ms
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Topic
from tournaments.event.selectors.clock import (
    CALL_BEFORE,
    START_ANNOUNCED,
    START_CALLED,
    events_to_call,
    lacks_call,
)

# Screens make a call at its instant, so it must lie ahead when they receive it.
AHEAD = timedelta(seconds=5)


@service(START_CALLED, Permission.ANNOUNCE)
def start_called(change: Change, *, starts_at: datetime) -> None:
    """Log that play begins in five minutes, unless moved or already logged."""
    due = events_to_call(change.action.recorded_at, but=change.action)
    if not due.filter(pk=change.event.pk, starts_at=starts_at).exists():
        raise Refused(_("Der Aufruf zum Beginn ist nicht fällig."), code="not_due")
    change.record(starts_ms=instant_ms(starts_at))


@service(START_ANNOUNCED, Permission.DRIVE_CLOCK, Topic.SETTINGS, Topic.CLOCK)
def start_announce(change: Change) -> None:
    """Plan the start in five minutes, so that the screens call and count down."""
    event, clock = change.event, change.event.clock
    if event.has_started:
        raise Refused(_("Das Turnier hat schon begonnen."), code="already_started")
    if change.at < event.starts_at and not lacks_call(event, change.at):
        raise Refused(_("Der Beginn ist schon ausgerufen."), code="already_called")
    before, starts_at = event.starts_at, change.at.replace(microsecond=0) + CALL_BEFORE + AHEAD
    if clock.starts_at == before:
        clock.starts_at = starts_at
        clock.save(update_fields=["starts_at"])
    change.set(starts_at=starts_at)
    change.record(settings=["starts_at"], before={"starts_at": before.isoformat()})
    change.tell(starts_at_before=f"{before:%Y-%m-%d %H:%M %z}")
    change.tell(starts_at_after=f"{starts_at:%Y-%m-%d %H:%M %z}")
