"""One simulated event: its plan, its instant, and every change of it, which is a service.

Whatever plays an evening with books of its own may use it: what it finds is counted, and the first
difference ends it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from tournaments.changes.access import Actor, Role
from tournaments.changes.audit import ClubService, Service
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import log_first_fault
from tournaments.log.selectors.facts import facts_checked
from tournaments.models import Action, Entry, Event
from tournaments.undo.services.undo import action_undo

DIRECTOR = Actor(role=Role.DIRECTOR)
DESK = Actor(role=Role.DESK)
ARBITER = Actor(role=Role.ARBITER)
SECOND = timedelta(seconds=1)


class InvariantBroken(Exception):
    """Something that must always hold does not: a bug, with what was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be simulated. The same plan on equal databases gives the same event."""

    entries: int
    seats: int = 9
    seed: int = 1
    schedule: str = "T200"
    preset: str = "krru-3"
    begins_at: datetime = datetime(2026, 1, 10, 15, tzinfo=UTC)


@dataclass(slots=True)
class Evening:
    """The event under way. `now` only ever advances."""

    plan: Plan
    rng: Random
    event: Event
    now: datetime
    checked: int = 0
    keys: int = 0
    lengths: list[float | None] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def do(self, service: Service[...], *, by: Actor = DIRECTOR, **own: Any) -> Action:
        """Call a service a second later, with a key as a device would send it."""
        self.now += SECOND
        command = Command(event=self.event, by=by, at=self.now, key=self.key())
        return self.note(service(command, **own))

    def do_in_club(self, service: ClubService[...], *, by: Actor = DIRECTOR, **own: Any) -> Action:
        """Call a service of the club in the same way."""
        self.now += SECOND
        command = ClubCommand(club=self.event.club, by=by, at=self.now, key=self.key())
        return self.note(service(command, **own))

    def note(self, action: Action) -> Action:
        self.kinds[action.kind] += 1
        return action

    def key(self) -> UUID:
        """Return a key that no other simulation sends, though it had the same seed."""
        self.keys += 1
        return uuid5(NAMESPACE_OID, f"{self.event.pk}/{self.keys}")

    def undo(self, action: Action) -> Action:
        """Take an action back."""
        return self.do(action_undo, action=action)

    def refused(
        self, code: str, service: Service[...], *, by: Actor = DIRECTOR, **own: Any
    ) -> None:
        """Expect a refusal, for this reason, that changes nothing."""
        before = self.version()
        try:
            self.do(service, by=by, **own)
        except Refused as refusal:
            self.expect(refusal.code == code, "refused otherwise", refusal.code, code)
        else:
            self.expect(False, "not refused", code, own)
        self.expect(self.version() == before, "a refusal changed something", code)

    def version(self) -> int:
        return Event.objects.values_list("version", flat=True).get(pk=self.event.pk)

    def reload(self) -> None:
        self.event = Event.objects.select_related("clock", "club").get(pk=self.event.pk)

    def entry(self, pk: int) -> Entry:
        """Return an entry known by its id alone, as a phone knows it; services look it up."""
        return Entry(pk=pk)

    def expect(self, holds: object, what: str, *found: object) -> None:
        """Raise unless it holds.

        :raises InvariantBroken: Saying what, and what was found instead.
        """
        self.checked += 1
        if not holds:
            raise InvariantBroken(f"{what}: {', '.join(map(repr, found))}")

    def chain(self) -> None:
        """Expect the log to verify, and to tell what the tables hold."""
        fault = log_first_fault(self.event)
        self.expect(fault is None, "the log is broken", fault)
        found = facts_checked(self.event)
        self.expect(not found.differences, "the log tells other facts", found.differences)
