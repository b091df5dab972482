"""A look at an undo while the room goes on: what still says the same, and what is overtaken."""

from uuid import uuid4

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.play.services.hands import hand_begin
from tournaments.undo.services import undo as previews
from tournaments.undo.services.undo import action_undo, undo_preview

pytestmark = pytest.mark.django_db


def look(event, action, minute):
    return undo_preview(event=f.fresh(event), by=SYSTEM, at=f.after(minute), action=action)


def tap_hand(event, minute):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, 1))


def test_two_looks_that_say_the_same_have_one_fingerprint_whatever_the_time():
    event = f.make_running_event(9)
    made = f.out(event, f.entries_of(event)[0])
    one = look(event, made, 6)
    f.register(event, "Späte Gästin", at=f.after(6))
    register_shows = look(event, made, 7)
    assert one.seen != register_shows.seen
    assert one.fingerprint != register_shows.fingerprint
    tap_hand(event, 8)
    assert look(event, made, 9).fingerprint == register_shows.fingerprint
    f.out(event, f.entries_of(event)[1], at=f.after(10))
    assert look(event, made, 11).fingerprint != register_shows.fingerprint


def test_an_undo_pressed_on_an_old_version_is_refused():
    event = f.make_running_event(9)
    made = f.out(event, f.entries_of(event)[0])
    seen = f.fresh(event).version
    tap_hand(event, 8)
    with f.refused("overtaken", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.after(9), seen=seen), action=made)
    action_undo(Command(event=event, by=SYSTEM, at=f.after(9), seen=seen + 1), action=made)


def test_the_same_press_again_is_answered_from_memory_though_the_version_went_on():
    event = f.make_running_event(9)
    made = f.out(event, f.entries_of(event)[0])
    said = {"event": event, "by": SYSTEM, "at": f.after(9), "key": uuid4(), "action": made}
    one = call_service(action_undo, **said, seen=f.fresh(event).version)
    assert call_service(action_undo, **said, seen=f.fresh(event).version - 1) == one


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
    found = look(event, made, 90)
    assert found.seen == f.fresh(event).version
    assert (found.before.left, found.after.left) == (7, 8)
