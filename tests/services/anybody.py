"""Somebody who presses anything, at whatever row there is, dead or alive."""

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.audit import services
from tournaments.models import (
    Absence,
    Action,
    ChipMovement,
    Elimination,
    Entry,
    Penalty,
    Seating,
    SeatLock,
    Table,
)
from tournaments.play.selectors.bubble import round_current, tables_awaited
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.conduct import penalties_of

# Where things may be bought again: each brings as many chips as a stack has at the start.
BUYS_AGAIN = {
    "rebuy_level": 9,
    "rebuy_cents": 500,
    "rebuy_most": 3,
    "rebuy_double": True,
    "addon_level": 9,
    "addon_cents": 300,
    "reentry_most": 2,
}
BOUNTIES = [
    {"bounty_kind": kind, "fee_parts": [["bounty", 501, ""]]}
    for kind in ("fixed", "progressive", "mystery")
]


class Anybody:
    """Presses at one event; `rng` says at what, `minute` is how late it is."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        players = rng.choice([7, 12, 14])
        self.event = f.make_running_event(
            players,
            seats=5,
            capacity=players + 2,
            paid_places=5,
            late_registration_level=9,
            no_show_minutes=10,
            fee_cents=1000,
            **rng.choice([{}, BUYS_AGAIN, *BOUNTIES]),
        )
        self.minute = 0

    def call(self, service: Any, **own: Any) -> Action | None:
        """Call a service, or that of a kind, unless there is nothing to call it with."""
        if any(
            value is None or (isinstance(value, list) and None in value) for value in own.values()
        ):
            return None
        self.minute += self.rng.randrange(3)
        service = services()[service] if isinstance(service, str) else service
        return call_service(service, event=self.event, by=SYSTEM, at=f.after(self.minute), **own)

    def pick(self, model: Any, event: str = "event", **where: Any) -> Any:
        rows = list(model.objects.filter(**{event: self.event, **where}).order_by("pk"))
        return self.rng.choice(rows) if rows else None

    def one_in(self, number: int) -> bool:
        return not self.rng.randrange(number)

    def seat(self) -> int:
        return self.rng.randrange(1, 6)

    def table(self) -> Any:
        # Mostly one that is open: of the closed ones there are more and more.
        return self.pick(Table, **({} if self.one_in(5) else {"voided_by": None}))

    def entry(self) -> Any:
        alive = {"eliminations__isnull": True} if self.one_in(2) else {}
        return self.pick(Entry, **alive)

    def out(self) -> Action | None:
        if self.one_in(3):
            two = [self.entry(), self.entry()]
            if None in two:
                return None
            stacks = {entry.pk: self.rng.randrange(1, 3) for entry in two}
            return self.call(
                "entry.eliminated",
                entries=two,
                start_stacks=self.rng.choice([stacks, {}]),
                is_one_hand=self.rng.choice([True, False]),
            )
        return self.call("entry.eliminated", entries=[self.entry()])

    def disqualify(self) -> Action | None:
        stack = self.rng.choice([50, 0])
        own = {"stack": stack} if stack else {}
        return self.call("entry.disqualified", entry=self.entry(), reason="Test", **own)

    def correct(self) -> Action | None:
        rows = list(Elimination.objects.live().filter(event=self.event).order_by("pk"))
        if not rows:
            return None
        row = self.rng.choice(rows)
        if self.one_in(2):
            stacks = {row.entry_id: self.rng.randrange(1, 9)}
            return self.call("elimination.corrected", eliminations=[row], start_stacks=stacks)
        to = row.at - timedelta(minutes=self.rng.randrange(4))
        return self.call("elimination.corrected", eliminations=[row], to=to)

    def disqualify_out(self) -> Action | None:
        row = self.pick(Elimination)
        return row and self.call("out.disqualified", entry=row.entry, reason="Test")

    def overrule(self) -> Action | None:
        row = self.pick(Elimination)
        if row is None:
            return None
        place, is_shared = self.rng.randrange(1, 12), self.rng.choice([True, False])
        own = {"place": place, "is_shared": is_shared, "reason": "Test"}
        return self.call("place.overruled", entry=row.entry, **own)

    def draw_cards(self) -> Action | None:
        table = self.table()
        rows = list(Seating.objects.live().filter(table=table).order_by("seat"))
        cards = dict(zip([row.entry_id for row in rows], "53A42", strict=False))
        return self.call("seats.drawn_by_cards", table=table, cards=cards)

    def follow_advice(self) -> Action | None:
        for move in floor_advice(f.fresh(self.event), f.after(self.minute)).moves[:1]:
            return self.call(
                "seat.balanced",
                entry=Entry(pk=move.entry),
                from_table=move.from_table,
                to_table=move.to_table,
                to_seat=move.to_seat,
            )
        return None

    def serve(self) -> Action | None:
        penalty = self.pick(Penalty)
        if penalty is None:
            return None
        views = penalties_of([penalty.entry_id]).get(penalty.entry_id, [])
        left = next((view.served.left for view in views if view.penalty.pk == penalty.pk), 1)
        return self.call("penalty.served", penalty=penalty, left=left)

    def report(self) -> Action | None:
        current = round_current(self.event)
        number = current.number if current else None
        return self.call("table.reported", table=self.table(), number=number)

    def release(self) -> Action | None:
        current = round_current(self.event)
        for table in tables_awaited(self.event, current) if current else ():
            self.call("table.reported", table=table, number=current.number)
        return self.call("round.released", after=current.number if current else None)

    def heads(self, table: Any = None) -> Action | None:
        table = table or self.table()
        seated = Seating.objects.live().filter(table=table).count()
        return self.call("heads.checked", table=table, players=seated)

    def reach_money(self) -> Action | None:
        for table in Table.objects.live().filter(event=self.event):
            self.heads(table)
        return self.call("money.reached")

    def return_somebody(self) -> Action | None:
        away = self.pick(Absence, voided_by=None)
        return self.call("entry.returned", entry=away.entry if away else self.pick(Entry))

    def unlock(self) -> Action | None:
        lock = self.pick(SeatLock, "table__event", voided_by=None)
        return self.call("seat.unlocked", table=lock.table, seat=lock.seat) if lock else None

    def close(self) -> Action | None:
        seated = Seating.objects.live().filter(event=self.event).values("table")
        rows = Table.objects.live().filter(event=self.event)
        empty = rows.exclude(pk__in=seated).first()
        return self.call("table.closed", table=empty or self.table())

    def count_stack(self) -> Action | None:
        uncounted = self.pick(ChipMovement, amount=None, voided_by=None)
        entry = uncounted.entry if uncounted else self.pick(Entry)
        return self.call("disqualification.counted", entry=entry, stack=self.rng.randrange(300))

    def edit_schedule(self) -> Action | None:
        levels = clock_levels(f.fresh(self.event).clock)
        last = levels[-1]
        longer = replace(last, duration=timedelta(minutes=self.rng.randrange(5, 60)))
        based_on = [level.id for level in levels]
        return self.call("schedule.edited", levels=[*levels[:-1], longer], based_on=based_on)

    def take_back(self) -> Action | None:
        return self.call("action.undone", action=self.some_action())

    def some_action(self) -> Action:
        """Return a late action rather than an early one: these can be taken back."""
        rows = list(Action.objects.filter(event=self.event).order_by("-sequence")[:12])
        return self.rng.choice(rows[: self.rng.choice([1, 3, 12])])
