"""A player's messages: announcements, to the table, to the player. Reads only."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.models import Entry, Event, Message, Registration, Seating
from tournaments.people.selectors.people import registrations_found
from tournaments.post.selectors.announcements import said_by, without_overtaken

SHOWN_FOR = timedelta(hours=12)
MOST = 3
MOST_READ = 20  # some of them are overtaken
MOST_FOUND = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageShown:
    id: int
    text: str
    at: datetime
    is_for_all: bool
    table: int | None


def topic_for(entry: int) -> str:
    """Return the stream's topic for messages to one player."""
    return f"messages-e{entry}"


def messages_unread(
    registration: Registration, *, now: datetime, after: int = 0
) -> list[MessageShown]:
    """Return the messages newer than the last read one, newest first.

    A message to a table is for the players there when it was sent, also after a move.
    """
    if registration.voided_by_id is not None:
        return []
    since = max(registration.registered_at, now - SHOWN_FOR)
    rows = (
        Message.objects.live()
        .filter(event=registration.event_id, pk__gt=after, sent_at__gte=since)
        .filter(_is_for(registration))
        .select_related("table", "made_by__text")
        .order_by("-pk")
    )
    by_action = {row.made_by: row for row in rows[:MOST_READ]}
    kept = without_overtaken(registration.event, list(by_action))
    return [_shown(by_action[action]) for action in kept if said_by(action)][:MOST]


def _is_for(registration: Registration) -> Q:
    entries = list(Entry.objects.live().filter(registration=registration).values_list("pk"))
    ids = [pk for (pk,) in entries]
    sat_there = Seating.objects.filter(
        Q(voided_by=None) | Q(voided_by__gt=OuterRef("made_by")),
        entry__in=ids,
        table=OuterRef("table"),
        made_by__lt=OuterRef("made_by"),
    )
    to_all = Q(table=None, entry=None)
    return to_all | Q(entry__in=ids) | (Q(table__isnull=False) & Q(Exists(sat_there)))


def _shown(row: Message) -> MessageShown:
    return MessageShown(
        id=row.pk,
        text=said_by(row.made_by),
        at=row.sent_at,
        is_for_all=row.table_id is None and row.entry_id is None,
        table=row.table.number if row.table else None,
    )


def entry_topic(registration: Registration) -> str:
    """Return the message topic of a player's page, empty before check-in."""
    entry = Entry.objects.live().filter(registration=registration).order_by("-number").first()
    return topic_for(entry.pk) if entry else ""


def entries_found(event: Event, search: str) -> QuerySet[Entry]:
    """Return present players who match a search by name."""
    people = registrations_found(event, search).values("pk")
    rows = Entry.objects.live().filter(event=event, registration__in=people)
    return rows.select_related("registration__person").order_by(
        "registration__person__sort_name", "number"
    )[:MOST_FOUND]
