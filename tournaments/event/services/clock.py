"""The clock of an event: each service appends one action and logs it.

The undo of a clock action is a compensating one (`services.undo`), so that past instants stay as
shown in the hall.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind, Level, instant_ms, span_ms
from clock.models import Clock, ClockAction
from clock.selectors import clock_anchor, clock_levels, clock_state
from clock.services import action_append
from tournaments.changes.access import SYSTEM, Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.latecomers import time_in_words
from tournaments.event.selectors.clock import (
    CALL_BEFORE,
    START_ANNOUNCED,
    START_CALLED,
    evening_held,
    evenings_later,
    events_to_call,
    lacks_call,
    obstacle_to_first_start,
    shift_in_words,
)
from tournaments.event.selectors.schedule import row_name
from tournaments.models import Action

LONGEST_SHIFT = timedelta(hours=2)


CLOCK_STARTED = Kind(
    "clock.started",
    lazy("Uhr gestartet"),
    Group.CLOCK,
    outcomes={"uncalled": lazy("Uhr gestartet, ohne Aufruf fünf Minuten vorher")},
)


@service(CLOCK_STARTED, Permission.DRIVE_CLOCK, Topic.CLOCK, Topic.SETTINGS)
def clock_start(change: Change) -> None:
    """Start the clock, or resume after a pause. The first start begins the event."""
    event = change.event
    state = clock_state(event.clock, change.at)
    if state.is_running:
        raise Refused(_("Die Uhr läuft schon."), code="already_running")
    if not event.has_started:
        if problem := obstacle_to_first_start(event):
            raise problem
        if lacks_call(event, change.at):
            change.record(outcome="uncalled")
        change.set(started_by=change.action)
        change.record(begins_event=True)
    clock_append(change, ActionKind.STARTED)


CLOCK_PAUSED = Kind("clock.paused", lazy("Uhr angehalten"), Group.CLOCK)


@service(CLOCK_PAUSED, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_pause(change: Change) -> None:
    """Stop the running clock, keeping the time left in the level."""
    if not clock_state(change.event.clock, change.at).is_running:
        raise Refused(_("Die Uhr steht schon."), code="not_running")
    clock_append(change, ActionKind.PAUSED)


CLOCK_ADJUSTED = Kind(
    "clock.adjusted",
    "%(shift)s",
    Group.CLOCK,
    words=lambda payload: {"shift": shift_in_words(payload["seconds"])},
)


@service(CLOCK_ADJUSTED, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_adjust(change: Change, *, seconds: int) -> None:
    """Add time to the level (`seconds` above zero) or remove some (below)."""
    shift = timedelta(seconds=seconds)
    if not seconds or abs(shift) > LONGEST_SHIFT:
        raise Refused(_("Möglich sind 1 Sekunde bis 2 Stunden."), code="bad_shift")
    clock_append(change, ActionKind.ADJUSTED, shift=-shift)
    change.record(seconds=seconds)


CLOCK_LEVEL_ADVANCED = Kind("clock.level_advanced", lazy("Nächste Stufe"), Group.CLOCK)


@service(CLOCK_LEVEL_ADVANCED, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_next_level(change: Change) -> None:
    """Go to the beginning of the next level or break; a running clock keeps running."""
    _jump(change, 1, _("Das ist die letzte Stufe."))


CLOCK_LEVEL_REVERTED = Kind("clock.level_reverted", lazy("Eine Stufe zurück"), Group.CLOCK)


@service(CLOCK_LEVEL_REVERTED, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_previous_level(change: Change) -> None:
    """Go back to the beginning of the level before."""
    _jump(change, -1, _("Das ist die erste Stufe."))


CLOCK_JUMPED = Kind("clock.jumped", lazy("Uhr gestellt auf %(level)s"), Group.CLOCK)


@service(CLOCK_JUMPED, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_jump(change: Change, *, level: int) -> None:
    """Go to the beginning of any level or break by id; a running clock keeps running."""
    levels = {row.id: row for row in clock_levels(change.event.clock)}
    if level not in levels:
        raise Refused(_("Diese Stufe gibt es nicht mehr. Bitte neu laden."), code="no_such_level")
    state = clock_state(change.event.clock, change.at)
    clock_append(change, ActionKind.JUMPED, level_id=level, elapsed=timedelta())
    change.record(level_from=state.level.id, level_to=level, number=levels[level].number)
    rows = list(levels.values())
    change.tell(level=row_name(rows, rows.index(levels[level])))


CLOCK_BREAK_STOP_SET = Kind(
    "clock.break_stop_set", lazy("Anhalten nach Pausen umgestellt"), Group.CLOCK
)


@service(CLOCK_BREAK_STOP_SET, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_stop_after_breaks(change: Change, *, stops: bool) -> None:
    """Set whether the clock stops at the end of a break until started."""
    anchor = clock_anchor(change.event.clock)
    if anchor.stops_after_break == stops:
        raise Refused(_("Das ist schon so eingestellt."), code="nothing_changed")
    clock_append(change, ActionKind.BREAK_STOP_SET, stops_after_break=stops)
    change.record(stops=stops)


CLOCK_START_PLANNED = Kind(
    "clock.start_planned", lazy("Start zur geplanten Zeit umgestellt"), Group.CLOCK
)


@service(CLOCK_START_PLANNED, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_plan_start(change: Change, *, by_itself: bool) -> None:
    """Set whether the clock starts at the planned instant, given a seated player."""
    event = change.event
    if event.has_started:
        raise Refused(_("Das Turnier hat schon begonnen."), code="fixed_after_start")
    if by_itself and event.starts_at <= change.at:
        reason = _("Der geplante Beginn ist schon vorbei. Die Uhr lässt sich von Hand starten.")
        raise Refused(reason, code="too_late")
    starts_at = event.starts_at if by_itself else None
    if event.clock.starts_at == starts_at:
        raise Refused(_("Das ist schon so eingestellt."), code="nothing_changed")
    before = event.clock.starts_at
    change.record(by_itself=by_itself, before=None if before is None else instant_ms(before))
    event.clock.starts_at = starts_at
    event.clock.save(update_fields=["starts_at"])


def clock_keep_settings(change: Change, old: Clock, new: Clock) -> None:
    """Copy the former clock's settings to the event's new clock."""
    new.starts_at, new.counting_table = old.starts_at, old.counting_table
    new.save(update_fields=["starts_at", "counting_table"])
    if clock_anchor(old).stops_after_break:
        action_append(
            clock=new, kind=ActionKind.BREAK_STOP_SET, at=change.at, stops_after_break=True
        )


def clock_stop(change: Change) -> None:
    """Pause a running clock as part of another change."""
    if clock_state(change.event.clock, change.at).is_running:
        clock_append(change, ActionKind.PAUSED)


def clock_go_on(change: Change) -> None:
    """Start a stopped clock as part of another change."""
    if not clock_state(change.event.clock, change.at).is_running:
        clock_append(change, ActionKind.STARTED)
        change.announce(Topic.CLOCK)


def clock_take(change: Change, taken: timedelta) -> Level | None:
    """Remove time from the levels as part of another change, with the clock stopped.

    Time beyond a level's end is taken from the next one. A break begins in full, and the last level
    stays. Return the resulting level or break, None if it is the same.
    """
    clock = change.event.clock
    state = clock_state(clock, change.at)
    if not taken or state.is_running or state.remaining is None or state.level.is_break:
        return None
    change.announce(Topic.CLOCK)
    if taken < state.remaining or state.next_level is None:
        clock_append(change, ActionKind.ADJUSTED, shift=taken)
        return None
    level, rest = level_after(clock_levels(clock), state.level.id, taken - state.remaining)
    clock_append(change, ActionKind.JUMPED, level_id=level.id, elapsed=rest)
    return level


def clock_put(
    change: Change,
    level: int,
    elapsed: timedelta,
    *,
    is_running: bool,
    stops: bool,
    hands: int = 0,
) -> None:
    """Put the clock into a level as part of another change; `stops` refers to breaks."""
    change.announce(Topic.CLOCK)
    clock_append(
        change,
        ActionKind.RESTORED,
        level_id=level,
        elapsed=elapsed,
        is_running=is_running,
        hands=hands,
        has_started=True,
        stops_after_break=stops,
    )


def level_after(
    levels: Sequence[Level], level_id: int, taken: timedelta
) -> tuple[Level, timedelta]:
    """Return the level for time removed beyond a level's end, and its elapsed time."""
    at = next(index for index, level in enumerate(levels) if level.id == level_id) + 1
    while not levels[at].is_break:
        duration = levels[at].duration
        if duration is None or taken < duration or at + 1 == len(levels):
            return levels[at], timedelta() if duration is None else taken
        taken, at = taken - duration, at + 1
    return levels[at], timedelta()


