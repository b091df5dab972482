"""What rests on what: every pointer from fact to fact is decided, and each decision holds."""

import pytest

from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import (
    Absence,
    Action,
    Arrival,
    ButtonMark,
    Elimination,
    Entry,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    KeepApart,
    Knockout,
    Penalty,
    PenaltyServed,
    Seating,
    SeatLock,
    Table,
    TableHalt,
)
from tournaments.models.log import Fact
from tournaments.post.services.messages import announcement_made
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move, table_open
from tournaments.undo.services.dependencies import NeededFirst
from tournaments.undo.services.facts import FACTS, RESTS, facts_touched

pytestmark = pytest.mark.django_db


def is_live(row):
    return type(row).objects.live().filter(pk=row.pk).exists()


def later(event):
    """Return an action that makes nothing by itself, for facts to name."""
    return announcement_made(Command(event=event, by=SYSTEM, at=f.after(50)), text="Weiter")


def test_every_pointer_from_fact_to_fact_is_decided():
    pointers = {
        (model, field.name, field.related_model)
        for model in FACTS
        for field in model._meta.concrete_fields
        if field.related_model and issubclass(field.related_model, Fact)
    }
    assert {(rest.later, rest.column, rest.on) for rest in RESTS} == pointers
    assert len(RESTS) == len(pointers)


def test_every_kind_of_fact_is_known():
    assert {model for model in Fact.__subclasses__() if not model._meta.abstract} == set(FACTS)


def test_only_kinds_that_an_action_touched_are_gone_through():
    event = f.make_running_event(3)
    made = f.out(event, f.entries_of(event)[0])
    touched = facts_touched(made)
    assert (touched.made, touched.voided) == ((Elimination,), (Seating,))


@pytest.fixture
def hall():
    """An event with a table nobody sits at, the actions that made it and somebody's entry."""
    event = f.make_running_event(4)
    opened = table_open(Command(event=event, by=SYSTEM, at=f.after(1)))
    table = Table.objects.get(made_by=opened)
    return event, opened, table


@pytest.mark.parametrize(
    ("model", "own"),
    [
        (SeatLock, {"seat": 3}),
        (TableHalt, {}),
        (ButtonMark, {"seat": 2, "marked_at": f.after(2)}),
        (HeadCheck, {"players": 0, "checked_at": f.after(2)}),
    ],
)
def test_what_only_says_something_of_a_table_goes_with_it_and_comes_back_with_it(hall, model, own):
    event, opened, table = hall
    row = model.objects.create(table=table, made_by=later(event), **own)
    undo = f.undo(event, opened)
    assert not is_live(row)
    assert not is_live(table)
    f.undo(event, undo)
    assert is_live(row)
    assert is_live(table)


def test_what_was_void_already_does_not_come_back_with_its_table(hall):
    event, opened, table = hall
    made, gone = later(event), later(event)
    row = SeatLock.objects.create(table=table, seat=3, made_by=made, voided_by=gone)
    f.undo(event, f.undo(event, opened))
    assert is_live(table)
    assert not is_live(row)


def test_an_absence_goes_with_the_entry_and_a_penalty_stands_in_the_way():
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    left = Absence.objects.create(
        event=event, entry=entry, left_at=f.after(1), made_by=later(event)
    )
    undo = f.undo(event, entry.made_by)
    assert not is_live(left)
    f.undo(event, undo)
    assert is_live(left)
    given = later(event)
    Penalty.objects.create(
        event=event, entry=entry, kind="warning", given_at=f.after(1), made_by=given
    )
    with f.refused("needed", event) as caught:
        f.undo(event, entry.made_by)
    assert caught.value.later == given


def test_having_arrived_goes_with_the_move_and_comes_back_with_it():
    event = f.make_running_event(10, seats=6)
    entry, free = f.at_table(event, 1)[0], free_seats(event, [2])[2][0]
    moved = f.drive(
        entry_move, event, 2, entry=entry, table=f.table_of(event, 2), seat=free, reason="Test"
    )
    arrived = Arrival.objects.create(
        seating=Seating.objects.live().get(entry=entry),
        arrived_at=f.after(9),
        made_by=later(event),
    )
    undo = f.undo(event, moved)
    assert not is_live(arrived)
    f.undo(event, undo)
    assert is_live(arrived)


def test_a_wish_to_be_kept_apart_goes_with_the_registration():
    event = f.make_event()
    one, other = f.register(event, "Petra Probst"), f.register(event, "Zeno Zach")
    wish = KeepApart.objects.create(event=event, first=one, second=other, made_by=later(event))
    undo = f.undo(event, other.made_by)
    assert not is_live(wish)
    f.undo(event, undo)
    assert is_live(wish)


