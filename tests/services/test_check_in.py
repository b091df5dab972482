"""Check-in: the stack, the seat, every refusal, every undo."""

import pytest

from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.models import ChipMovement, Entry, Table
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event()


def test_check_in_brings_a_stack_and_a_drawn_seat(event):
    entry = f.check_in(event, f.register(event), by=f.make_desk(event))
    action = f.assert_logged(event, "entry.checked_in", entry=entry.pk, chips=200)
    assert f.seat_of(entry) == (action.payload["table"], action.payload["seat"])
    assert chips_in_play(event) == (200, True)
    assert (entry.number, players_left(event)) == (1, 1)


def test_check_in_before_a_draw_of_the_whole_field_gives_no_seat():
    event = f.make_event(draw_mode="field")
    assert f.seat_of(f.check_in(event, f.register(event))) is None
    assert chips_in_play(event) == (event.starting_stack, True)


def test_check_in_is_for_desk_and_director(event):
    row = f.register(event)
    for who in (f.ZENO, f.petra_of(row), f.make_arno(event)):
        with f.refused("not_allowed", event):
            f.check_in(event, row, by=who)


def test_check_in_happens_once_and_only_with_a_registration(event):
    row = f.register(event)
    f.check_in(event, row)
    with f.refused("cannot_check_in", event):
        f.check_in(event, row)
    elsewhere = f.register(f.make_event(name="Anderes"), "Otto")
    with f.refused("gone", event):
        entry_check_in(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=elsewhere)


def test_late_check_in_ends_with_the_level_and_the_director_may_make_an_exception():
    event = f.make_running_event(4, late_registration_level=1)
    desk, dora = f.make_desk(event), f.make_dora(event)
    early, late = f.register(event, "Früh"), f.register(event, "Spät")
    f.check_in(event, early, by=desk, at=f.after(19))
    with f.refused("cannot_check_in", event):
        f.check_in(event, late, by=desk, at=f.after(21))
    f.check_in(event, late, by=dora, at=f.after(21))
    assert players_left(event) == 6


def test_check_in_taken_back_and_put_in_force_again(event):
    row = f.register(event)
    entry = f.check_in(event, row)
    seat = f.seat_of(entry)
    f.undo(event)
    f.assert_logged(event, "action.undone")
    assert (players_left(event), chips_in_play(event)) == (0, (0, True))
    assert not Table.objects.live().filter(event=event).exists()
    f.undo(event)
    assert (players_left(event), chips_in_play(event), f.seat_of(entry)) == (1, (200, True), seat)


def test_check_in_taken_back_keeps_the_tables_others_sit_at(event):
    first = f.check_in(event, f.register(event, "Eins"))
    opened = f.last_action(event)
    second = f.check_in(event, f.register(event, "Zwei"))
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=opened)
    assert f.seat_of(first) is None
    assert f.seat_of(second)
    assert Table.objects.live().filter(event=event).exists()


def test_check_in_is_not_taken_back_while_the_entry_is_out():
    event = f.make_running_event(3)
    from tournaments.play.services.eliminations import entries_eliminate

    entry = f.entries_of(event)[0]
    entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(5)), entries=[entry])
    with f.refused("needed", event) as caught:
        action_undo(Command(event=event, by=SYSTEM, at=f.after(6)), action=entry.made_by)
    assert "Ausgeschieden: Spieler 001" in str(caught.value)


def test_a_new_check_in_after_one_taken_back_is_a_new_entry(event):
    row = f.register(event)
    first = f.check_in(event, row)
    f.undo(event)
    second = f.check_in(event, row)
    assert (first.number, second.number) == (1, 2)
    assert Entry.objects.live().filter(event=event).count() == 1
    assert ChipMovement.objects.live().filter(event=event).count() == 1


def test_a_withdrawal_taken_back_and_used_is_not_put_in_force_again(event):
    row = f.register(event)
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=row)
    undone = f.undo(event)
    f.check_in(event, row)
    with f.refused("needed", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=undone)