def _jump(change: Change, step: int, none_there: str) -> None:
    levels = clock_levels(change.event.clock)
    state = clock_state(change.event.clock, change.at)
    row = state.index + step
    if not 0 <= row < len(levels):
        raise Refused(none_there, code="no_such_level")
    target = levels[row].id
    clock_append(change, ActionKind.JUMPED, level_id=target, elapsed=timedelta())
    change.record(level_from=state.level.id, level_to=target)


def is_latest_of_clock(action: Action) -> bool:
    row = ClockAction.objects.get(pk=action.payload["clock_action"])
    return not ClockAction.objects.filter(clock=row.clock_id, sequence__gt=row.sequence).exists()


def operated_since() -> Refused:
    """Return the refusal of what only the latest action on the clock allows."""
    reason = _("Seither wurde die Uhr weiter bedient. Bitte die Uhr selbst richtig stellen.")
    return Refused(reason, code="not_latest")


def clock_append(change: Change, kind: ActionKind, **own: Any) -> None:
    recorded_at = change.action.recorded_at
    row = action_append(
        clock=change.event.clock, kind=kind, at=change.at, recorded_at=recorded_at, **own
    )
    change.record(clock_action=row.pk)


# --- Set the clock by hand, or put it back to before an outage of the computer


LONGEST_LEFT, LONGEST_OUTAGE = timedelta(hours=9), timedelta(hours=12)


