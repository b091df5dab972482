"""The five-minute call before the planned start. The screens make it; here it is written down.

It carries the instant at which it was due, however late somebody gets to write it down.
"""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from clock.domain import instant_ms
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.clock import START_CALLED, events_to_call


@service(START_CALLED, Permission.ANNOUNCE)
def start_called(change: Change, *, starts_at: datetime) -> None:
    """Note that play begins in five minutes, unless it was moved, or noted already."""
    due = events_to_call(change.action.recorded_at, but=change.action)
    if not due.filter(pk=change.event.pk, starts_at=starts_at).exists():
        raise Refused(_("Der Aufruf zum Beginn ist nicht fällig."), code="not_due")
    change.record(starts_ms=instant_ms(starts_at))
