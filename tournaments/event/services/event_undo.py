"""The undo of an event's settings, schedule and end, which are columns and not facts."""

import hashlib
import json
import secrets
from datetime import datetime
from typing import Any

from django.db.models import JSONField
from django.utils.translation import gettext as _

from krru.data.sealing import seal
from tournaments.changes.audit import Change, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import kind_of
from tournaments.event.domain.promise import commitment
from tournaments.event.selectors.clock import START_ANNOUNCED
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.event.services.lifecycle import (
    EVENT_CANCELLED,
    EVENT_ENDED,
    EVENT_SCHEDULE_SET,
    EVENT_UPDATED,
    fixed_after_start,
    obstacle_to_change,
)
from tournaments.event.services.schedule.own import SCHEDULE_PLANNED
from tournaments.event.services.settings import LONGEST
from tournaments.models import Action, Draw, Event, Posting, StackCount


@undoes(EVENT_CANCELLED, EVENT_ENDED)
def undo_end(change: Change, action: Action) -> None:
    """Take back what ended the event, with the stacks counted for it."""
    kind = kind_of(action.kind)
    assert kind is not None
    column = kind.ends_by
    if getattr(change.event, f"{column}_id") != action.pk:
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    change.set(**{column: None})
    StackCount.objects.live().filter(made_by=action).update(voided_by=change.action)
    StackCount.objects.filter(voided_by=action).update(voided_by=None)
    _promise_anew(change)


def _promise_anew(change: Change) -> None:
    """Give the event a new secret: the old one has been on its public page.

    Made draws keep the old one. A sample evening's draws repeat every time.
    """
    event = change.event
    Draw.objects.filter(event=event, sealed="").update(sealed=event.draw_sealed)
    known = hashlib.sha256(event.draw_secret.encode()).hexdigest()
    secret = known if event.is_sample else secrets.token_hex(32)
    # A hall number must be newer than its secret.
    change.set(draw_sealed=seal(secret), hall_number="")
    change.record(commitment=commitment(secret))


@undoes(EVENT_UPDATED)
def _undo_settings(change: Change, action: Action) -> None:
    before: dict[str, Any] = dict(action.payload["before"])
    texts = action.text.data if hasattr(action, "text") else {}
    if "name" in action.payload["settings"]:
        before["name"] = texts.get("name_before", change.event.name)
    for name in set(LONGEST) & set(action.payload["settings"]):
        before[name] = texts.get(f"{name}_before", "")
    for name in setting_names(lambda setting: setting.is_text):
        is_json = isinstance(Event._meta.get_field(name), JSONField)
        if is_json and f"{name}_before" in texts:
            before[name] = json.loads(texts[f"{name}_before"])
    if "starts_at" in before:
        before["starts_at"] = datetime.fromisoformat(before["starts_at"])
    for name in before:
        obstacle = obstacle_to_change(change.event, name)
        if obstacle is not None:
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


@undoes(EVENT_SCHEDULE_SET, SCHEDULE_PLANNED)
def _undo_schedule(change: Change, action: Action) -> None:
    if change.event.has_started:
        raise fixed_after_start("schedule")
    change.set(
        clock_id=action.payload["clock_before"],
        starting_stack=action.payload["stack_before"],
        schedule_name=action.text.data["schedule_before"],
    )
