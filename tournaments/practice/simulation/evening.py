"""One simulated event: its plan, its actors, its instant, its books, and what is counted.

Every change goes through `do`, which calls a service as a page would.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from clock.selectors import clock_anchor, clock_levels, clock_state
from tournaments.changes.access import Actor, Role
from tournaments.changes.audit import ClubService, Service
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.models import Action, Entry, Event, Registration, Table
from tournaments.practice.simulation.checks import Checker
from tournaments.practice.simulation.money.books import Books
from tournaments.practice.simulation.own_clock import OwnClock, Row
from tournaments.undo.services.undo import action_undo

DIRECTOR = Actor(role=Role.DIRECTOR)
DESK = Actor(role=Role.DESK)
ARBITER = Actor(role=Role.ARBITER)

SECOND = timedelta(seconds=1)
TINY = 12  # up to so many entries everything is compared after every step
SMALL = 50  # up to so many, people, chips and tables after every step, everything once a hand
FULL_CHECKS = 24  # in larger fields, about so often while playing
WHOLE = 200  # from this field on every kind of action is sought out


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be simulated. The same plan on equal databases gives the same event.

    :param last_paid: The last place whose prize is paid out; None for all. Each payment ranks the
        whole field.
    """

    entries: int
    seats: int = 9
    seed: int = 1
    schedule: str = "T200"
    preset: str = "krru-3"
    begins_at: datetime = datetime(2026, 1, 10, 15, tzinfo=UTC)
    last_paid: int | None = None

    @property
    def is_small(self) -> bool:
        return self.entries <= SMALL

    @property
    def is_whole(self) -> bool:
        return self.entries >= WHOLE


@dataclass(slots=True)
class Played:
    """Which kinds of entries were made, how often, and by which roles."""

    kinds: Counter[str] = field(default_factory=Counter)
    roles: dict[str, set[str]] = field(default_factory=dict)

    def note(self, action: Action) -> Action:
        self.kinds[action.kind] += 1
        self.roles.setdefault(action.kind, set()).add(action.role)
        return action


