"""A look at what an undo, or anything else, would change: true, and without a trace."""

from uuid import uuid4

import pytest
from django.db import transaction

from clock.models import ClockAction
from tests import factories as f
from tests.calling import call_service
from tests.services.dealing import move, seating
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.selectors.event import average_stack
from tournaments.event.services.lifecycle import event_end
from tournaments.models import (
    Absence,
    Action,
    ActionText,
    Arrival,
    ButtonMark,
    Draw,
    Elimination,
    Event,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    IdempotencyRecord,
    KeepApart,
    Knockout,
    Penalty,
    PenaltyServed,
    SeatLock,
    Table,
    TableHalt,
)
from tournaments.models.log import Fact
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.post.services.messages import announcement_made
from tournaments.seating.services.tables import table_break, table_open
from tournaments.undo.domain.preview_diff import Turn
from tournaments.undo.services import undo as previews
from tournaments.undo.services.dependencies import FACTS, RESTS, NeededFirst
from tournaments.undo.services.undo import action_undo, rolled_back, undo_preview

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.running(10, seats=6)]


def look(event, action, *, by=SYSTEM, at=None):
    return undo_preview(event=f.fresh(event), by=by, at=at or f.after(90), action=action)


def break_table(event, number, minute=20):
    return f.drive(table_break, event, minute, table=f.table_of(event, number), reason="Test")


def everything():
    """Return every row of every table that a change could touch."""
    models = (*FACTS, Action, ActionText, IdempotencyRecord, ClockAction, Event)
    return {model.__name__: sorted(map(str, model.objects.values_list())) for model in models}


def test_nothing_remains_not_even_of_what_is_refused(django_capture_on_commit_callbacks):
    event = f.make_running_event(12)
    checked_in = Action.objects.filter(event=event, kind="entry.checked_in").order_by("pk")[0]
    made = f.out(event, f.entries_of(event)[0])
    before = everything()
    with django_capture_on_commit_callbacks() as told:
        found = look(event, made)
        assert look(event, checked_in).after is None
    assert found.after is not None
    assert told == []
    assert everything() == before


def test_a_seat_that_would_be_drawn_is_not_told():
    event = f.make_running_event(16, seats=5)
    entry = f.at_table(event, 2)[0]
    made = f.out(event, entry)
    break_table(event, 2)
    found = look(event, made)
    back = found.people[0]
    assert (back.entry, back.turn) == (entry.pk, Turn.BACK)
    assert (back.after.seat, back.after.is_drawn) == (None, True)
    assert Draw.objects.filter(event=event, made_by__kind="action.undone").count() == 0


def test_what_is_needed_first_is_named_in_the_order_in_which_to_take_it_back(monkeypatch):
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    checked_in = Action.objects.filter(event=event, kind="entry.checked_in").order_by("pk")[0]
    moved, again = (move(event, entry, 3, 1) for _time in range(2))
    out = f.out(event, entry)
    found = look(event, checked_in)
    assert [step.pk for step in found.obstacle.first] == [out.pk, again.pk, moved.pk]
    assert found.obstacle.is_whole
    with monkeypatch.context() as fewer:
        fewer.setattr(previews, "MOST_STEPS", 1)
        told = look(event, checked_in).obstacle
        assert (told.is_whole, bool(told.first)) == (False, True)
    for step in found.obstacle.first:
        f.undo(event, step)
    assert look(event, checked_in).obstacle is None


def test_a_player_given_another_seat_cannot_lose_his_check_in_and_no_undone_out_is_blamed():
    event = f.make_running_event(16, seats=5)
    # Whoever came first to the table opened it, and the break of the table stands in the way then.
    opened = Table.objects.filter(event=event).values_list("made_by", flat=True)
    entry = next(one for one in f.at_table(event, 2) if one.made_by_id not in set(opened))
    checked_in = entry.made_by
    out = f.out(event, entry)
    break_table(event, 2)
    back = f.undo(event, out)
    with f.refused("needed", event) as caught:
        f.undo(event, checked_in)
    assert caught.value.later == back
    assert not look(event, checked_in).obstacle.is_whole


