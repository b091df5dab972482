"""Set the clock by hand, or put it back to before an outage of the computer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind, span_ms
from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_state
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.times import time_in_words
from tournaments.event.services.clock import clock_append

LONGEST_LEFT, LONGEST_OUTAGE = timedelta(hours=9), timedelta(hours=12)


def _time_words(payload: Mapping[str, Any]) -> dict[str, str]:
    return {"time": time_in_words(timedelta(seconds=payload["seconds"]))}


CLOCK_SET = Kind("clock.set", lazy("Uhr auf %(time)s gestellt"), Group.CLOCK, words=_time_words)


@service(CLOCK_SET, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_set(change: Change, *, seconds: int) -> None:
    """Set the time left in the present level or break."""
    left = timedelta(seconds=seconds)
    if not timedelta() < left <= LONGEST_LEFT:
        raise Refused(_("Möglich sind 1 Sekunde bis 9 Stunden."), code="bad_time")
    state = clock_state(change.event.clock, change.at)
    if state.remaining is None:
        raise Refused(_("Diese Stufe zählt Hände und keine Zeit."), code="not_by_time")
    if left == state.remaining:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    clock_append(change, ActionKind.ADJUSTED, shift=state.remaining - left)
    change.record(seconds=seconds)


CLOCK_PUT_BACK = Kind(
    "clock.put_back", lazy("Uhr zurück auf den Stand vor dem Ausfall"), Group.CLOCK
)


@service(CLOCK_PUT_BACK, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_put_back(change: Change, *, since: datetime) -> None:
    """Put the clock back to its state at an instant, unless operated since."""
    clock = change.event.clock
    if not change.at - LONGEST_OUTAGE <= since <= change.at:
        raise Refused(_("So weit geht die Uhr nicht zurück."), code="bad_time")
    if ClockAction.objects.filter(clock=clock, at__gt=since).exists():
        raise Refused(
            _("Seither wurde die Uhr weiter bedient. Bitte die Uhr selbst richtig stellen."),
            code="not_latest",
        )
    state = clock_state(clock, since)
    if not state.is_running:
        raise Refused(_("Die Uhr stand damals."), code="not_running")
    clock_append(
        change,
        ActionKind.RESTORED,
        level_id=state.level.id,
        elapsed=state.elapsed,
        is_running=True,
        hands=state.hands,
        has_started=True,
        stops_after_break=clock_anchor(clock).stops_after_break,
    )
    change.record(away_ms=span_ms(change.at - since))