@dataclass(slots=True)
class Evening:
    """The event under way. `now` only ever advances."""

    plan: Plan
    rng: Random
    event: Event
    checker: Checker
    now: datetime
    books: Books = field(default_factory=Books)
    tally: Counter[str] = field(default_factory=Counter)
    elimination_ms: list[float] = field(default_factory=list)
    table_seats: dict[int, int] = field(default_factory=dict)
    expected: int = 0
    clock: OwnClock = field(default_factory=OwnClock)
    began_at: datetime = datetime(2200, 1, 1, tzinfo=UTC)
    has_money: bool = False
    # Who is registered and never comes; without an id once that is settled.
    missing: Registration | None = None
    played: Played = field(default_factory=Played)

    def do(self, service: Service[...], *, by: Actor = DIRECTOR, **own: Any) -> Action:
        """Call a service a second later, with a key as a device would send it."""
        self.now += SECOND
        command = Command(event=self.event, by=by, at=self.now, key=self.key())
        return self.played.note(service(command, **own))

    def do_in_club(self, service: ClubService[...], *, by: Actor = DIRECTOR, **own: Any) -> Action:
        """Call a service of the club in the same way."""
        self.now += SECOND
        command = ClubCommand(club=self.event.club, by=by, at=self.now, key=self.key())
        return self.played.note(service(command, **own))

    def key(self) -> UUID:
        """Return a key that no other simulation sends, though it had the same seed."""
        self.tally["keys"] += 1
        return uuid5(NAMESPACE_OID, f"{self.event.pk}/{self.tally['keys']}")

    def chance(self, small: float, large: float) -> bool:
        """Return true with a probability that depends on how large the field is."""
        return self.rng.random() < (small if self.plan.is_small else large)

    def undo(self, action: Action) -> Action:
        """Take an action back."""
        undone = self.do(action_undo, action=action)
        self.tally["undos"] += 1
        return undone

    def stays(self, action: Action, before: Books | None) -> bool:
        """Take an action back if `before` was kept for that, sometimes put it in force again.

        Return whether the action is in force in the end.
        """
        if before is None:
            return True
        after, self.books = self.books, before
        undoing = self.undo(action)
        self.compare()
        if self.rng.random() < 0.5:
            return False
        self.undo(undoing)
        self.books = after
        self.compare()
        return True

    def kept(self, small: float, large: float) -> Books | None:
        """Return a copy of the books when what comes next is going to be taken back."""
        return self.books.copy() if self.chance(small, large) else None

    def refused(
        self, code: str, service: Service[...], *, by: Actor = DIRECTOR, **own: Any
    ) -> None:
        """Expect a refusal, for this reason, that changes nothing."""
        before = self.version()
        try:
            self.do(service, by=by, **own)
        except Refused as refusal:
            self.checker.expect(refusal.code == code, "refused otherwise", refusal.code, code)
        else:
            self.checker.expect(False, "not refused", code, own)
        self.checker.expect(self.version() == before, "a refusal changed something", code)

    def version(self) -> int:
        return Event.objects.values_list("version", flat=True).get(pk=self.event.pk)

    def reload(self) -> None:
        self.event = Event.objects.select_related("clock", "club").get(pk=self.event.pk)
        self.checker.event = self.event

    def read_clock(self) -> None:
        """Take over where the program's clock is, after what the books cannot follow."""
        self.reload()
        state = clock_state(self.event.clock, self.now)
        self.clock = OwnClock(
            rows=[
                Row(level.id, level.is_break, level.duration, level.hands)
                for level in clock_levels(self.event.clock)
            ],
            at=state.index,
            elapsed=state.elapsed,
            since=self.now if state.is_running else None,
            hands=state.hands,
            stops_after_break=clock_anchor(self.event.clock).stops_after_break,
        )

    def compare(self) -> None:
        """Compare after a step, as much as the size of the field allows."""
        if not self.books.stacks:
            return
        if self.plan.entries <= TINY:
            self.checker.full(self.books, self.now)
        elif self.plan.is_small:
            self.checker.quick(self.books)

    def table(self, number: int) -> Table:
        return Table.objects.get(event=self.event, number=number, voided_by=None)

    def entry(self, pk: int) -> Entry:
        """Return an entry known by its id alone, as a phone knows it; services look it up."""
        return Entry(pk=pk)

    def somebody(self) -> int:
        """Return somebody who sits at a table."""
        return self.rng.choice(sorted(self.books.where))

    def clock_is_in_a_break(self) -> bool:
        self.clock.settle(self.now)
        return self.clock.rows[self.clock.at].is_break

    def free_seats(self, number: int) -> list[int]:
        """Return the seats of a table where nobody sits and that are not locked."""
        held, seats = self.books.tables[number], range(1, self.table_seats[number] + 1)
        return [
            seat for seat in seats if seat not in held and (number, seat) not in self.books.locks
        ]

    def row_of(self, entry: int) -> Entry:
        """Return an entry as a page has it that has read it."""
        return Entry.objects.select_related("registration__person").get(pk=entry)

    def registration_of(self, entry: int) -> Registration:
        return self.row_of(entry).registration

    def seat(self, entry: int, table: int, seat: int) -> None:
        """Write down a seat that was drawn, at a table that may just have been opened."""
        self.checker.expect((table, seat) not in self.books.locks, "a locked seat", table, seat)
        self.table_seats.setdefault(table, self.event.seats_per_table)
        self.books.sit(entry, table, seat)

    def reseat(self, moves: list[list[int]]) -> None:
        """Write down new seats of people who sit elsewhere."""
        for entry, _, _ in moves:
            self.books.rise(entry)
        for entry, table, seat in moves:
            self.seat(entry, table, seat)

    def note_opened(self, action: Action) -> None:
        """Write down tables that an action opened."""
        for number in action.payload.get("tables_opened", []):
            self.books.tables.setdefault(number, {})
            self.table_seats[number] = self.event.seats_per_table

    def note_tables(self) -> None:
        self.tally["tables"] = max(self.tally["tables"], len(self.books.tables))
