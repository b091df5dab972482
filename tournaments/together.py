"""A crowd asks for the same thing at once: one lock, one transaction, an answer to each.

Each change has its own log entry, version and news, as if they had come one after another; what
they share is the reading, and the statements that write. A refusal is only his who is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction

from tournaments.audit import Change, begun, events_locked, publish_on_commit, require_open, seal
from tournaments.domain.errors import Refused
from tournaments.models import Action, ActionText, Event, IdempotencyRecord
from tournaments.repeats import Request, answered, remembered

Plan = TypeVar("Plan")
SEALED = ("payload", "previous_hash", "hash")


@dataclass(frozen=True, slots=True)
class Joint(Generic[Plan]):
    """How a kind of change is made for many: what is to be done is planned before it is written.

    `plan` reads, and returns for each request what is to be written, or why not. `write` gets the
    changes of those that were not refused, with their plans, and refuses nobody.
    """

    plan: Callable[[Event, Sequence[Request]], Sequence[Plan | Refused]]
    write: Callable[[Sequence[Change], Sequence[Plan]], None]


def carry_out_together(
    event: int, requests: Sequence[Request], joint: Joint[Plan]
) -> list[Action | Refused]:
    """Carry out many requests to one event, in their order; return each one's entry or refusal."""
    with transaction.atomic():
        locked = events_locked().get(pk=event)
        found: dict[int, Action | Refused] = _settled_before(locked, requests)
        asked = [number for number in range(len(requests)) if number not in found]
        plans = joint.plan(locked, [requests[number] for number in asked]) if asked else ()
        going: list[tuple[int, Plan]] = []
        for number, plan in zip(asked, plans, strict=True):
            if isinstance(plan, Refused):
                found[number] = plan
            else:
                going.append((number, plan))
        if going:
            done = _write(locked, [requests[number] for number, _ in going],
                          [plan for _, plan in going], joint)  # fmt: skip
            found |= {number: action for (number, _), action in zip(going, done, strict=True)}
    return [found[number] for number in range(len(requests))]


def _settled_before(event: Event, requests: Sequence[Request]) -> dict[int, Action | Refused]:
    """Return those that were served before, and those who may not."""
    keys = [request.key for request in requests if request.key is not None]
    rows = IdempotencyRecord.objects.filter(key__in=keys).select_related("action") if keys else ()
    records = {(row.scope, row.key): row for row in rows}
    found: dict[int, Action | Refused] = {}
    for number, request in enumerate(requests):
        record = records.get((request.by.scope, request.key)) if request.key else None
        try:
            if record is not None:
                found[number] = answered(request, record)
            else:
                require_open(event, request, must_be_open=True)
        except Refused as refusal:
            found[number] = refusal
    return found


def _write(
    event: Event, requests: Sequence[Request], plans: Sequence[Plan], joint: Joint[Plan]
) -> list[Action]:
    changes = [_begun(event, request) for request in requests]
    actions = Action.objects.bulk_create(change.action for change in changes)
    joint.write(changes, plans)
    for change in changes:
        change.action.previous_hash = event.log_hash
        seal(change)
        publish_on_commit(change)
    Action.objects.bulk_create(
        actions, update_conflicts=True, unique_fields=["id"], update_fields=SEALED
    )
    ActionText.objects.bulk_create(
        ActionText(action=change.action, data=change.texts) for change in changes if change.texts
    )
    IdempotencyRecord.objects.bulk_create(
        record
        for request, action in zip(requests, actions, strict=True)
        for record in remembered(request, action)
    )
    event.save(update_fields=sorted({name for change in changes for name in change.touched}))
    return actions


def _begun(event: Event, request: Request) -> Change:
    """Begin a change that comes after those begun already."""
    change = begun(event, request)
    event.log_sequence = change.action.sequence
    event.log_recorded_at = change.action.recorded_at
    return change
