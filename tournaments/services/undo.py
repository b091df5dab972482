"""Taking back: a new fact that voids what an action made and revives what it voided.

One mechanism serves every kind, because facts name the actions that made and voided them. Three
kinds of change keep their truth elsewhere and have an undo of their own: the clock (a
compensating action), the settings of the event, and the data of a person.

An undo is itself an action and can be taken back: that puts everything as it was before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from clock.domain import instant_of
from clock.models import ClockAction
from clock.services import action_undo as clock_action_undo
from tournaments import access
from tournaments.access import Permission
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused
from tournaments.models import (
    Action,
    Draw,
    Elimination,
    Entry,
    Person,
    Registration,
    Seating,
    StackCount,
    Table,
)
from tournaments.selectors.log import action_is_in_force
from tournaments.services.counts import refuse_if_count_is_off
from tournaments.services.dependence import (
    KEEPS_TABLES,
    refuse_if_ground_is_gone,
    refuse_if_needed,
    refuse_if_not_restorable,
)
from tournaments.services.eliminations import refuse_if_nobody_is_left
from tournaments.services.facts import FACTS
from tournaments.services.registration import person_write
from tournaments.services.schedule import schedule_unedit
from tournaments.services.seats import seat_by_draw

# May be taken back after the end as well.
NOT_OF_PLAY = ("action.undone", "announcement.made")
LIFE = {"event.cancelled": "cancelled_by", "event.ended": "ended_by"}


@service(
    "action.undone",
    Permission.UNDO_OWN,
    topics=("tables", "entries", "registrations", "clock", "settings", "hands"),
)
def action_undo(change: Change, *, action: Action) -> None:
    """Take an action back, or refuse and say what stands in the way."""
    row = Action.objects.select_related("text").filter(event=change.event, pk=action.pk).first()
    if row is None:
        raise Refused(_("Diesen Eintrag gibt es hier nicht."), code="gone")
    if not access.may_undo(change.by, row):
        raise Refused(access.REFUSALS[Permission.UNDO_ANY], code="not_allowed")
    if not action_is_in_force(row):
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    if change.event.is_over and row.kind not in (*LIFE, *NOT_OF_PLAY):
        raise Refused(_("Das Turnier ist beendet. Erst das Ende zurücknehmen."), code="over")
    change.action.undoes = row
    change.record(undoes=row.pk, kind=row.kind)
    change.tell(**_names(row))
    own = _OWN.get(row.kind)
    if own:
        own(change, row)
    elif row.kind == "action.undone":
        _redo(change, row)
    else:
        _take_back(change, row)
        if "clock_action" in row.payload:
            _undo_clock(change, row)
    if change.event.is_clock_only:
        refuse_if_count_is_off(change.event)
    elif change.event.has_started:
        refuse_if_nobody_is_left(change.event)


def _take_back(change: Change, action: Action) -> None:
    """Void what the action made and revive what it voided, once nothing live depends on it."""
    refuse_if_needed(action)
    homeless = refuse_if_not_restorable(action)
    for model in FACTS:
        made = model.objects.live().filter(made_by=action)
        if model is Table and action.kind in KEEPS_TABLES:
            made = made.exclude(Exists(Seating.objects.live().filter(table=OuterRef("pk"))))
        made.update(voided_by=change.action)
    revived: dict[str, list[int]] = {}
    for model in FACTS:
        rows: QuerySet[Any] = model.objects.filter(voided_by=action)
        if model is Seating and homeless:
            rows = rows.exclude(entry_id__in=homeless)
        ids = list(rows.values_list("pk", flat=True))
        if ids:
            rows.update(voided_by=None)
            revived[model.__name__] = ids
    change.record(revived=revived)
    if homeless:
        for entry in Entry.objects.filter(pk__in=homeless).order_by("pk"):
            seat_by_draw(change, entry)
    if action.payload.get("begins_event"):
        change.set(started_by=None)


def is_redoable(undo: Action) -> bool:
    """Tell whether an undo can itself be taken back: the kinds with an undo of their own cannot."""
    undone = undo.undoes
    if undone is None or undone.kind in (*_OWN, "action.undone"):
        return False
    return "clock_action" not in undone.payload


def _redo(change: Change, undo: Action) -> None:
    """Put things as they were before an undo: what it voided lives, what it revived is void."""
    undone = undo.undoes
    assert undone is not None
    if not is_redoable(undo):
        raise Refused(
            _("Diese Rücknahme lässt sich nicht zurücknehmen. Bitte neu eintragen."),
            code="cannot_redo",
        )
    refuse_if_needed(undo)
    revived: dict[str, list[int]] = undo.payload.get("revived", {})
    by_name = {model.__name__: model for model in FACTS}
    for name, ids in revived.items():
        rows: QuerySet[Any] = by_name[name].objects.filter(pk__in=ids)
        if rows.filter(voided_by__isnull=False).exists():
            raise Refused(_("Seither hat sich dort etwas geändert. Bitte neu eintragen."),
                          code="overtaken")  # fmt: skip
        rows.update(voided_by=undone)
    refuse_if_not_restorable(undo)
    for model in FACTS:
        model.objects.live().filter(made_by=undo).update(voided_by=change.action)
        model.objects.filter(voided_by=undo).update(voided_by=None)
    refuse_if_ground_is_gone(undone)


def _undo_clock(change: Change, action: Action) -> None:
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
    if "rules_before" in texts:
        before["rules"] = json.loads(texts["rules_before"])
    if "starts_at" in before:
        before["starts_at"] = datetime.fromisoformat(before["starts_at"])
    for name in before:
        reason = access.SETTINGS_AFTER_START.get(name)
        if reason is not None and change.event.has_started:
            raise Refused(reason, code="fixed_after_start")
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
    person = Person.objects.get(pk=action.payload["person"])
    texts = action.text.data
    person_write(person, texts["name_before"], texts.get("email_before", ""))
    if "listed_before" in action.payload:
        row = Registration.objects.filter(pk=action.payload["registration"])
        row.update(is_listed=action.payload["listed_before"])


def _names(action: Action) -> dict[str, str]:
    texts = action.text.data if hasattr(action, "text") else {}
    return {name: texts.get(name, "") for name in ("name", "text")}


_OWN: dict[str, Callable[[Change, Action], None]] = {
    "clock.started": _undo_clock,
    "clock.paused": _undo_clock,
    "clock.adjusted": _undo_clock,
    "clock.level_advanced": _undo_clock,
    "clock.level_reverted": _undo_clock,
    "clock.jumped": _undo_clock,
    "clock.last_hands_set": _undo_clock,
    "clock.hand_counted": _undo_clock,
    "clock.break_stop_set": _undo_clock,
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
