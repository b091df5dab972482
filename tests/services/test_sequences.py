"""Anything in any order, taken back and put in force again: some things hold all the same."""

from random import Random

import pytest
from django.db.models import Sum

from tests import factories as f
from tournaments.access import SYSTEM
from tournaments.domain.errors import Refused
from tournaments.domain.ranking import is_weak_order
from tournaments.models import (
    Action,
    ChipMovement,
    Elimination,
    Entry,
    Registration,
    Seating,
    Table,
)
from tournaments.selectors.event import chips_in_play, event_alive_entry_ids, players_left
from tournaments.selectors.log import log_first_fault
from tournaments.selectors.ranking import places_of
from tournaments.selectors.suggestions import floor_advice
from tournaments.services.clock import clock_next_level, clock_pause, clock_start
from tournaments.services.eliminations import (
    disqualification_count,
    entries_eliminate,
    entry_disqualify,
)
from tournaments.services.floor import (
    balance_step,
    entry_move,
    final_table_draw,
    table_break,
    table_close,
    table_open,
)
from tournaments.services.lifecycle import event_end
from tournaments.services.registration import (
    entry_check_in,
    registration_create,
    registration_withdraw,
)
from tournaments.services.seats import dealer_draw_make
from tournaments.services.undo import action_undo

pytestmark = pytest.mark.django_db

STEPS = 60


class Anybody:
    """Presses anything, at whatever row there is, dead or alive."""

    def __init__(self, seed, *, looks_back=True):
        self.rng = Random(seed)
        self.looks_back = looks_back
        self.event = f.make_running_event(self.rng.choice([5, 12, 14]), seats=5, capacity=25)
        self.minute = 0

    def pick(self, model, **where):
        rows = list(model.objects.filter(**{"event": self.event, **where}).order_by("pk"))
        return self.rng.choice(rows) if rows else None

    def call(self, service, **own):
        if None in own.values():
            return
        self.minute += self.rng.randrange(3)
        service(event=self.event, by=SYSTEM, at=f.after(self.minute), **own)

    def press(self):
        rng, pick = self.rng, self.pick
        match rng.randrange(16):
            case 0:
                self.call(registration_create, name=f"Gast {rng.randrange(8)}")
            case 1:
                self.call(entry_check_in, registration=pick(Registration))
            case 2:
                self.call(registration_withdraw, registration=pick(Registration))
            case 3 | 4:
                self.call(entries_eliminate, entries=[pick(Entry)])
            case 5:
                two = [pick(Entry), pick(Entry)]
                stacks = {entry.pk: rng.randrange(1, 3) for entry in two}
                self.call(entries_eliminate, entries=two, start_stacks=rng.choice([stacks, {}]))
            case 6:
                stack = rng.choice([50, 0])
                own = {"stack": stack} if stack else {}
                self.call(entry_disqualify, entry=pick(Entry), reason="Test", **own)
            case 7:
                self.call(disqualification_count, entry=pick(Entry), stack=rng.randrange(300))
            case 8:
                seat = rng.randrange(1, 6)
                self.call(entry_move, entry=pick(Entry), table=pick(Table), seat=seat)
            case 9:
                self.follow_advice()
            case 10:
                self.call(rng.choice([table_break, table_close]), table=pick(Table))
            case 11:
                self.call(rng.choice([table_open, final_table_draw]))
            case 12:
                self.call(dealer_draw_make, table=pick(Table))
            case _ if self.looks_back:
                self.look_back()

    def look_back(self):
        """Take something back, drive the clock (whose past stays), or end it all."""
        match self.rng.randrange(8):
            case 0:
                self.call(self.rng.choice([clock_pause, clock_start, clock_next_level]))
            case 1 if self.rng.random() < 0.1:
                self.call(event_end)
            case _:
                self.call(action_undo, action=self.some_action())

    def follow_advice(self):
        advice = floor_advice(f.fresh(self.event))
        for move in advice.moves[:1]:
            self.call(
                balance_step,
                entry=Entry(pk=move.entry),
                from_table=move.from_table,
                to_table=move.to_table,
                to_seat=move.to_seat,
            )

    def some_action(self):
        """Return a late action rather than an early one: these can be taken back."""
        rows = list(Action.objects.filter(event=self.event).order_by("-sequence")[:12])
        return self.rng.choice(rows[: self.rng.choice([1, 3, 12])])


def assert_sound(event):
    event = f.fresh(event)
    seatings = list(Seating.objects.live().filter(event=event).select_related("table"))
    assert len({row.entry_id for row in seatings}) == len(seatings)
    assert len({(row.table.number, row.seat) for row in seatings}) == len(seatings)
    assert all(row.table.voided_by_id is None for row in seatings)
    alive = set(event_alive_entry_ids(event))
    assert {row.entry_id for row in seatings} == alive
    assert len(alive) == players_left(event)
    assert not event.has_started or alive
    entries = Entry.objects.live().filter(event=event)
    assert not entries.exclude(registration__voided_by=None).exists()
    outs = Elimination.objects.live().filter(event=event)
    assert set(outs.values_list("entry", flat=True)) | alive == set(
        entries.values_list("pk", flat=True)
    )
    removed = ChipMovement.objects.live().filter(event=event, reason="disqualification")
    counted = removed.aggregate(chips=Sum("amount"))["chips"] or 0
    assert removed.count() == outs.filter(way="disqualified").count()
    assert chips_in_play(event)[0] == 200 * entries.count() + counted
    found = places_of(event)
    assert len(found) in {outs.count(), outs.count() + 1, entries.count()}
    first = 1 if len(found) > outs.count() else len(alive) + 1
    assert is_weak_order(found, first)
    assert log_first_fault(event) is None


@pytest.mark.parametrize("seed", range(12))
def test_anything_in_any_order(seed):
    anybody = Anybody(seed)
    done = 0
    for _ in range(STEPS):
        try:
            anybody.press()
        except Refused:
            continue
        done += 1
        assert_sound(anybody.event)
    assert done > STEPS / 5


@pytest.mark.parametrize("seed", range(12, 18))
def test_everything_taken_back_in_reverse_order_leaves_what_there_was(seed):
    anybody = Anybody(seed, looks_back=False)
    event = anybody.event
    before = {entry.pk: f.seat_of(entry) for entry in f.entries_of(event)}
    began = f.fresh(event).log_sequence
    for _ in range(40):
        try:
            anybody.press()
        except Refused:
            continue
    done = Action.objects.filter(event=event, sequence__gt=began).order_by("-sequence")
    assert len(done) > 5
    for action in done:
        anybody.call(action_undo, action=action)
    assert {entry.pk: f.seat_of(entry) for entry in f.entries_of(event)} == before
    assert places_of(f.fresh(event)) == {}
    assert chips_in_play(event) == (200 * len(before), True)
    assert_sound(event)
