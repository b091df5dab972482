"""What one room does is done in the others of the day as well, each in its own log."""

import logging
from collections.abc import Callable

from django.db import transaction

from tournaments.changes.access import SYSTEM
from tournaments.changes.audit import Change
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.event import rooms_of
from tournaments.models import Action, Event
from tournaments.play.selectors.rooms import other_rooms

log = logging.getLogger(__name__)


def playing(event: Event) -> list[Event]:
    """Return the other rooms of this day that play."""
    return [row.event for row in other_rooms(event)]


def in_other_rooms(
    change: Change,
    applies: Callable[[Event], bool],
    act: Callable[[Command], Action],
    find: Callable[[Event], list[Event]] = playing,
) -> None:
    """Do the same in the other rooms once this change is committed.

    No lock of two events is held at once. A room that refuses keeps its own button.

    :param find: The other rooms; those that play, if not told.
    """

    def run() -> None:
        for event in find(change.event):
            if not applies(event):
                continue
            try:
                act(Command(event=event, by=SYSTEM, at=change.at))
            except Refused as refusal:
                log.warning("%s: %s", event.name, refusal)

    transaction.on_commit(run, robust=True)


def of_one_pool(event: Event) -> list[Event]:
    """Return the other rooms that share the prizes of this day."""
    return [room for room in rooms_of(event) if room.pk != event.pk]
