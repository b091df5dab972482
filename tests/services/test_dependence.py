"""What rests on what: every pointer from fact to fact is decided, and each decision holds."""

import pytest

from tests import factories as f
from tests.services.at_tables import move, seating
from tournaments.models import (
    Absence,
    Arrival,
    ButtonMark,
    Elimination,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    KeepApart,
    Knockout,
    Penalty,
    PenaltyServed,
    SeatLock,
    Table,
    TableHalt,
)
from tournaments.models.log import Fact
from tournaments.post.services.messages import announcement_made
from tournaments.seating.services.tables import table_open
from tournaments.undo.services.dependencies import FACTS, RESTS, NeededFirst

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=6)]


def is_live(row):
    return type(row).objects.live().filter(pk=row.pk).exists()


def later(event):
    """Return an action that makes nothing by itself, for facts to name."""
    return f.drive(announcement_made, event, 50, text="Weiter")


def test_every_pointer_from_fact_to_fact_is_decided():
    pointers = {
        (model, field.name, field.related_model)
        for model in FACTS
        for field in model._meta.concrete_fields
        if field.related_model and issubclass(field.related_model, Fact)
    }
    assert {(rest.later, rest.column, rest.on) for rest in RESTS} == pointers
    assert len(RESTS) == len(pointers)


def goes_along(event, needed, *rows):
    """Expect that these go with what they rest on, and come back with it."""
    undo = f.undo(event, needed)
    assert not [row for row in rows if is_live(row)]
    f.undo(event, undo)
    assert all(is_live(row) for row in rows)


def stands_in_the_way(event, needed, of):
    with f.refused("needed", event) as caught:
        f.undo(event, needed)
    assert isinstance(caught.value, NeededFirst)
    assert caught.value.later == of


@pytest.mark.parametrize(
    ("model", "own"),
    [
        (SeatLock, {"seat": 3}),
        (TableHalt, {}),
        (ButtonMark, {"seat": 2, "marked_at": f.after(2)}),
        (HeadCheck, {"players": 0, "checked_at": f.after(2)}),
    ],
)
def test_what_only_says_something_of_a_table_goes_with_it_and_comes_back_with_it(event, model, own):
    opened = f.drive(table_open, event, 1)
    table = Table.objects.get(made_by=opened)
    own = {"table": table, **own}
    gone = model.objects.create(**own, made_by=later(event), voided_by=later(event))
    row = model.objects.create(**own, made_by=later(event))
    goes_along(event, opened, row, table)
    assert not is_live(gone)  # It was void already.


def test_an_absence_goes_with_the_entry_and_a_penalty_stands_in_the_way(event):
    own, made = {"event": event, "entry": f.entries_of(event)[0]}, later(event)
    left = Absence.objects.create(**own, left_at=f.after(1), made_by=made)
    goes_along(event, own["entry"].made_by, left)
    given = later(event)
    Penalty.objects.create(**own, kind="warning", given_at=f.after(1), made_by=given)
    stands_in_the_way(event, own["entry"].made_by, of=given)


def test_having_arrived_goes_with_the_move(event):
    entry = f.at_table(event, 1)[0]
    moved = move(event, entry, 2)
    own = {"seating": seating(entry), "arrived_at": f.after(9)}
    goes_along(event, moved, Arrival.objects.create(**own, made_by=later(event)))


def test_a_wish_to_be_kept_apart_goes_with_the_registration():
    event = f.make_event()
    one, other = f.register(event, "Petra Probst"), f.register(event, "Zeno Zach")
    own = {"event": event, "first": one, "second": other}
    goes_along(event, other.made_by, KeepApart.objects.create(**own, made_by=later(event)))


def test_hands_sat_out_go_with_the_penalty(event):
    given, own = later(event), {"event": event, "entry": f.entries_of(event)[0]}
    own |= {"kind": "hands", "hands": 3, "given_at": f.after(1)}
    penalty = Penalty.objects.create(**own, made_by=given)
    served = PenaltyServed.objects.create(penalty=penalty, hands=1, made_by=later(event))
    goes_along(event, given, penalty, served)


def test_by_whom_goes_with_the_out_and_keeps_the_check_in_of_who_did_it(event):
    loser, winner = f.entries_of(event)[:2]
    made, said = f.out(event, loser), later(event)
    out = Elimination.objects.get(made_by=made)
    knockout = Knockout.objects.create(elimination=out, by=winner, made_by=said)
    stands_in_the_way(event, winner.made_by, of=said)
    goes_along(event, made, knockout)


@pytest.fixture
def bubble(event):
    """Hand-for-hand with one round, each made by an action of its own."""
    announced, released = later(event), later(event)
    mode = HandForHand.objects.create(event=event, began_at=f.after(1), made_by=announced)
    hand = HandRound.objects.create(
        hand_for_hand=mode, number=1, began_at=f.after(1), made_by=released
    )
    return announced, released, hand


def test_a_round_and_a_report_stand_in_the_way_and_come_back_with_what_they_rest_on_alone(
    event, bubble
):
    announced, released, hand = bubble
    stands_in_the_way(event, announced, of=released)
    reported = later(event)
    own = {"round": hand, "table": f.table_of(event, 1), "reported_at": f.after(2)}
    HandReport.objects.create(**own, made_by=reported)
    stands_in_the_way(event, released, of=reported)
    undo = f.undo(event, reported)
    stands_in_the_way(event, undo, of=f.undo(event, released))


def test_somebody_out_in_a_round_stands_in_the_way_of_taking_it_back(event, bubble):
    _announced, released, hand = bubble
    made = f.out(event, f.entries_of(event)[0], at=f.after(2))
    Elimination.objects.filter(made_by=made).update(round=hand)
    stands_in_the_way(event, released, of=made)
    undo = f.undo(event, made)
    stands_in_the_way(event, undo, of=f.undo(event, released))


def test_what_may_be_there_once_is_not_brought_back_twice(event):
    """For every kind that may live but once: an end is taken back after the same was said anew."""
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
        stands_in_the_way(event, made, of=ended)  # Its own fact was ended by another.
        stands_in_the_way(event, ended, of=anew)
        f.undo(event, anew)
        f.undo(event, ended)
        assert model.objects.live().filter(**columns).count() == 1
