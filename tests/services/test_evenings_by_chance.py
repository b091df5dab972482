"""Evenings that the engine plays and staff disturbs, taken back and put in force again.

Hypothesis chooses the evening, what is next, and by a number whatever is chosen in it.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as chance
from hypothesis import strategies as st

from tests import factories as f
from tests.evenings.hall import TERMS, Hall, kinds_of
from tests.evenings.sound import (
    CashBooks,
    assert_nobody_without_chips_plays,
    assert_nothing_hangs,
    assert_places_sound,
    assert_sound,
)
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import kind_of
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.selectors.places import capacity_of
from tournaments.event.selectors.event import chips_in_play
from tournaments.models import Action, MoneyReached
from tournaments.play.selectors.ranking import places_of
from tournaments.undo.selectors.preview_state import lots_of
from tournaments.undo.services.dependencies import facts_touched
from tournaments.undo.services.undo import rolled_back, undo_preview

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

ENGINE = "engine"
IN_PLAY = kinds_of(is_cash=False)
AT_THE_DOOR = [
    kind for kind in IN_PLAY
    if kind.startswith((
        "registration", "offer", "line.", "noshows.", "place.given", "fee.", "drawer.", "receipt.",
        "mail.", "message.", "event.updated",
    ))
]  # fmt: skip
CASH = kinds_of(is_cash=True)


def steps(kinds, often, least):
    """Draw what is done, each with a number for what is chosen in it."""
    weighted = sorted(kinds) + [kind for kind, more in often.items() for _ in range(more)]
    one = st.tuples(st.sampled_from(weighted), st.integers(0, 2**20))
    return st.lists(one, min_size=least, max_size=least + 20)


HALL_STEPS = steps(
    IN_PLAY,
    {
        ENGINE: 20,
        "action.undone": 24,
        "table.reported": 3,
        "heads.checked": 2,
        "hand.begun": 1,
        "entry.checked_in": 4,
        "registration.created": 2,
        "entry.eliminated": 8,
        "stack.surrendered": 3,
        "knockout.set": 3,
        "purchase.asked": 4,
        "rebuy.bought": 4,
        "rebuys.lapsed": 2,
        "purchases.lapsed": 3,
        "noshows.blinded": 2,
        "noshow.removed": 3,
        "clock.break_begun": 2,
        "money.reached": 2,
        "drawer.opened": 2,
        "drawer.filled": 2,
        "table.broken": 2,
    },
    least=25,
)
DOOR_STEPS = steps(
    AT_THE_DOOR,
    {ENGINE: 5, "action.undone": 8, "registration.withdrawn": 2, "offer.accepted": 2,
     "registration.arrived": 2},
    least=30,
)  # fmt: skip
CASH_STEPS = steps(
    CASH,
    {"action.undone": 8, "cash_table.opened": 2, "cash_seat.taken": 7, "cash_chips.bought": 3,
     "cash_seat.left": 3, "cash_hand.ended": 3, "cash_tip.noted": 3, "cash_chips.corrected": 2,
     "cash_terms.changed": 2},
    least=40,
)  # fmt: skip
# What keeps its truth elsewhere, or was an end, is not taken back in reverse order.
NOT_REVERSED = (
    "action.", "clock.", "event.", "hand_for_hand.", "round.", "table.reported", "schedule.",
    "hand.begun",
)  # fmt: skip


def lots_known(lots):
    """Return where everybody stands, but for seats a draw has yet to give."""
    return {entry: lot for entry, lot in lots.items() if not lot.is_drawn}


def preview(hall, action):
    return undo_preview(event=f.fresh(hall.event), by=f.SYSTEM, at=hall.now, action=action)


def take_back_as_shown(hall):
    """Take an action back; what its preview showed is what comes of it, or why it cannot be."""
    action = hall.some_action()
    shown = preview(hall, action)
    if shown.obstacle is not None:
        with pytest.raises(Refused) as caught:
            undo(hall, action)
        assert str(caught.value) == str(shown.obstacle.reason)
        raise caught.value
    made = undo(hall, action)
    expected = lots_known(lots_of(shown.after))
    with rolled_back():
        came = lots_of(preview(hall, made).before)
    assert {entry: came[entry] for entry in expected} == expected
    assert set(came) == set(lots_of(shown.after))
    return made


def undo(hall, action):
    return f.undo(hall.event, action, at=hall.now)


def step(hall, kind, number, seed):
    """Do what is next; None where it cannot be."""
    hall.rng = Random(seed)
    try:
        if kind == ENGINE:
            return hall.play_on()
        if kind == "action.undone" and number % 3 == 0:
            return take_back_as_shown(hall)
        made = hall.do(kind)
    except Refused:
        return None
    assert made is None or made.kind == kind
    return made


def play_in_the_hall(hall, steps, done):
    for number, (kind, seed) in enumerate(steps):
        made = step(hall, kind, number, seed)
        if made is not None:
            done[made.kind] += 1
            assert_sound(hall.event)
            assert_nobody_without_chips_plays(hall.event, hall.now)
    assert_nothing_hangs(hall.event)


def play_at_the_door(hall, steps, done):
    for number, (kind, seed) in enumerate(steps):
        room = capacity_of(f.fresh(hall.event))
        made = step(hall, kind, number, seed)
        if made is None:
            continue
        done[made.kind] += 1
        assert_sound(hall.event)
        assert_places_sound(hall.event)
        now = capacity_of(f.fresh(hall.event))
        # Only the hall, and fewer places than before, make for more people than places.
        if made.kind not in {"action.undone", "event.updated", "clock.started"}:
            assert now.taken <= max(now.capacity, room.taken)
    assert_nothing_hangs(hall.event)


def play_for_cash(hall, steps, done):
    books = CashBooks()
    for number, (kind, seed) in enumerate([("cash_table.opened", 0), *steps]):
        made = step(hall, kind, number, seed)
        if made is None:
            continue
        done[made.kind] += 1
        if made.undoes_id is None or made.undoes_id in books.done:
            books.note(made)
        books.compare(hall.event)
    assert_nothing_hangs(hall.event)


# Two thousand evenings, in parts that several processes play beside each other.
OF_A_PART = 20
PARTS = {"hall": 70, "door": 15, "cash": 15}
LONG = [(where, part) for where, parts in PARTS.items() for part in range(1, parts + 1)]
EVENINGS = {
    "hall": (Hall.playing, HALL_STEPS, play_in_the_hall, len(IN_PLAY)),
    "door": (Hall.at_the_door, DOOR_STEPS, play_at_the_door, len(AT_THE_DOOR)),
    "cash": (Hall.of_cash, CASH_STEPS, play_for_cash, len(CASH)),
}


def played(where, number, part=0):
    """Play so many evenings, others in each part; return how often each kind was done."""
    begin, strategy, play, _kinds = EVENINGS[where]
    done = Counter()

    @settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        # To shrink takes minutes; the seeds of the steps say enough to play them again.
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @chance(part)
    @given(st.integers(0, 2**20), strategy)
    def some(seed, steps):
        with rolled_back():
            play(begin(Random(seed)), steps, done)

    some()
    return done


@pytest.mark.evening
@pytest.mark.timeout(1200)  # half a minute; ten times that with five others at work
@pytest.mark.parametrize(("where", "number"), [("hall", 11), ("door", 6), ("cash", 3)])
def test_anything_in_any_order(where, number):
    many = f.evenings(number)
    done = played(where, many)
    assert done["action.undone"] > many / 2
    assert len(done) > EVENINGS[where][3] / 3 or many < number


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.sqlite_only  # nothing here happens at once; the short one runs on both
@pytest.mark.parametrize(("where", "part"), LONG)
def test_anything_in_any_order_for_long(where, part):
    done = played(where, OF_A_PART, part)
    assert len(done) > EVENINGS[where][3] / 4


@pytest.mark.evening
@given(seed=st.integers(0, 2**20), terms=st.sampled_from(TERMS))
@settings(max_examples=f.evenings(2), phases=[Phase.generate], derandomize=True, database=None)
def test_an_evening_that_the_engine_plays_comes_to_an_end(seed, terms):
    """Each deed of it is sound by the books, without anybody from the staff."""
    with rolled_back():
        hall = Hall.playing(Random(seed), terms)
        while not f.fresh(hall.event).is_over:
            hall.play_on()
            assert_sound(hall.event)
            assert_nobody_without_chips_plays(hall.event, hall.now)
        assert_nothing_hangs(hall.event)
        assert min(places_of(f.fresh(hall.event)).values()) == 1


@pytest.mark.evening
def test_everything_taken_back_in_reverse_order_leaves_what_there_was():
    kinds = [kind for kind in IN_PLAY if kind_of(kind).is_undoable]
    kinds = [ENGINE, *(kind for kind in kinds if not kind.startswith(NOT_REVERSED))]
    for seed in range(f.evenings(3)):
        hall, rng = Hall.playing(Random(seed)), Random(seed)
        event = hall.event
        before, began = f.seats(event), f.fresh(event).log_sequence
        for number in range(50):
            step(hall, rng.choice(kinds), number, rng.getrandbits(20))
        done = Action.objects.filter(event=event, sequence__gt=began).order_by("-sequence")
        assert len(done) > 5
        for action in done:
            undo(hall, action)
        assert f.seats(event) == before
        assert places_of(f.fresh(event)) == {}
        assert chips_in_play(event) == (200 * len(before), True)
        assert not MoneyReached.objects.live().filter(event=event).exists()
        for action in done:
            assert not [
                model
                for model in facts_touched(action).made
                if model.objects.live().filter(made_by=action).exists()
            ]
        assert_sound(event)
        assert log_first_fault(event) is None
