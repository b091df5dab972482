"""Anything in any order at the door, taken back and put in force again: places stay sound."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import factories as f
from tests.services.presses import PRESSES
from tests.services.presses_places import PRESSES_DOOR, PRESSES_PLACES, Visitor
from tests.services.test_sequences import assert_nothing_hangs, assert_sound, unhurried
from tournaments.changes.domain.errors import Refused
from tournaments.door.selectors.places import capacity_of
from tournaments.log.selectors.log_search import log_fault
from tournaments.models import (
    Elimination,
    Entry,
    Expected,
    OnSite,
    PlaceOffer,
    Posting,
    Registration,
    Waiting,
)
from tournaments.undo.services.undo import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

SHARED = (
    "action.undone", "entry.checked_in", "registration.created", "registration.withdrawn",
    "registration.corrected", "clock.started", "entry.eliminated",
)  # fmt: skip
DOOR = {kind: PRESSES[kind] for kind in SHARED} | PRESSES_PLACES | PRESSES_DOOR
OFTEN = {
    "action.undone": 8, "registration.withdrawn": 3, "entry.checked_in": 4,
    "offer.accepted": 3, "offer.declined": 2, "registration.arrived": 3, "place.given": 2,
}  # fmt: skip
PRESSED = sorted(kind for kind in DOOR for _often in range(OFTEN.get(kind, 1)))
STEPS = st.lists(
    st.tuples(st.sampled_from(PRESSED), st.integers(0, 2**20)), min_size=30, max_size=50
)


def assert_places_sound(event):
    """Expect every place to be somebody's, and everybody who waits to wait for one."""
    event = f.fresh(event)
    waiting = Waiting.objects.live().filter(event=event)
    assert not waiting.filter(registration__voided_by__isnull=False).exists()
    inside = Entry.objects.live().filter(event=event).values("registration")
    assert not waiting.filter(registration__in=inside).exists()
    offers = PlaceOffer.objects.live().filter(event=event)
    assert not offers.filter(waiting__voided_by__isnull=False).exists()
    for model in (OnSite, Expected):
        rows = model.objects.live().filter(registration__event=event)
        twice = Counter(rows.values_list("registration", flat=True))
        assert not [number for number in twice.values() if number > 1]
    room = capacity_of(event)
    live = Registration.objects.live().filter(event=event).count()
    out = Elimination.objects.live().filter(event=event).count() if event.has_started else 0
    assert room.placed + room.placed_reserved + waiting.count() + out == live
    postings = Posting.objects.live().filter(event=event)
    assert sum(postings.values_list("amount_cents", flat=True)) == 0
    assert sum(postings.filter(account="cash").values_list("amount_cents", flat=True)) >= 0


def play(steps, done):
    """Press one after the other, each at a door as the ones before left it."""
    visitor = Visitor(Random(steps[0][1]))
    for kind, seed in steps:
        visitor.rng = Random(seed)
        room = capacity_of(f.fresh(visitor.event))
        try:
            made = DOOR[kind](visitor)
        except Refused:
            continue
        if made is None:
            continue
        done[made.kind] += 1
        assert made.kind == kind
        assert_sound(visitor.event)
        assert_places_sound(visitor.event)
        now = capacity_of(f.fresh(visitor.event))
        # Only the hall, and fewer places than before, make for more people than places.
        if kind not in {"action.undone", "event.updated", "clock.started"}:
            assert now.taken <= max(now.capacity, room.taken)
    assert_nothing_hangs(visitor.event)
    assert log_fault(f.fresh(visitor.event)) is None


def play_many(examples):
    """Play so many doors, and return what was done at them."""
    done = Counter()

    @unhurried(examples)
    @given(STEPS)
    def some(steps):
        with rolled_back():
            play(steps, done)

    some()
    return done


@pytest.mark.evening
def test_anything_at_the_door_in_any_order():
    evenings = f.evenings(8)
    done = play_many(evenings)
    assert done["action.undone"] > (10 if evenings == 8 else 2)
    assert len(done) > len(DOOR) / 2 or evenings < 8


@pytest.mark.long
@pytest.mark.sqlite_only  # nothing here happens at once; the short one runs on both
def test_anything_at_the_door_in_any_order_for_long():
    assert len(play_many(16)) > len(DOOR) * 2 / 3
