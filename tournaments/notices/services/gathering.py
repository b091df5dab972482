"""Read the log of an evening onwards and write the notices that follow from it.

No change waits for this: a task reads what was logged since. Each entry is read once.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from tournaments.models import Action, Event, Listener, Notice, Reading
from tournaments.notices.domain.notices import notices_of
from tournaments.notices.selectors.facts import (
    carried_on,
    ears_of,
    facts_of,
    told_of,
)
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


def read_on(purpose: str, event: Event) -> tuple[Reading, Sequence[Action]]:
    """Return how far an event's log was read, and the next entries."""
    row, _made = Reading.objects.get_or_create(
        purpose=purpose, event=event, defaults={"sequence": 0}
    )
    following = Action.objects.filter(event=event, sequence__gt=row.sequence)
    return row, list(following.order_by("sequence")[:MOST_ACTIONS])


def mark_read(row: Reading, actions: Sequence[Action]) -> bool:
    """Mark these entries as read; False if another worker did.

    To be called in a transaction with what follows from them, and with little else: on SQLite
    everybody waits for it.
    """
    mine = Reading.objects.filter(pk=row.pk, sequence=row.sequence)
    return bool(mine.update(sequence=actions[-1].sequence))


def notices_gather(now: datetime) -> int:
    """Write the notices of what was logged since the last run; return their number."""
    if not Listener.objects.exists():
        return 0
    return sum(_gather(event, now) for event in unread(PURPOSE, now))


def _gather(event: Event, now: datetime) -> int:
    reading, actions = read_on(PURPOSE, event)
    if not actions:
        return 0
    _carry_on(actions)
    ears = ears_of(event)
    facts = facts_of(event, actions, ears) if ears else []
    rows = [
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
    with transaction.atomic():
        if not mark_read(reading, actions):
            return 0
        Notice.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
    return len(rows)


def _carry_on(actions: Sequence[Action]) -> None:
    """Let who listened to a flight listen to the next day."""
    pairs = carried_on(actions)
    further = {before.pk: after for before, after in pairs}
    Listener.objects.bulk_create(
        (
            Listener(
                event_id=further[row.registration_id].event_id,
                registration=further[row.registration_id],
                channel=row.channel,
                address_sealed=row.address_sealed,
                kinds=row.kinds,
                language=row.language,
                made_at=row.made_at,
            )
            for row in Listener.objects.filter(registration__in=further)
            if row.registration_id is not None
        ),
        ignore_conflicts=True,
    )