def test_hands_sat_out_go_with_the_penalty():
    event = f.make_running_event(4)
    given = later(event)
    penalty = Penalty.objects.create(
        event=event,
        entry=f.entries_of(event)[0],
        kind="hands",
        hands=3,
        given_at=f.after(1),
        made_by=given,
    )
    served = PenaltyServed.objects.create(penalty=penalty, hands=1, made_by=later(event))
    undo = f.undo(event, given)
    assert not is_live(penalty)
    assert not is_live(served)
    f.undo(event, undo)
    assert is_live(served)


def test_by_whom_goes_with_the_out_and_keeps_the_check_in_of_who_did_it():
    event = f.make_running_event(4)
    loser, winner = f.entries_of(event)[:2]
    made = f.out(event, loser)
    out = Elimination.objects.get(made_by=made)
    said = later(event)
    knockout = Knockout.objects.create(elimination=out, by=winner, made_by=said)
    with f.refused("needed", event) as caught:
        f.undo(event, winner.made_by)
    assert caught.value.later == said
    undo = f.undo(event, made)
    assert not is_live(knockout)
    f.undo(event, undo)
    assert is_live(knockout)


@pytest.fixture
def bubble():
    """Hand-for-hand with one round, each made by an action of its own."""
    event = f.make_running_event(4)
    announced, released = later(event), later(event)
    mode = HandForHand.objects.create(event=event, began_at=f.after(1), made_by=announced)
    hand = HandRound.objects.create(
        hand_for_hand=mode, number=1, began_at=f.after(1), made_by=released
    )
    return event, announced, released, hand


def test_a_round_stands_in_the_way_of_taking_hand_for_hand_back(bubble):
    event, announced, released, _hand = bubble
    with f.refused("needed", event) as caught:
        f.undo(event, announced)
    assert caught.value.later == released


def test_a_table_that_reported_stands_in_the_way_of_taking_the_round_back(bubble):
    event, _announced, released, hand = bubble
    reported = later(event)
    HandReport.objects.create(
        round=hand, table=f.table_of(event, 1), reported_at=f.after(2), made_by=reported
    )
    with f.refused("needed", event) as caught:
        f.undo(event, released)
    assert caught.value.later == reported


def test_somebody_out_in_a_round_stands_in_the_way_of_taking_it_back(bubble):
    event, _announced, released, hand = bubble
    made = f.out(event, f.entries_of(event)[0], at=f.after(2))
    Elimination.objects.filter(made_by=made).update(round=hand)
    with f.refused("needed", event) as caught:
        f.undo(event, released)
    assert caught.value.later == made
    f.undo(event, made)
    f.undo(event, released)
    with f.refused("needed", event):
        f.undo(event, Action.objects.get(undoes=made))


def test_a_report_that_was_taken_back_does_not_come_back_without_its_round(bubble):
    event, _announced, released, hand = bubble
    reported = later(event)
    HandReport.objects.create(
        round=hand, table=f.table_of(event, 1), reported_at=f.after(2), made_by=reported
    )
    undo = f.undo(event, reported)
    gone = f.undo(event, released)
    with f.refused("needed", event) as caught:
        f.undo(event, undo)
    assert isinstance(caught.value, NeededFirst)
    assert caught.value.later == gone


def test_what_may_be_there_once_is_not_brought_back_twice():
    """For every kind that may live but once: an end is taken back after the same was said anew."""
    event = f.make_running_event(4)
    entry, table = f.entries_of(event)[0], f.table_of(event, 1)
    own = {
        Absence: {"event": event, "entry": entry, "left_at": f.after(1)},
        SeatLock: {"table": table, "seat": 9},
        TableHalt: {"table": table},
        HandForHand: {"event": event, "began_at": f.after(1)},
    }
    for model, columns in own.items():
        made, ended = later(event), later(event)
        model.objects.create(made_by=made, voided_by=ended, **columns)
        anew = later(event)
        model.objects.create(made_by=anew, **columns)
        with f.refused("needed", event) as caught:
            f.undo(event, ended)
        assert caught.value.later == anew
        f.undo(event, anew)
        f.undo(event, ended)
        assert model.objects.live().filter(**columns).count() == 1


def test_an_action_is_not_taken_back_while_its_own_fact_was_ended_by_another():
    event = f.make_running_event(4)
    left, returned = later(event), later(event)
    Absence.objects.create(
        event=event,
        entry=Entry.objects.filter(event=event)[0],
        left_at=f.after(1),
        made_by=left,
        voided_by=returned,
    )
    with f.refused("needed", event) as caught:
        f.undo(event, left)
    assert caught.value.later == returned
