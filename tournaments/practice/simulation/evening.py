"""One simulated event: its plan, its instant, and its changes through services.

For any player of an event with books of its own: findings are counted, and the first difference
stops it.
"""

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
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Action, Entry, Event, EventHead
from tournaments.undo.services.undo import action_undo

DIRECTOR = Actor(role=Role.DIRECTOR)
DESK = Actor(role=Role.DESK)
ARBITER = Actor(role=Role.ARBITER)
SECOND = timedelta(seconds=1)


class InvariantBroken(Exception):
    """An invariant is violated: a bug, with the finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parameters of a simulation. The same plan on equal databases gives the same event."""

    entries: int
    seats: int = 9
    seed: int = 1
    schedule: str = "T200"
    preset: str = "krru-3"
    begins_at: datetime = datetime(2026, 1, 10, 15, tzinfo=UTC)


@dataclass(slots=True)
class Evening:
    """The running event. `now` only advances.

    `played_before` are the seconds of the schedule played on an earlier day.
    """

    plan: Plan
    rng: Random
    event: Event
    now: datetime
    checked: int = 0
    keys: int = 0
    played_before: float = 0
    lengths: list[float | None] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def do(self, service: Service[...], *, by: Actor = DIRECTOR, **own: Any) -> Action:
        """Call a service one second later, with a key like a device."""
        self.now += SECOND
        command = Command(event=self.event, by=by, at=self.now, key=self.key())
        return self.note(service(command, **own))

    def do_in_club(self, service: ClubService[...], *, by: Actor = DIRECTOR, **own: Any) -> Action:
        self.now += SECOND
        command = ClubCommand(club=self.event.club, by=by, at=self.now, key=self.key())
        return self.note(service(command, **own))

    def note(self, action: Action) -> Action:
        self.kinds[action.kind] += 1
        return action

    def key(self) -> UUID:
        """Return a key unique to this simulation, even with an equal seed."""
        self.keys += 1
        return uuid5(NAMESPACE_OID, f"{self.event.pk}/{self.keys}")

    def undo(self, action: Action) -> Action:
        return self.do(action_undo, action=action)

    def refused(
        self, code: str, service: Service[...], *, by: Actor = DIRECTOR, **own: Any
    ) -> None:
        """Expect a refusal with this code and without any change."""
        before = self.version()
        try:
            self.do(service, by=by, **own)
        except Refused as refusal:
            self.expect(refusal.code == code, "refused otherwise", refusal.code, code)
        else:
            self.expect(False, "not refused", code, own)
        self.expect(self.version() == before, "a refusal changed something", code)

    def version(self) -> int:
        return EventHead.objects.values_list("version", flat=True).get(pk=self.event.pk)

    def reload(self) -> None:
        self.event = Event.objects.select_related("clock", "club").get(pk=self.event.pk)

    def entry(self, pk: int) -> Entry:
        """Return an entry with only its id, like a phone's; services look it up."""
        return Entry(pk=pk)

    def expect(self, holds: object, what: str, *found: object) -> None:
        """Raise if it does not hold.

        :raises InvariantBroken: With the expectation and the finding.
        """
        self.checked += 1
        if not holds:
            raise InvariantBroken(f"{what}: {', '.join(map(repr, found))}")

    def chain(self) -> None:
        """Expect the log to verify, and to match the tables."""
        fault = log_first_fault(self.event)
        self.expect(fault is None, "the log is broken", fault)
        found = facts_checked(self.event)
        self.expect(not found.differences, "the log tells other facts", found.differences)
