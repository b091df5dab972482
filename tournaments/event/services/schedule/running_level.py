"""Changes in the present level: correct its amounts, begin a break in it.

An edit of the schedule leaves begun levels alone. These two do not, and log it: rows are replaced,
so that past instants stay as shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind, ClockState, Level, LevelKind, schedule_changes, span_ms
from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_levels, clock_past, clock_state
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.schedule_problems import row_name
from tournaments.event.services.clock import clock_append
from tournaments.event.services.clock_undo import is_latest_of_clock
from tournaments.event.services.schedule.edit import (
    refuse_if_wrong,
    schedule_replace,
    tell_the_hall,
)
from tournaments.models import Action

AMOUNTS = ("small_blind", "big_blind", "small_bet", "bring_in", "ante")
LONGEST_BREAK_MINUTES = 180

LEVEL_CORRECTED = Kind(
    "clock.level_corrected",
    lazy("Laufende Stufe berichtigt: %(level)s"),
    Group.CLOCK,
    is_announced=True,
)


@service(LEVEL_CORRECTED, Permission.DRIVE_CLOCK, Topic.CLOCK, Topic.SETTINGS)
def level_correct(change: Change, *, amounts: Mapping[str, int]) -> None:
    """Correct the amounts of the present level, by name; its time goes on. Announce it."""
    state = _state_in_play(change)
    before = list(clock_levels(change.event.clock))
    level = before[state.index]
    given: dict[str, Any] = {name: amounts[name] for name in AMOUNTS if name in amounts}
    right = replace(level, **given)
    bet = right.small_bet or right.big_blind
    if level.big_bet and bet != (level.small_bet or level.big_blind):
        right = replace(right, big_bet=2 * bet)
    if right == level:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    after = [*before[: state.index], right, *before[state.index + 1 :]]
    refuse_if_wrong(after)
    _replace(change, after, is_edited=True)
    tell_the_hall(change, before, after)
    names = schedule_changes(before, after)[0].names
    change.record(amounts={name: [getattr(level, name), getattr(right, name)] for name in names})
    change.tell(level=row_name(before, state.index))


@undoes(LEVEL_CORRECTED)
def _undo_correction(change: Change, action: Action) -> None:
    now = clock_levels(change.event.clock)
    before = _schedule_before(change, action)
    schedule_replace(change, before, is_edited=action.payload["was_edited"])
    tell_the_hall(
        change, now, [replace(old, id=row.id) for old, row in zip(before, now, strict=True)]
    )


CLOCK_BREAK_BEGUN = Kind("clock.break_begun", lazy("Pause von %(minutes)s Minuten"), Group.CLOCK)


@service(CLOCK_BREAK_BEGUN, Permission.DRIVE_CLOCK, Topic.CLOCK, Topic.SETTINGS)
def clock_break_now(change: Change, *, minutes: int) -> None:
    """Begin a break now; then the level goes on with its remaining time. The plan stays."""
    if not 1 <= minutes <= LONGEST_BREAK_MINUTES:
        raise Refused(
            _("Möglich sind 1 bis %(most)d Minuten.") % {"most": LONGEST_BREAK_MINUTES},
            code="bad_minutes",
        )
    state, clock = _state_in_play(change), change.event.clock
    if state.last_hands is not None:
        raise Refused(
            _("Es laufen letzte Hände: erst „Weiter“, dann die Pause."), code="last_hands"
        )
    length = timedelta(minutes=minutes)
    pause = Level(id=0, kind=LevelKind.BREAK, duration=length, is_unplanned=True)
    rows = list(clock_levels(clock))
    rows[state.index : state.index + 1] = [pause, _rest(state)]
    change.record(minutes=minutes, elapsed_ms=span_ms(state.elapsed), hands=state.hands)
    change.record(was_running=state.is_running, index=state.index)
    _replace(change, rows, is_edited=clock.is_edited)
    began = clock_levels(clock)[state.index].id
    clock_append(change, ActionKind.JUMPED, level_id=began, elapsed=timedelta())
    if not state.is_running:
        clock_append(change, ActionKind.STARTED)


@undoes(CLOCK_BREAK_BEGUN)
def _undo_break(change: Change, action: Action) -> None:
    """Put the clock back to its state in the level before the break."""
    if not is_latest_of_clock(action):
        raise Refused(
            _("Seither wurde die Uhr weiter bedient. Bitte die Uhr selbst richtig stellen."),
            code="not_latest",
        )
    was = action.payload
    schedule_replace(change, _schedule_before(change, action), is_edited=was["was_edited"])
    clock = change.event.clock
    clock_append(
        change,
        ActionKind.RESTORED,
        level_id=clock_levels(clock)[was["index"]].id,
        elapsed=timedelta(milliseconds=was["elapsed_ms"]),
        is_running=was["was_running"],
        hands=was["hands"],
        has_started=True,
        stops_after_break=clock_anchor(clock).stops_after_break,
    )


def _rest(state: ClockState) -> Level:
    """Return the rest of the level after a break, or the whole level if none is left."""
    level = state.level
    level = replace(level, rest_of=level.id if level.rest_of is None else level.rest_of)
    if level.hands is not None:
        return replace(level, hands=max(level.hands - state.hands, 1))
    return replace(level, duration=state.remaining or level.duration)


def _state_in_play(change: Change) -> ClockState:
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    state = clock_state(change.event.clock, change.at)
    if state.level.is_break:
        raise Refused(_("Es ist gerade Pause."), code="is_break")
    return state


def _replace(change: Change, levels: Sequence[Level], *, is_edited: bool) -> None:
    change.record(was_edited=change.event.clock.is_edited)
    schedule_replace(change, levels, is_edited=is_edited)
    change.record(edit=change.action.payload["clock_action"])


def _schedule_before(change: Change, action: Action) -> Sequence[Level]:
    """Return the schedule replaced by a change, if that is the latest."""
    edit = ClockAction.objects.get(pk=action.payload["edit"])
    edits = ClockAction.objects.filter(clock=change.event.clock_id, kind=edit.kind)
    if edit.clock_id != change.event.clock_id or edits.filter(sequence__gt=edit.sequence).exists():
        raise Refused(
            _("Der Blindplan wurde seither noch einmal geändert. Das zuerst zurücknehmen."),
            code="needed",
        )
    return clock_past(edit.clock).schedules[edits.filter(sequence__lt=edit.sequence).count()]