def test_the_clock_settings_names_chips_and_life_are_compared_too():
    event = f.make_running_event(4)
    gone = {"entry": f.entries_of(event)[0], "reason": "Test", "stack": 100}
    made = entry_disqualify(Command(event=event, by=SYSTEM, at=f.after(1)), **gone)
    found = look(event, made)
    assert (found.before.chips, found.after.chips) == (700, 800)
    assert [average_stack(one.chips, one.left) for one in (found.before, found.after)] == [233, 200]
    ended = event_end(Command(event=event, by=SYSTEM, at=f.after(2)))
    found = look(event, ended)
    assert (found.before.status, found.after.status) == ("ended", "running")
    assert len(found.people) == 3


def test_a_bug_inside_is_not_swallowed_and_leaves_nothing():
    event = f.make_running_event(3)
    before = everything()
    with pytest.raises(ZeroDivisionError), rolled_back():
        f.out(event, f.entries_of(event)[0]).pk // 0
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_outside_of_any_transaction_the_hooks_on_commit_stay_silent():
    event = f.make_running_event(5)
    made = f.out(event, f.entries_of(event)[0])
    version, told = f.fresh(event).version, []
    with rolled_back():
        transaction.on_commit(lambda: told.append("told"))
        f.undo(event, made)
    assert look(event, made).after is not None
    assert told == []
    assert f.fresh(event).version == version


# While the room goes on


def tap_hand(event, minute):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, 1))


def test_an_undo_pressed_on_an_old_version_is_refused_and_the_same_press_answered_from_memory():
    event = f.make_running_event(9)
    made = f.out(event, f.entries_of(event)[0])
    seen = f.fresh(event).version
    tap_hand(event, 8)
    with f.refused("overtaken", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.after(9), seen=seen), action=made)
    said = {"event": event, "by": SYSTEM, "at": f.after(9), "key": uuid4(), "action": made}
    one = call_service(action_undo, **said, seen=seen + 1)
    assert call_service(action_undo, **said, seen=seen) == one


def test_a_change_between_reading_and_locking_is_seen(monkeypatch):
    event = f.make_running_event(9)
    first, second = f.entries_of(event)[:2]
    made = f.out(event, first)
    read, rooms = previews.state_read, []

    def slowly(*args, **kwargs):
        room = read(*args, **kwargs)
        rooms.append(room)
        if len(rooms) == 1:
            f.out(event, second, at=f.after(6))
        return room

    monkeypatch.setattr(previews, "state_read", slowly)
    found = look(event, made)
    assert found.seen == f.fresh(event).version
    assert (found.before.left, found.after.left) == (7, 8)


# --- What rests on what: every pointer from fact to fact is decided, and each decision holds


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


def test_what_has_no_meaning_alone_goes_along_and_a_penalty_stands_in_the_way(event):
    """An absence with the entry, an arrival with the move, hands sat out with their penalty."""
    entry, made, given = f.at_table(event, 1)[0], later(event), later(event)
    own = {"event": event, "entry": entry}
    left = Absence.objects.create(**own, left_at=f.after(1), made_by=made)
    goes_along(event, entry.made_by, left)
    own |= {"kind": "hands", "hands": 3, "given_at": f.after(1)}
    penalty = Penalty.objects.create(**own, made_by=given)
    stands_in_the_way(event, entry.made_by, of=given)
    served = PenaltyServed.objects.create(penalty=penalty, hands=1, made_by=later(event))
    goes_along(event, given, penalty, served)
    moved = move(event, entry, 2)
    arrived = {"seating": seating(entry), "arrived_at": f.after(9)}
    goes_along(event, moved, Arrival.objects.create(**arrived, made_by=later(event)))


def test_a_wish_to_be_kept_apart_goes_with_the_registration():
    event = f.make_event()
    one, other = f.register(event, "Petra Probst"), f.register(event, "Zeno Zach")
    own = {"event": event, "first": one, "second": other}
    goes_along(event, other.made_by, KeepApart.objects.create(**own, made_by=later(event)))


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
