"""The clock as part of an event: each service appends one action and logs it.

Undo of a clock action is a compensating one (`services.undo`), so that past instants keep what
the hall was shown.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from clock.domain import ActionKind, next_level_id, previous_level_id
from clock.selectors import clock_levels, clock_state
from clock.services import action_append
from tournaments.access import Permission
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused
from tournaments.models import Seating

TOPICS = ("clock",)
LONGEST_SHIFT = timedelta(hours=2)


@service("clock.started", Permission.DRIVE_CLOCK, topics=(*TOPICS, "settings"), running=True)
def clock_start(change: Change) -> None:
    """Start the clock, or go on after a pause. The first start begins the event."""
    event = change.event
    state = clock_state(event.clock, change.at)
    if state.is_running:
        raise Refused(_("Die Uhr läuft schon."), code="already_running")
    if not event.has_started:
        if not Seating.objects.live().filter(event=event).exists():
            raise Refused(
                _("Es sitzt noch niemand. Erst einchecken und Plätze auslosen."),
                code="nobody_seated",
            )
        change.set(started_by=change.action)
        change.record(begins_event=True)
    _append(change, ActionKind.STARTED)


@service("clock.paused", Permission.DRIVE_CLOCK, topics=TOPICS, running=True)
def clock_pause(change: Change) -> None:
    if not clock_state(change.event.clock, change.at).is_running:
        raise Refused(_("Die Uhr steht schon."), code="not_running")
    _append(change, ActionKind.PAUSED)


@service("clock.adjusted", Permission.DRIVE_CLOCK, topics=TOPICS, running=True)
def clock_adjust(change: Change, *, seconds: int) -> None:
    """Give the players time (`seconds` above zero) or take time from the level (below)."""
    shift = timedelta(seconds=seconds)
    if not seconds or abs(shift) > LONGEST_SHIFT:
        raise Refused(_("Möglich sind 1 Sekunde bis 2 Stunden."), code="bad_shift")
    _append(change, ActionKind.ADJUSTED, shift=-shift)
    change.record(seconds=seconds)


@service("clock.level_advanced", Permission.DRIVE_CLOCK, topics=TOPICS, running=True)
def clock_next_level(change: Change) -> None:
    """Go to the beginning of the next level or break; running stays running."""
    _jump(change, forward=True)


@service("clock.level_reverted", Permission.DRIVE_CLOCK, topics=TOPICS, running=True)
def clock_previous_level(change: Change) -> None:
    """Go back to the beginning of the level before."""
    _jump(change, forward=False)


def clock_stop(change: Change) -> None:
    """Pause the clock as part of another change, if it runs."""
    if clock_state(change.event.clock, change.at).is_running:
        _append(change, ActionKind.PAUSED)


def _jump(change: Change, *, forward: bool) -> None:
    clock = change.event.clock
    levels = clock_levels(clock)
    state = clock_state(clock, change.at)
    find = next_level_id if forward else previous_level_id
    target = find(levels, state.level.id)
    if target is None:
        reason = _("Das ist die letzte Stufe.") if forward else _("Das ist die erste Stufe.")
        raise Refused(reason, code="no_such_level")
    _append(change, ActionKind.JUMPED, level_id=target, elapsed=timedelta())
    change.record(level_from=state.level.id, level_to=target)


def _append(change: Change, kind: ActionKind, **own: Any) -> None:
    row = action_append(clock=change.event.clock, kind=kind, at=change.at, **own)
    change.record(clock_action=row.pk)
