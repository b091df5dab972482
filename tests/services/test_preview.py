"""A look at what an undo, or anything else, would change: true, and without a trace."""

from uuid import uuid4

import pytest
from django.db import transaction

from clock.domain import state_from
from clock.models import ClockAction
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_correct
from tournaments.event.selectors.event import average_stack
from tournaments.event.services.clock import clock_adjust, clock_pause
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, ActionText, Draw, Event, IdempotencyRecord, Table
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.seats import draw_hall_number_set
from tournaments.seating.services.tables import entry_move, table_break
from tournaments.undo.domain.preview_diff import Turn
from tournaments.undo.services import undo as previews
from tournaments.undo.services.dependencies import FACTS
from tournaments.undo.services.undo import action_undo, rolled_back, undo_preview

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def look(event, action, *, by=SYSTEM, at=None):
    return undo_preview(event=f.fresh(event), by=by, at=at or f.after(90), action=action)


def break_table(event, number, minute=20):
    return f.drive(table_break, event, minute, table=f.table_of(event, number), reason="Test")


def move(event, entry):
    """Move somebody to the first free seat of the own table."""
    number = f.seat_of(entry)[0]
    seat = free_seats(event, [number])[number][0]
    target = {"table": f.table_of(event, number), "seat": seat, "reason": "Test"}
    return f.drive(entry_move, event, 3, entry=entry, **target)


def everything():
    """Return every row of every table that a change could touch."""
    models = (*FACTS, Action, ActionText, IdempotencyRecord, ClockAction, Event)
    return {model.__name__: sorted(map(str, model.objects.values_list())) for model in models}


def test_it_shows_who_is_back_on_which_seat_and_whose_place_changes():
    event = f.make_running_event(8)
    first, second, third = f.entries_of(event)[:3]
    seat = f.seat_of(second)
    for minute, entry in enumerate((first, second, third)):
        f.out(event, entry, at=f.after(minute))
    made = event.actions.filter(kind="entry.eliminated").order_by("sequence")[1]
    found = look(event, made)
    assert found.obstacle is None
    back, moved_down = found.people
    assert (back.entry, back.turn, back.before.place, back.after.seat) == (
        second.pk, Turn.BACK, 7, seat,
    )  # fmt: skip
    assert (moved_down.entry, moved_down.before.place, moved_down.after.place) == (third.pk, 6, 7)
    assert (found.before.left, found.after.left) == (5, 6)


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
    moved = move(event, entry)
    again = move(event, entry)
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
    made = clock_adjust(Command(event=event, by=SYSTEM, at=f.after(1)), seconds=300)
    found = look(event, made)
    rooms = (found.before, found.after)
    before, after = (state_from(one.anchor, one.levels, found.now).remaining for one in rooms)
    assert (before - after).total_seconds() == 300
    paused = clock_pause(Command(event=event, by=SYSTEM, at=f.after(1)))
    clock_adjust(Command(event=event, by=SYSTEM, at=f.after(1)), seconds=60)
    found = look(event, paused)
    assert (found.obstacle.reason.code, found.obstacle.first) == ("not_latest", ())
    number = draw_hall_number_set(Command(event=event, by=SYSTEM, at=f.after(1)), number="77")
    found = look(event, number)
    assert (found.before.settings["hall_number"], found.after.settings["hall_number"]) == ("77", "")
    registration = f.entries_of(event)[0].registration
    corrected = registration_correct(
        Command(event=event, by=SYSTEM, at=f.after(1)), registration=registration, name="Neuer Name"
    )
    found = look(event, corrected)
    assert found.before.person[0] == "Neuer Name"
    assert found.after.person[0] == "Spieler 001"
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


def test_two_looks_that_say_the_same_have_one_fingerprint_whatever_the_time():
    event = f.make_running_event(9)
    made = f.out(event, f.entries_of(event)[0])
    one = look(event, made, at=f.after(6))
    f.register(event, "Späte Gästin", at=f.after(6))
    register_shows = look(event, made, at=f.after(7))
    assert one.seen != register_shows.seen
    assert one.fingerprint != register_shows.fingerprint
    tap_hand(event, 8)
    assert look(event, made, at=f.after(9)).fingerprint == register_shows.fingerprint
    f.out(event, f.entries_of(event)[1], at=f.after(10))
    assert look(event, made, at=f.after(11)).fingerprint != register_shows.fingerprint


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
