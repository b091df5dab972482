"""What keeps its truth elsewhere than in facts, and how each kind of it is taken back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from clock.domain import instant_of
from clock.models import ClockAction
from clock.services import action_undo as clock_action_undo
from tournaments import access
from tournaments.audit import Change
from tournaments.domain.errors import Refused
from tournaments.models import Action, Draw, Elimination, Registration, StackCount
from tournaments.services.lifecycle import obstacle_to_change
from tournaments.services.people import PERSONAL
from tournaments.services.registration import correction_flags, correction_write
from tournaments.services.schedule import schedule_unedit

LIFE = {"event.cancelled": "cancelled_by", "event.ended": "ended_by"}


def undo_clock(change: Change, action: Action) -> None:
    """Compensate the latest clock action; an earlier one cannot be taken back any more."""
    event = change.event
    row = ClockAction.objects.get(pk=action.payload["clock_action"])
    last = ClockAction.objects.filter(clock=event.clock).order_by("-sequence").first()
    if last is None or last.pk != row.pk:
        raise Refused(
            _("Seither wurde die Uhr weiter bedient. Bitte die Uhr selbst richtig stellen."),
            code="not_latest",
        )
    made = clock_action_undo(clock=event.clock, action=row, at=change.at)
    change.record(clock_action=made.pk)
    if action.payload.get("begins_event"):
        if Elimination.objects.live().filter(event=event).exists():
            raise Refused(
                _("Es ist schon jemand ausgeschieden. Die Uhr lässt sich anhalten."), code="needed"
            )
        change.set(started_by=None)


def _undo_planned_start(change: Change, action: Action) -> None:
    if change.event.has_started:
        raise Refused(access.SETTINGS_AFTER_START["starts_at"], code="fixed_after_start")
    before = action.payload["before"]
    clock = change.event.clock
    clock.starts_at = None if before is None else instant_of(before)
    clock.save(update_fields=["starts_at"])


def _undo_counting_table(change: Change, action: Action) -> None:
    clock = change.event.clock
    clock.counting_table = action.payload["before"]
    clock.save(update_fields=["counting_table"])


def _undo_life(change: Change, action: Action) -> None:
    column = LIFE[action.kind]
    if getattr(change.event, f"{column}_id") != action.pk:
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    change.set(**{column: None})
    StackCount.objects.live().filter(made_by=action).update(voided_by=change.action)


def _undo_settings(change: Change, action: Action) -> None:
    before: dict[str, Any] = dict(action.payload["before"])
    texts = action.text.data if hasattr(action, "text") else {}
    if "name" in action.payload["settings"]:
        before["name"] = texts.get("name_before", change.event.name)
    for name in ("rules", "areas"):
        if f"{name}_before" in texts:
            before[name] = json.loads(texts[f"{name}_before"])
    if "starts_at" in before:
        before["starts_at"] = datetime.fromisoformat(before["starts_at"])
    for name in before:
        obstacle = obstacle_to_change(change.event, name)
        if obstacle is not None:
            raise obstacle
    change.set(**before)


def _undo_schedule(change: Change, action: Action) -> None:
    if change.event.has_started:
        raise Refused(access.SETTINGS_AFTER_START["schedule"], code="fixed_after_start")
    change.set(
        clock_id=action.payload["clock_before"],
        starting_stack=action.payload["stack_before"],
        schedule_name=action.text.data["schedule_before"],
    )


def _undo_hall_number(change: Change, action: Action) -> None:
    if Draw.objects.live().filter(event=change.event, made_by__gt=action.pk).exists():
        raise Refused(_("Mit dieser Saalzahl wurde schon ausgelost."), code="needed")
    change.set(hall_number=action.payload["before"])


def _undo_correction(change: Change, action: Action) -> None:
    row = Registration.objects.select_related("person").get(pk=action.payload["registration"])
    texts, numbers = action.text.data, action.payload
    said = {field: texts.get(f"{field}_said_before", "") for field in PERSONAL}
    said["remark"] = texts.get("remark_before", "")
    known = {field: texts.get(f"{field}_before", "") for field in PERSONAL}
    flags = {
        flag: numbers[f"{flag}_before"]
        for flag in correction_flags(row)
        if f"{flag}_before" in numbers
    }
    correction_write(row, said, known if known["name"] else None, flags)
    owners = Registration.objects.filter(pk__in=numbers.get("disowned", ()), person=row.person_id)
    owners.update(owns_person=True)


OWN: dict[str, Callable[[Change, Action], None]] = {
    "clock.started": undo_clock,
    "clock.paused": undo_clock,
    "clock.adjusted": undo_clock,
    "clock.corrected": undo_clock,
    "clock.level_advanced": undo_clock,
    "clock.level_reverted": undo_clock,
    "clock.jumped": undo_clock,
    "clock.last_hands_set": undo_clock,
    "clock.hand_counted": undo_clock,
    "clock.break_stop_set": undo_clock,
    "clock.start_planned": _undo_planned_start,
    "clock.counting_table_set": _undo_counting_table,
    "schedule.edited": schedule_unedit,
    "event.cancelled": _undo_life,
    "event.ended": _undo_life,
    "event.updated": _undo_settings,
    "event.schedule_set": _undo_schedule,
    "draw.hall_number_set": _undo_hall_number,
    "registration.corrected": _undo_correction,
}
