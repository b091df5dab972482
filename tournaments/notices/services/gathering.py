"""Read the log of an evening onwards and write the notices that follow from it."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from tournaments.models import Action, Carry, Event, Listener, Notice, Reading
from tournaments.notices.domain.notices import notices_of
from tournaments.notices.selectors.facts import ears_of, facts_of, told_of
from tournaments.notices.services.choosing import PURPOSE

# Entries read at a time; the rest waits for the next run.
MOST_ACTIONS = 500
# Of an evening without a new entry for so long nothing is told.
LOOKS_BACK = timedelta(hours=24)


def unread(purpose: str, now: datetime) -> QuerySet[Event]:
    """Return the events with new entries in the log."""
    own = Reading.objects.filter(purpose=purpose, event=OuterRef("pk"))
    rows = Event.objects.filter(head__log_recorded_at__gt=now - LOOKS_BACK)
    rows = rows.annotate(was_read=Subquery(own.values("sequence")[:1])).order_by("pk")
    return rows.filter(Q(was_read=None) | Q(was_read__lt=F("head__log_sequence")))


def gathered(
    purpose: str, event: Event, rows_of: Callable[[Sequence[Action]], Sequence[Any]]
) -> int:
    """Write the rows that follow from the next entries of an event's log; return their number.

    They are worked out before the transaction: on SQLite everybody waits for it.
    """
    reading, _made = Reading.objects.get_or_create(
        purpose=purpose, event=event, defaults={"sequence": 0}
    )
    following = Action.objects.filter(event=event, sequence__gt=reading.sequence)
    actions = list(following.order_by("sequence")[:MOST_ACTIONS])
    if not actions:
        return 0
    rows = rows_of(actions)
    with transaction.atomic():
        mine = Reading.objects.filter(pk=reading.pk, sequence=reading.sequence)
        if not mine.update(sequence=actions[-1].sequence):
            return 0  # another worker did
        if rows:
            type(rows[0]).objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
    return len(rows)


def notices_gather(now: datetime) -> int:
    """Write the notices of what was logged since the last run; return their number."""
    if not Listener.objects.exists():
        return 0
    return sum(
        gathered(PURPOSE, event, partial(_notices, event, now)) for event in unread(PURPOSE, now)
    )


def _notices(event: Event, now: datetime, actions: Sequence[Action]) -> list[Notice]:
    _carry_on(actions)
    ears = ears_of(event)
    facts = facts_of(event, actions, ears) if ears else []
    return [
        Notice(
            listener_id=ear,
            kind=fact.kind,
            fact=fact.key,
            made_at=fact.at,
            due_at=now,
            lapses_at=fact.lapses_at,
        )
        for ear, fact in notices_of(facts, ears, told_of(event, facts), now)
    ]


def _carry_on(actions: Sequence[Action]) -> None:
    carries = Carry.objects.live().filter(made_by__in=actions, is_removed=False)
    carries = carries.select_related("bag__entry", "entry__registration")
    further = {row.bag.entry.registration_id: row.entry.registration for row in carries}
    listeners = list(Listener.objects.filter(registration__in=further))
    for row in listeners:
        row.registration = further[row.registration_id or 0]
        row.pk, row.event_id = None, row.registration.event_id
    Listener.objects.bulk_create(listeners, ignore_conflicts=True)
