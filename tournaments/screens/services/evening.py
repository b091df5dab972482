"""Big screens of an event that is being deleted: they turn to what runs this evening instead."""

from __future__ import annotations

from django.db import transaction

from clock.realtime import publish
from tournaments.changes.audit import Change
from tournaments.models import Event, Screen
from tournaments.screens.selectors.evening import event_of_evening
from tournaments.screens.services.screens import screen_tell


def screens_turn_away(change: Change, gone: Event) -> None:
    """Point the screens of an event that is about to be deleted at that of the evening, or at none.

    One that nobody directs is told, too: it asks for the event and learns that it is gone.
    """
    topic, version = gone.stream_topic, gone.version + 1
    transaction.on_commit(
        lambda: publish(topic, {"version": version, "changed": ["settings"]}, id=version)
    )
    instead = event_of_evening(change.club, change.at, but=gone)
    for row in Screen.objects.filter(event=gone):
        row.event = instead
        screen_tell(row)
