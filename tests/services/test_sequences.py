"""Anything in any order, taken back and put in force again: some things hold all the same."""

from collections import Counter
from random import Random

import pytest
from django.db.models import Sum
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests import factories as f
from tests.services.anybody import Anybody
from tests.services.presses import NOT_PRESSED, OF_THE_CLUB, OFTEN, PRESSES
from tests.services.presses_cashgame import PRESSES_CASHGAME
from tests.services.presses_places import PRESSES_DOOR
from tournaments.changes.audit import services
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import kind_of
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    money_reached,
    players_left,
)
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.log.selectors.log_search import log_fault
from tournaments.models import (
    Action,
    ChipMovement,
    Elimination,
    Entry,
    MoneyReached,
    Purchase,
    RebuyChance,
    Seating,
)
from tournaments.play.domain.ranking import is_weak_order
from tournaments.play.selectors.bubble import money_holds
from tournaments.play.selectors.ranking import places_of
from tournaments.undo.services.facts import RESTS, facts_touched
from tournaments.undo.services.undo import action_undo, rolled_back, undo_preview

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

PRESSED = sorted(kind for kind in PRESSES for _often in range(OFTEN.get(kind, 1)))
STEPS = st.lists(
    st.tuples(st.sampled_from(PRESSED), st.integers(0, 2**20)), min_size=25, max_size=45
)
# What may go on living though what it rests on does not: a table that was broken keeps the hands
# played at it, hand-for-hand that has ended its rounds, and who is off the list what he paid.
OUTLIVES = {("Hand", "table"), ("DealerDraw", "table"), ("HandRound", "hand_for_hand"),
            ("Posting", "registration"), ("CashSeat", "registration")}  # fmt: skip


def test_every_kind_is_pressed_or_there_is_a_reason_why_not():
    of_the_club = {name for name in services() if name.startswith(OF_THE_CLUB)}
    pressed = set(PRESSES) | set(PRESSES_DOOR) | set(PRESSES_CASHGAME)
    assert pressed | set(NOT_PRESSED) | of_the_club == set(services())
    assert not (set(PRESSES) | set(PRESSES_DOOR)) & set(NOT_PRESSED)
    assert set(OFTEN) <= set(PRESSES)


def assert_sound(event):
    event = f.fresh(event)
    assert facts_checked(event).differences == []
    seatings = list(Seating.objects.live().filter(event=event).select_related("table"))
    assert len({row.entry_id for row in seatings}) == len(seatings)
    assert len({(row.table.number, row.seat) for row in seatings}) == len(seatings)
    assert all(row.table.voided_by_id is None for row in seatings)
    alive = set(event_alive_entry_ids(event))
    assert {row.entry_id for row in seatings} == alive
    assert len(alive) == players_left(event)
    assert not event.has_started or alive
    entries = Entry.objects.live().filter(event=event)
    outs = Elimination.objects.live().filter(event=event)
    assert set(outs.values_list("entry", flat=True)) | alive == set(
        entries.values_list("pk", flat=True)
    )
    reached = money_reached(event)
    assert reached is None or money_holds(event, reached)
    removed = ChipMovement.objects.live().filter(event=event, reason="disqualification")
    counted = removed.aggregate(chips=Sum("amount"))["chips"] or 0
    # Whoever was out before he was disqualified had no chips left that could be taken.
    thrown_out = list(removed.values_list("entry", flat=True))
    disqualified = set(outs.filter(way="disqualified").values_list("entry", flat=True))
    assert len(thrown_out) == len(set(thrown_out))
    assert disqualified >= set(thrown_out)
    by_desk = {"made_by__kind": "entry.disqualified"}
    assert set(outs.filter(**by_desk).values_list("entry", flat=True)) <= set(thrown_out)
    again = Purchase.objects.live().filter(event=event).exclude(what="reentry")
    bought = again.aggregate(number=Sum("number"))["number"] or 0
    raced = ChipMovement.objects.live().filter(event=event, reason="chip_race")
    raced_for = raced.aggregate(chips=Sum("amount"))["chips"] or 0
    assert chips_in_play(event)[0] == 200 * (entries.count() + bought) + counted + raced_for
    people = entries.filter(pk__in=alive).values_list("registration", flat=True)
    assert len(set(people)) == len(alive)
    held = RebuyChance.objects.live().filter(event=event)
    assert set(held.values_list("entry", flat=True)) <= alive
    found = places_of(event)
    assert len(found) in {outs.count(), outs.count() + 1, entries.count()}
    first = 1 if len(found) > outs.count() else len(alive) + 1
    assert is_weak_order(found, first)


