"""The undo of the clock, and of an event's settings, schedule and end: columns, and not facts."""

import hashlib
import json
import secrets
from datetime import datetime
from typing import Any

from django.db.models import JSONField
from django.utils.translation import gettext as _

from clock.domain import instant_of
from clock.models import ClockAction
from clock.services import action_undo as clock_action_undo
from krru.data.sealing import seal
from tournaments.changes.audit import Change, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import kind_of
from tournaments.event.domain.promise import commitment
from tournaments.event.selectors.clock import START_ANNOUNCED
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.event.services import clock, clock_hands, lifecycle
from tournaments.event.services.schedule.own import SCHEDULE_PLANNED
from tournaments.models import Action, Draw, Elimination, Event, Posting, StackCount


@undoes(
    clock.CLOCK_STARTED,
    clock.CLOCK_PAUSED,
    clock.CLOCK_ADJUSTED,
    clock.CLOCK_SET,
    clock.CLOCK_PUT_BACK,
    clock.CLOCK_LEVEL_ADVANCED,
    clock.CLOCK_LEVEL_REVERTED,
    clock.CLOCK_JUMPED,
    clock_hands.CLOCK_LAST_HANDS_SET,
    clock_hands.CLOCK_HAND_COUNTED,
    clock.CLOCK_BREAK_STOP_SET,
)
def undo_clock(change: Change, action: Action) -> None:
    """Compensate the latest clock action; earlier ones cannot be undone."""
    event = change.event
    if not clock.is_latest_of_clock(action):
        raise clock.operated_since()
    row = ClockAction.objects.get(pk=action.payload["clock_action"])
    made = clock_action_undo(clock=event.clock, action=row, at=change.at)
    change.record(clock_action=made.pk)
    if action.payload.get("begins_event"):
        if Elimination.objects.live().filter(event=event).exists():
            reason = _("Es ist schon jemand ausgeschieden. Die Uhr lässt sich anhalten.")
            raise Refused(reason, code="needed")
        change.set(started_by=None)


@undoes(clock.CLOCK_START_PLANNED)
def _undo_planned_start(change: Change, action: Action) -> None:
    if change.event.has_started:
        raise lifecycle.fixed_after_start("starts_at")
    before, clock = action.payload["before"], change.event.clock
    clock.starts_at = None if before is None else instant_of(before)
    clock.save(update_fields=["starts_at"])


@undoes(clock_hands.CLOCK_COUNTING_TABLE_SET)
def _undo_counting_table(change: Change, action: Action) -> None:
    clock = change.event.clock
    clock.counting_table = action.payload["before"]
    clock.save(update_fields=["counting_table"])


@undoes(lifecycle.EVENT_CANCELLED, lifecycle.EVENT_ENDED)
def undo_end(change: Change, action: Action) -> None:
    """Take back what ended the event, with the stacks counted for it.

    Its draws get a new secret, as the old one was on the public page; made draws keep it.
    """
    event, kind = change.event, kind_of(action.kind)
    assert kind is not None
    if getattr(event, f"{kind.ends_by}_id") != action.pk:
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    change.set(**{kind.ends_by: None})
    StackCount.objects.live().filter(made_by=action).update(voided_by=change.action)
    StackCount.objects.filter(voided_by=action).update(voided_by=None)
    Draw.objects.filter(event=event, sealed="").update(sealed=event.draw_sealed)
    # A sample evening's draws repeat every time.
    known = hashlib.sha256(event.draw_secret.encode()).hexdigest()
    secret = known if event.is_sample else secrets.token_hex(32)
    # A hall number must be newer than its secret.
    change.set(draw_sealed=seal(secret), hall_number="")
    change.record(commitment=commitment(secret))


@undoes(lifecycle.EVENT_UPDATED)
def _undo_settings(change: Change, action: Action) -> None:
    before: dict[str, Any] = dict(action.payload["before"])
    texts = action.text.data if hasattr(action, "text") else {}
    kept_as_text = set(setting_names(lambda setting: setting.is_text))
    for name in kept_as_text & set(action.payload["settings"]):
        text = texts.get(f"{name}_before", change.event.name if name == "name" else "")
        is_json = isinstance(Event._meta.get_field(name), JSONField)
        if text or not is_json:
            before[name] = json.loads(text) if is_json else text
    if "starts_at" in before:
        before["starts_at"] = datetime.fromisoformat(before["starts_at"])
    for name in before:
        if (obstacle := lifecycle.obstacle_to_change(change.event, name)) is not None:
            raise obstacle
    # Postings made because of them; the present price posts them again.
    Posting.objects.live().filter(made_by=action).update(voided_by=change.action)
    change.set(**before)


@undoes(START_ANNOUNCED)
def _undo_announced_start(change: Change, action: Action) -> None:
    event, clock = change.event, change.event.clock
    was_by_itself = clock.starts_at == event.starts_at
    _undo_settings(change, action)
    if was_by_itself:
        clock.starts_at = event.starts_at
        clock.save(update_fields=["starts_at"])


@undoes(lifecycle.EVENT_SCHEDULE_SET, SCHEDULE_PLANNED)
def _undo_schedule(change: Change, action: Action) -> None:
    if change.event.has_started:
        raise lifecycle.fixed_after_start("schedule")
    change.set(
        clock_id=action.payload["clock_before"],
        starting_stack=action.payload["stack_before"],
        schedule_name=action.text.data["schedule_before"],
    )
