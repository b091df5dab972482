"""What one room does is done in the others of the day as well, each in its own log."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import transaction

from tournaments.changes.access import SYSTEM
from tournaments.changes.audit import Change
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.models import Action, Event
from tournaments.play.selectors.rooms import other_rooms

log = logging.getLogger(__name__)


def in_other_rooms(
    change: Change, applies: Callable[[Event], bool], act: Callable[[Command], Action]
) -> None:
    """Do the same in the other rooms once this change is committed.

    No lock of two events is held at once. A room that refuses keeps its own button.
    """

    def run() -> None:
        for stage in other_rooms(change.event):
            if not applies(stage.event):
                continue
            try:
                act(Command(event=stage.event, by=SYSTEM, at=change.at))
            except Refused as refusal:
                log.warning("%s: %s", stage.event.name, refusal)

    transaction.on_commit(run, robust=True)
