"""Preview of a change: it is really made, then rolled back.

Inside the savepoint only the real service runs and facts are read, because all writers wait. The
differences are computed afterwards. Nothing remains: no log entry, no version, no message to
screens, no idempotency key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from django.db import transaction

from tournaments.changes.access import Actor
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.models import Action, Event
from tournaments.undo.domain.preview_diff import Difference, differences
from tournaments.undo.selectors.preview_state import EventState, Sight, sight_of, state_read
from tournaments.undo.services.dependencies import NeededFirst
from tournaments.undo.services.undo import action_undo

# The most actions tried one by one to find those to undo first.
MOST_STEPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """The reason why something cannot be done, and the actions to undo first.

    `first` is in the order of undoing, the first one in front. It `is_whole` if no other obstacle
    remains after that.
    """

    reason: Refused
    first: tuple[Action, ...] = ()
    is_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Preview:
    """An event before and after a tried change. `after` is None when it is refused."""

    now: datetime
    before: EventState
    after: EventState | None = None
    obstacle: Obstacle | None = None

    @property
    def seen(self) -> int:
        """The version of the previewed event."""
        return self.before.version

    @cached_property
    def sights(self) -> tuple[Sight, Sight]:
        """The displays before and after; without an after, twice the same."""
        before = sight_of(self.before, self.now)
        return before, sight_of(self.after, self.now) if self.after else before

    @cached_property
    def people(self) -> list[Difference]:
        """All entries with a difference."""
        before, after = self.sights
        return differences(before.lots, after.lots)

    @cached_property
    def fingerprint(self) -> str:
        """A hash equal for two previews with the same content, whatever happened in between.

        Passing time alone makes no difference.
        """
        seen = [self.people, *(_facts_of(room) for room in (self.before, self.after))]
        return sha256(repr(seen).encode()).hexdigest()[:32]


def _facts_of(room: EventState | None) -> object:
    if room is None:
        return None
    return (room.status, room.left, room.entries, room.chips, room.tables, room.registrations,
            room.anchor, room.levels, room.settings, room.person)  # fmt: skip


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back all database changes inside, with hooks on commit."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def service_preview(
    *, event: Event, now: datetime, run: Callable[[], Action], person: int | None = None
) -> Preview:
    """Try a service call and return its differences.

    :param run: Calls the service, without an idempotency key.
    """
    before = state_read(event.pk, person=person)
    after, obstacle = None, None
    with rolled_back():
        if _version_locked(event) != before.version:
            before = state_read(event.pk, person=person)
        try:
            after = state_read(event.pk, tried=run(), person=person)
        except Refused as refusal:
            obstacle = Obstacle(reason=refusal)
    return Preview(now=now, before=before, after=after, obstacle=obstacle)


def undo_preview(*, event: Event, by: Actor, at: datetime, action: Action) -> Preview:
    """Try to undo an action. If others must be undone first, find them."""
    person = action.payload.get("person")

    def run() -> Action:
        return action_undo(Command(event=event, by=by, at=at), action=action)

    found = service_preview(event=event, now=at, run=run, person=person)
    if found.obstacle is None or not isinstance(found.obstacle.reason, NeededFirst):
        return found
    with rolled_back():
        first, is_whole = _needed_first(event, by, at, found.obstacle.reason, action)
    obstacle = Obstacle(reason=found.obstacle.reason, first=first, is_whole=is_whole)
    return Preview(now=at, before=found.before, obstacle=obstacle)


def _version_locked(event: Event) -> int:
    return Event.objects.select_for_update().values_list("version", flat=True).get(pk=event.pk)


def _needed_first(
    event: Event, by: Actor, at: datetime, reason: NeededFirst, asked: Action
) -> tuple[tuple[Action, ...], bool]:
    """Undo one obstacle after the other. Return them in that order."""
    waiting: list[Action] = [asked, reason.later]
    done: list[Action] = []
    for _step in range(2 * MOST_STEPS):
        try:
            action_undo(Command(event=event, by=by, at=at), action=waiting[-1])
        except NeededFirst as needed:
            if needed.later in (*waiting, *done):
                break
            waiting.append(needed.later)
        except Refused:
            break
        else:
            done.append(waiting.pop())
        if not waiting:
            return tuple(done[:-1]), True
    return (*done, *reversed(waiting[1:])), False