def assert_nothing_hangs(event):
    """Every fact that holds rests on one that holds, but for those that outlive it."""
    for rest in RESTS:
        if rest.way == "refuses" and (rest.later.__name__, rest.column) not in OUTLIVES:
            gone = {f"{rest.column}__voided_by__isnull": False}
            hanging = rest.later.objects.live().filter(made_by__event=event, **gone)
            assert not hanging.exists(), rest


def lots_known(lots):
    """Return where everybody stands, but for seats a draw has yet to give."""
    return {entry: lot for entry, lot in lots.items() if not lot.is_drawn}


def take_back_as_shown(anybody, action):
    """Take an action back; what its preview showed is what comes of it, or why it cannot be."""
    shown = undo_preview(
        event=f.fresh(anybody.event), by=f.SYSTEM, at=f.after(anybody.minute), action=action
    )
    made = anybody.call(action_undo, action=action) if shown.obstacle is None else None
    if made is None:
        with pytest.raises(Refused) as caught:
            anybody.call(action_undo, action=action)
        assert str(caught.value) == str(shown.obstacle.reason)
        raise caught.value
    expected = lots_known(shown.sights[1].lots)
    with rolled_back():
        after = undo_preview(
            event=f.fresh(anybody.event), by=f.SYSTEM, at=f.after(anybody.minute), action=made
        )
    came = after.sights[0].lots
    assert {entry: came[entry] for entry in expected} == expected
    assert set(came) == set(shown.sights[1].lots)
    return made


def play(steps, done):
    """Press one after the other, each at a hall as the ones before left it."""
    anybody = Anybody(Random(steps[0][1]))
    for number, (kind, seed) in enumerate(steps):
        anybody.rng = Random(seed)
        try:
            if kind == "action.undone" and number % 3 == 0:
                made = take_back_as_shown(anybody, anybody.some_action())
            else:
                made = PRESSES[kind](anybody)
        except Refused:
            continue
        if made is not None:
            done[made.kind] += 1
            assert made.kind == kind
            assert_sound(anybody.event)
    assert_nothing_hangs(anybody.event)
    assert log_fault(f.fresh(anybody.event)) is None


def unhurried(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        # To shrink takes minutes; the seeds of the steps say enough to play them again.
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def press_anything(examples):
    """Play so many evenings, and return how often each kind came about."""
    done = Counter()

    @unhurried(examples)
    @given(STEPS)
    def some(steps):
        with rolled_back():
            play(steps, done)

    some()
    return done


@pytest.mark.evening
def test_anything_in_any_order():
    done = press_anything(f.evenings(8))
    assert done["action.undone"] > 10 * f.evenings(8) / 8
    # Draws go by the numbers of the rows: what comes of them depends on the tests before.
    assert len(done) > len(PRESSES) / 4 or f.evenings(8) < 8


@pytest.mark.long
@pytest.mark.sqlite_only  # nothing here happens at once; the short one runs on both
def test_anything_in_any_order_for_long():
    # Some need much before them, as a table so far short that it stands still. The simulator does
    # each of them.
    assert len(press_anything(60)) > len(PRESSES) * 0.5


@pytest.mark.evening
def test_everything_taken_back_in_reverse_order_leaves_what_there_was():
    """Without what keeps its truth elsewhere, or was an end."""
    kinds = [kind for kind in PRESSED if kind_of(kind).is_undoable and not kind.startswith((
             "action.", "clock.", "event.", "hand_for_hand.", "round.", "table.reported",
             "schedule.", "hand.begun"))]  # fmt: skip
    for seed in range(f.evenings(4)):
        anybody, rng = Anybody(Random(seed)), Random(seed)
        event = anybody.event
        before = {entry.pk: f.seat_of(entry) for entry in f.entries_of(event)}
        began = f.fresh(event).log_sequence
        for _step in range(50):
            try:
                PRESSES[rng.choice(kinds)](anybody)
            except Refused:
                continue
        done = Action.objects.filter(event=event, sequence__gt=began).order_by("-sequence")
        assert len(done) > 5
        for action in done:
            anybody.call(action_undo, action=action)
        assert {entry.pk: f.seat_of(entry) for entry in f.entries_of(event)} == before
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
