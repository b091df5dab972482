"""Redirect the big screens of a deleted event to this evening's event."""

from __future__ import annotations

from django.db import transaction

from clock.realtime import publish
from tournaments.changes.audit import Change
from tournaments.models import Event, Screen
from tournaments.screens.selectors.evening import event_of_evening
from tournaments.screens.services.screens import screen_tell


def screens_turn_away(change: Change, gone: Event) -> None:
    """Point the screens of an event about to be deleted at this evening's event, or at none.

    Public screens are told too: they fetch the event and find it gone.
    """
    topic, version = gone.stream_topic, gone.version + 1
    transaction.on_commit(
        lambda: publish(topic, {"version": version, "changed": ["settings"]}, id=version)
    )
    instead = event_of_evening(change.club, change.at, but=gone)
    for row in Screen.objects.filter(event=gone):
        row.event = instead
        screen_tell(row)