CLOCK_SET = Kind(
    "clock.set",
    lazy("Uhr auf %(time)s gestellt"),
    Group.CLOCK,
    words=lambda payload: {"time": time_in_words(timedelta(seconds=payload["seconds"]))},
)


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
        raise operated_since()
    state = clock_state(clock, since)
    if not state.is_running:
        raise Refused(_("Die Uhr stand damals."), code="not_running")
    stops = clock_anchor(clock).stops_after_break
    clock_put(
        change, state.level.id, state.elapsed, is_running=True, stops=stops, hands=state.hands
    )
    change.record(away_ms=span_ms(change.at - since))


# --- The five-minute call before the planned start. The screens make it; here it is logged


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


# --- Take over the computer's clock, after it went wrong and was put right


TIME_TAKEN = Kind(
    "clock.time_taken",
    lazy("Ab jetzt gilt die Uhr des Rechners"),
    Group.CLOCK,
    is_final=True,
    sets_time=True,
)


@service(TIME_TAKEN, Permission.DRIVE_CLOCK, Topic.CLOCK)
def time_take(change: Change) -> None:
    """Go on from the computer's time, though the log has a later one."""
    held = evening_held(change.at)
    if held is not None:
        reason = _(
            "Bei %(event)s steht schon etwas mit der späteren Zeit. Nach dem Ende geht es."
        ) % {"event": held.name}
        raise Refused(reason, code="later_time")


def time_take_everywhere(command: Command) -> Action:
    """Do so with every open event that has a later time in its log: all, or none.

    :raises Refused: One of them is played by that time.
    """
    with transaction.atomic():
        action = time_take(command)
        for event in evenings_later(command.at):
            time_take(Command(event=event, by=SYSTEM, at=command.at))
        return action
